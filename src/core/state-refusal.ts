// Whether a provider refused a request for the reasoning in its history, whose origin it could not verify.

import type { Failure } from "./failure.ts";

/**
 * Anthropic: "Invalid `signature` in `thinking` block"; OpenAI: "The encrypted content ... could not be verified", code `invalid_encrypted_content`. Keys that
 * were exchanged, models that were retired and proxies that mixed accounts lead there; without that reasoning the request is a good one.
 */
export function isStateRefusal({ origin, status, code, message }: Failure): boolean {
  if (origin !== "status" || status !== 400) return false;
  return code === "invalid_encrypted_content" || phrases.some((phrase) => phrase.test(message));
}

const phrases = [
  /invalid\W+signature\W+in\W+thinking\W+block/i,
  /encrypted content .*could not be (?:verified|decrypted)/is,
];
