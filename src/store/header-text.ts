// Headers as the JSON text that is stored of them, without credentials: put together from pieces that are made once per name and value.

import { soundsSecret } from "../core/secret-name.ts";
import { mask, redactedText } from "./redaction.ts";

/** Names that sound like one and are none: counts and limits of tokens, and what a server says about its demands. */
const harmlessName =
  /^(?:x-ratelimit-(?:limit|remaining|reset)-[a-z-]+|anthropic-ratelimit-[a-z-]+|max-tokens|x-max-tokens|www-authenticate|proxy-authenticate|idempotency-key)$/i;

/** What is known of a header's name. */
interface KnownName {
  /** The name as a JSON text, and its colon. */
  readonly start: string;
  /** Instead of every value of this name; undefined when it is no secret. */
  readonly masked: string | undefined;
  /** By value: the JSON text of the name and the value. */
  readonly pieces: Map<string, string>;
  /** How often there were too many values. */
  overflows: number;
}

/** Headers come with the same names, and mostly the same values, again and again: looked at once while there are few. */
const known = new Map<string, KnownName>();
const rememberedNames = 500;
const rememberedValues = 32;
const longestRemembered = 200;
/** Request ids and the like differ each time: such a name's values are not remembered any more. */
const maxOverflows = 3;

/** The JSON text of an object with these headers; names keep their spelling (behaviour 1.18, and every other name that sounds like a credential). */
export function headersText(headers: Readonly<Record<string, string>>): string {
  let text = "";
  for (const name in headers) {
    const piece = pieceOf(name, headers[name] ?? "");
    text = text === "" ? piece : `${text},${piece}`;
  }
  return `{${text}}`;
}

function pieceOf(name: string, value: string): string {
  const entry = known.get(name) ?? knownName(name);
  if (entry.masked !== undefined) return entry.masked;
  const remembered = entry.pieces.get(value);
  if (remembered !== undefined) return remembered;
  const piece = entry.start + JSON.stringify(redactedText(withoutSecretQuery(value)));
  if (value.length > longestRemembered || entry.overflows > maxOverflows) return piece;
  if (entry.pieces.size >= rememberedValues) {
    entry.pieces.clear();
    entry.overflows++;
  }
  entry.pieces.set(value, piece);
  return piece;
}

function knownName(name: string): KnownName {
  const start = `${JSON.stringify(name)}:`;
  const secret = soundsSecret(name) && !harmlessName.test(name);
  const entry = { start, masked: secret ? `${start}"${mask}"` : undefined, pieces: new Map(), overflows: 0 };
  if (name.length > longestRemembered) return entry;
  // Callers choose names as well.
  if (known.size >= rememberedNames) known.clear();
  known.set(name, entry);
  return entry;
}

/** URLs in headers (`referer`, `location`) carry credentials in their query. */
function withoutSecretQuery(value: string): string {
  if (!value.includes("://") && !value.startsWith("/")) return value;
  const mark = value.indexOf("?");
  return mark === -1 ? value : value.slice(0, mark);
}
