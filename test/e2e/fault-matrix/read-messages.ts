// Reads Messages as a caller of them does: https://docs.anthropic.com/en/api/messages-streaming

import {
  type ErrorEnd,
  isObject,
  keysOf,
  objectsIn,
  parsedObject,
  type SentEvent,
  type StreamEnd,
  type StreamReader,
  textOf,
} from "./read-events.ts";

/** Ends in one `message_stop` or one `error`. */
export const readMessagesStream: StreamReader = (events) => {
  let text = "";
  let finished = false;
  const ids = new Set<string>();
  for (const { json } of events) {
    if (json === undefined) continue;
    const { type, delta, message } = json;
    if (type === "content_block_delta" && isObject(delta)) text += textOf(delta["text"]);
    if (type === "message_delta" && isObject(delta) && typeof delta["stop_reason"] === "string") finished = true;
    if (type === "message_start" && isObject(message)) ids.add(textOf(message["id"]));
  }
  const ends = events.map(endOf);
  const count = ends.filter((end) => end !== undefined).length;
  const isDone = events.some(({ data }) => data === "[DONE]");
  const problems = [...(count > 1 ? [`${count} ends`] : []), ...(isDone ? ["a [DONE]"] : [])];
  return {
    text,
    finished,
    end: problems.length === 0 ? ends.at(-1) : undefined,
    ids: [...ids],
    problems: problems.length === 0 && count === 1 && ends.at(-1) === undefined ? ["events after the end"] : problems,
    orderProblems: orderProblems(events),
  };
};

/** What the blocks of a message say; undefined when it is none. */
export function readMessagesDocument(body: string): string | undefined {
  const message = parsedObject(body);
  if (message === undefined || message["type"] !== "message" || !Array.isArray(message["content"])) return undefined;
  return objectsIn(message["content"])
    .filter(({ type }) => type === "text")
    .map((block) => textOf(block["text"]))
    .join("");
}

/** `{"type":"error","error":{"type","message"},"request_id"}`, https://docs.anthropic.com/en/api/errors */
export function readMessagesError(body: string): ErrorEnd | undefined {
  const value = parsedObject(body);
  if (value === undefined || value["type"] !== "error") return undefined;
  const end = errorOf(value);
  const isComplete = end.isComplete && keysOf(value) === "error,request_id,type" && textOf(value["request_id"]) !== "";
  return { ...end, isComplete };
}

function endOf({ json, name }: SentEvent): StreamEnd | undefined {
  if (json?.["type"] === "message_stop") return { kind: "whole" };
  return json?.["type"] === "error" || name === "error" ? errorOf(json ?? {}) : undefined;
}

function errorOf({ error }: Record<string, unknown>): ErrorEnd {
  const { type, message, code } = isObject(error) ? error : {};
  const isComplete = textOf(type) !== "" && textOf(message) !== "";
  return { kind: "error", code, type, param: undefined, isComplete };
}

/** The message begins first, blocks are open one at a time and counted up, and all are closed before the reason of the end. */
function orderProblems(events: readonly SentEvent[]): string[] {
  const problems: string[] = [];
  let open: unknown;
  let blocks = 0;
  const types = events.map(({ json }) => textOf(json?.["type"])).filter((type) => type !== "ping");
  const named = events.find(({ json, name }) => json !== undefined && json["type"] !== name);
  if (named !== undefined) problems.push(`an event named ${named.name} of type ${String(named.json?.["type"])}`);
  if (types.length > 0 && types[0] !== "message_start" && types[0] !== "error")
    problems.push(`begins with ${types[0]}`);
  for (const { json = {} } of events) {
    const { type, index } = json;
    switch (type) {
      case "content_block_start":
        if (open !== undefined || index !== blocks) problems.push(`block ${String(index)} begins after ${blocks}`);
        open = index;
        blocks += 1;
        break;
      case "content_block_delta":
        if (open !== index) problems.push(`a delta of block ${String(index)}, which is not open`);
        break;
      case "content_block_stop":
        if (open !== index) problems.push(`block ${String(index)} ends, which is not open`);
        open = undefined;
        break;
      case "message_delta":
        if (open !== undefined) problems.push("the message ends inside a block");
        break;
      case "message_stop":
        if (types.at(-2) !== "message_delta") problems.push(`message_stop after ${types.at(-2)}`);
        break;
    }
  }
  return problems;
}
