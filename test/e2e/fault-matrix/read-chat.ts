// Reads chat completions as a caller of them does.

import { type ErrorEnd, isObject, keysOf, objectsIn, parsedObject, type StreamReader, textOf } from "./read-events.ts";

/** Ends in exactly one `[DONE]`, or in one error. */
export const readChatStream: StreamReader = (events) => {
  let text = "";
  let finished = false;
  const ids = new Set<string>();
  for (const { json } of events) {
    const id = textOf(json?.["id"]);
    // Azure's verdict on the prompt has none.
    if (id !== "") ids.add(id);
    const choice = firstChoice(json);
    if (choice === undefined) continue;
    text += saidIn(choice["delta"]);
    if (typeof choice["finish_reason"] === "string") finished = true;
  }
  const ends = events.map(({ data, json }) =>
    data === "[DONE]" ? ({ kind: "whole" } as const) : json === undefined ? undefined : errorEnd(json),
  );
  const count = ends.filter((end) => end !== undefined).length;
  const problems = count > 1 ? [`${count} ends`] : [];
  return { text, finished, end: count === 1 ? ends.at(-1) : undefined, ids: [...ids], problems, orderProblems: [] };
};

/** What the first choice of a document says; undefined when it is none. */
export function readChatDocument(body: string): string | undefined {
  const choice = firstChoice(parsedObject(body));
  return choice === undefined ? undefined : saidIn(choice["message"]);
}

/** The error of a document or of an event's data; undefined when it carries none. */
export function errorEnd(value: Record<string, unknown>): ErrorEnd | undefined {
  const isBare = Object.keys(value).length <= 4 && typeof value["message"] === "string" && !("choices" in value);
  const error = value["error"] ?? (isBare ? value : undefined);
  if (error === undefined) return undefined;
  if (!isObject(error)) return { kind: "error", code: undefined, type: undefined, param: undefined, isComplete: false };
  const { message, type, param, code } = error;
  const isComplete = keysOf(error) === "code,message,param,type" && textOf(message) !== "";
  return { kind: "error", code, type, param, isComplete };
}

function saidIn(message: unknown): string {
  return isObject(message) ? textOf(message["content"]) + textOf(message["refusal"]) : "";
}

function firstChoice(value: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  return objectsIn(value?.["choices"]).find((choice) => (choice["index"] ?? 0) === 0);
}
