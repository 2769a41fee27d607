// Reads what a caller got by the letter of the formats, apart from the gateway's own readers.

export interface ErrorEnvelope {
  readonly message: string;
  readonly type: string;
  readonly code: string | number | null;
}

export interface ReadStream {
  /** Of the first choice. */
  readonly text: string;
  /** Data of each event, in order; comments and empty ones are none. */
  readonly data: readonly string[];
  /** What follows the last blank line. */
  readonly rest: string;
}

/** A stream, as far as it came. */
export function readStream(body: string): ReadStream {
  const plain = body.replace(/^\ufeff/, "").replaceAll(/\r\n|\r/g, "\n");
  const blocks = plain.split("\n\n");
  const rest = (blocks.pop() ?? "").replace(/^\n+/, "");
  const data = blocks.map(dataOf).filter((value) => value !== "");
  const text = data.map((value) => textOf(parsed(value), "delta") ?? "").join("");
  return { text, data, rest };
}

function dataOf(block: string): string {
  return block
    .split("\n")
    .flatMap((line) => {
      const match = /^data(?:: ?(.*))?$/s.exec(line);
      return match === null ? [] : [match[1] ?? ""];
    })
    .join("\n");
}

/** The text of a document's first choice, empty where it has none; undefined when it is no answer. */
export function readDocument(body: string): string | undefined {
  return textOf(parsed(body), "message");
}

function textOf(value: unknown, member: "delta" | "message"): string | undefined {
  if (!isObject(value) || !Array.isArray(value["choices"])) return undefined;
  const choices: readonly unknown[] = value["choices"];
  const choice = choices.filter(isObject).find((candidate) => (candidate["index"] ?? 0) === 0);
  if (choice === undefined) return undefined;
  const message = choice[member];
  const content = isObject(message) ? message["content"] : undefined;
  return typeof content === "string" ? content : "";
}

/** The error that a document or an event's data carries, whatever its form; undefined when it carries none. */
export function errorIn(text: string): unknown {
  const value = parsed(text);
  if (!isObject(value)) return undefined;
  const bare = typeof value["message"] === "string" && !("choices" in value);
  return value["error"] ?? (bare ? value : undefined);
}

/** An error that has all four members of the envelope and a message. */
export function envelopeOf(error: unknown): ErrorEnvelope | undefined {
  if (!isObject(error) || !("param" in error)) return undefined;
  const { message, type, code } = error;
  if (typeof message !== "string" || message === "" || typeof type !== "string") return undefined;
  return isCode(code) ? { message, type, code } : undefined;
}

/** What can be said of an error of any form. */
export function looseError(error: unknown): { readonly message: string; readonly code: string | number | null } {
  if (!isObject(error)) return { message: typeof error === "string" ? error : JSON.stringify(error), code: null };
  const { message, code } = error;
  return { message: typeof message === "string" ? message : "", code: isCode(code) ? code : null };
}

function isCode(value: unknown): value is string | number | null {
  return value === null || typeof value === "string" || typeof value === "number";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
