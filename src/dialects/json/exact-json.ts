// JSON texts as values whose numbers come out again as they were written, however long they are.

/** A number that a double may not hold to the last digit has seventeen digits or more, or an exponent; so have many texts. */
const mayHoldNumber = /\d{17}|\d\.\d{15}|\d[eE]/;
/** Such a number behind what may stand before one in JSON: looking at every number takes ten times as long as parsing. */
const mayLoseDigits = /(?:^|[[:,\s])-?(?:\d{17}|\d+(?:\.\d{15}|(?:\.\d+)?[eE][-+]?\d))/;

/** Throws a `SyntaxError` as `JSON.parse` does. Numbers that a double cannot hold become values that `JSON.stringify` writes as they were. */
export function parseExactly(text: string): unknown {
  if (!mayHoldNumber.test(text) || !mayLoseDigits.test(text)) return JSON.parse(text);
  return JSON.parse(text, keepNumber);
}

interface ParseContext {
  readonly source?: string;
}

/** Not in TypeScript's library yet. */
const { rawJSON: rawJson, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** A number, also one that `parseExactly` kept as it was written (`1.0`, `2e3`), as near as a double comes; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  // What looks otherwise is none that was kept: a call to the runtime for each would cost more than all the rest.
  if (typeof value !== "object" || value === null || !("rawJSON" in value)) return undefined;
  return isRawJSON(value) ? Number(value.rawJSON) : undefined;
}

function keepNumber(_key: string, value: unknown, context?: ParseContext): unknown {
  if (typeof value !== "number" || context?.source === undefined || String(value) === context.source) return value;
  return rawJson(context.source);
}
