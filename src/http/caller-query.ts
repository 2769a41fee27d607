// What of a caller's query may go up to a provider of the same dialect.

import { soundsSecret } from "../core/secret-name.ts";

const longestQuery = 512;
const mostParameters = 16;
/** What no server, proxy or log reads differently: plain characters and bytes written as %XX. */
const plainParameter = /^[A-Za-z0-9_.[\]-]{1,64}(?:=(?:[A-Za-z0-9_.~,:-]|%[0-9A-Fa-f]{2})*)?$/;

/**
 * The query of `target`, a path as it was asked for, with its question mark, of which only plain parameters are left that do not sound like credentials; undefined when nothing
 * is. A query of more than 512 characters or 16 parameters is left out: nothing that is known to matter is that long.
 */
export function callerQuery(target: string): string | undefined {
  const start = target.indexOf("?");
  if (start === -1) return undefined;
  const query = target.slice(start + 1);
  if (query === "" || query.length > longestQuery) return undefined;
  const parameters = query.split("&");
  if (parameters.length > mostParameters) return undefined;
  const kept = parameters.filter((parameter) => plainParameter.test(parameter) && !isCredential(parameter));
  return kept.length === 0 ? undefined : `?${kept.join("&")}`;
}

/** Gemini's clients write their key there; it is the gateway's and not for a provider. */
function isCredential(parameter: string): boolean {
  const end = parameter.indexOf("=");
  return soundsSecret(end === -1 ? parameter : parameter.slice(0, end));
}
