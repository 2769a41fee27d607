// Keeps our own secrets out of what providers say: some repeat the key that they refuse.

import { Failure } from "../core/failure.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import { soundsSecret } from "../core/secret-name.ts";

/** Knows the secrets of one provider. */
export interface Redactor {
  readonly contains: (text: string) => boolean;
  /** The same failure when it holds no secret, otherwise a copy with `[REDACTED]` in their place. */
  failure(failure: Failure): Failure;
}

/** Shorter ones (`none`, `test`) are placeholders, and blanking them would garble ordinary words. */
const shortestSecret = 8;

/** The secrets: all API keys, and the custom headers whose names say that they hold one. */
export function createRedactor(config: Pick<ProviderConfig, "apiKeys" | "customUpstreamHeaders">): Redactor {
  const headerValues = config.customUpstreamHeaders
    .filter(([name]) => soundsSecret(name))
    .map(([, value]) => value.replace(/^(?:Bearer|Basic|Token)\s+/i, ""));
  // Longest first, so that a key that begins with another one is not left with its end readable.
  const secrets = [...config.apiKeys, ...headerValues]
    .filter((secret) => secret.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);

  const contains = (text: string) => text.length >= shortestSecret && secrets.some((secret) => text.includes(secret));
  const redact = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "[REDACTED]"), text);

  return {
    contains,
    failure(failure) {
      const texts = [failure.message, failure.param ?? "", String(failure.code ?? "")];
      if (!texts.some(contains) && !failure.headers.some(([, value]) => contains(value))) return failure;
      return new Failure({
        origin: failure.origin,
        status: failure.status,
        type: failure.type,
        message: redact(failure.message),
        param: failure.param === null ? null : redact(failure.param),
        code: typeof failure.code === "string" ? redact(failure.code) : failure.code,
        ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
        headers: failure.headers.filter(([, value]) => !contains(value)),
        ...(failure.emptyReason === undefined ? {} : { emptyReason: failure.emptyReason }),
      });
    },
  };
}
