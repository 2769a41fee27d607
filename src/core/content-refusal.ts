// Whether a provider refused what was asked, and not that it was asked there.

import type { Failure } from "./failure.ts";

/** Error codes of OpenAI, Azure, Moonshot, Alibaba and OpenAI's image models, as their documentation has them; compared in lower case. */
const codes: ReadonlySet<string> = new Set([
  "content_policy_violation",
  "content_filter",
  "responsibleaipolicyviolation",
  "data_inspection_failed",
  "moderation_blocked",
]);

/** What such refusals say, in lower case; proxies between put the code into the text. */
const phrases: readonly string[] = [
  ...codes,
  // LiteLLM's name of it.
  "contentpolicyviolation",
  "content policy",
  // Azure.
  "content management policy",
  // OpenAI.
  "violating our usage policy",
  "rejected as a result of our safety system",
  // DeepSeek.
  "content exists risk",
  // Moonshot.
  "considered high risk",
  // Alibaba.
  "inappropriate content",
  // OpenRouter's moderation.
  "input was flagged",
];

/**
 * True for a refusal by content policy: another target must not be asked what one has refused (behaviour 2.12). By its code whatever
 * the status, for a stream's first event has none of its own; by its words only for a 4xx other than 429: a filter that is down is no refusal.
 */
export function isContentRefusal(failure: Failure): boolean {
  if (failure.origin !== "status") return false;
  if (typeof failure.code === "string" && codes.has(failure.code.toLowerCase())) return true;
  if (failure.status >= 500 || failure.status === 429) return false;
  const text = `${failure.code ?? ""} ${failure.message}`.toLowerCase();
  return phrases.some((phrase) => text.includes(phrase));
}
