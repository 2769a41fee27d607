// Ids of tool calls that a provider left out.

/**
 * Made from the answer's own id, so that calls of different turns differ; OpenAI takes 40 characters at most and Anthropic only letters, digits, `_` and `-`.
 * Empty for an answer without an id: whoever encodes it makes one up.
 */
export function derivedCallId(answerId: string | undefined, choice: number, call: number): string {
  const base = (answerId ?? "").replaceAll(/[^A-Za-z0-9]/g, "").slice(-24);
  return base === "" ? "" : `call_${base}_${choice}_${call}`;
}
