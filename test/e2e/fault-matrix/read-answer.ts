// Reads what a caller got by the letter of the formats, apart from the gateway's own readers.

export interface ErrorEnvelope {
  readonly message: unknown;
  readonly type: unknown;
  readonly param: unknown;
  readonly code: unknown;
}

export interface ReadEvents {
  /** Of the first choice. */
  readonly text: string;
  /** A finish reason of the first choice came. */
  readonly finished: boolean;
  /** Data of each event, in order; comments and empty ones are none. */
  readonly data: readonly string[];
  /** Of the chunks, each once. */
  readonly ids: readonly string[];
  /** What follows the last blank line. */
  readonly rest: string;
}

/** A stream, as far as it came. */
export function readEvents(body: string): ReadEvents {
  const plain = body.replace(/^\ufeff/, "").replaceAll(/\r\n|\r/g, "\n");
  const blocks = plain.split("\n\n");
  const rest = (blocks.pop() ?? "").replace(/^\n+/, "");
  const data = blocks.map(dataOf).filter((value) => value !== "");
  let text = "";
  let finished = false;
  const ids = new Set<string>();
  for (const value of data) {
    const chunk = parsed(value);
    if (isObject(chunk) && typeof chunk["id"] === "string") ids.add(chunk["id"]);
    const choice = firstChoice(chunk);
    if (choice === undefined) continue;
    const delta = isObject(choice["delta"]) ? choice["delta"] : {};
    if (typeof delta["content"] === "string") text += delta["content"];
    if (typeof choice["finish_reason"] === "string") finished = true;
  }
  return { text, finished, data, ids: [...ids], rest };
}

function dataOf(block: string): string {
  const lines = block.split("\n").flatMap((line) => {
    const match = /^data(?:: ?(.*))?$/s.exec(line);
    return match === null ? [] : [match[1] ?? ""];
  });
  return lines.join("\n");
}

function firstChoice(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value) || !Array.isArray(value["choices"])) return undefined;
  const choices: readonly unknown[] = value["choices"];
  return choices.filter(isObject).find((choice) => (choice["index"] ?? 0) === 0);
}

/** The text of the first choice of a document; undefined when it is none. */
export function readDocument(body: string): string | undefined {
  const choice = firstChoice(parsed(body));
  if (choice === undefined) return undefined;
  const message = isObject(choice["message"]) ? choice["message"] : {};
  return typeof message["content"] === "string" ? message["content"] : "";
}

/** The error that a document or an event's data carries; undefined when it carries none. */
export function errorOf(text: string): unknown {
  const value = parsed(text);
  if (!isObject(value)) return undefined;
  const only = Object.keys(value).length <= 4 && typeof value["message"] === "string" && !("choices" in value);
  return value["error"] ?? (only ? value : undefined);
}

/** The envelope when all four members are there and nothing else is. */
export function envelopeOf(error: unknown): ErrorEnvelope | undefined {
  if (!isObject(error)) return undefined;
  const { message, type, param, code } = error;
  const keys = Object.keys(error).toSorted().join();
  return keys === "code,message,param,type" ? { message, type, param, code } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
