// Reads Responses as a caller of them does: https://platform.openai.com/docs/api-reference/responses-streaming

import {
  type ErrorEnd,
  isObject,
  objectsIn,
  parsedObject,
  type SentEvent,
  type StreamEnd,
  type StreamReader,
  textOf,
} from "./read-events.ts";

/** Ends in one terminal response, or in `error` and `response.failed`, which together are one. */
export const readResponsesStream: StreamReader = (sent) => {
  const events = withoutDone(sent);
  const ids = new Set<string>();
  const types = events.map(typeOf);
  for (const { json } of events) {
    const response = json?.["response"];
    const id = isObject(response) ? textOf(response["id"]) : "";
    if (id !== "") ids.add(id);
  }
  const text = textIn(events);
  const ends = types.filter((type) => /^(?:error|response\.(?:completed|incomplete|failed))$/.test(type));
  const end = endOf(events.at(-2), events.at(-1));
  const problems = end === undefined && ends.length === 0 ? [] : endProblems(ends, end, events.at(-1), text);
  return {
    text,
    finished: end?.kind === "whole",
    end: problems.length > 0 ? undefined : end,
    ids: [...ids],
    problems,
    orderProblems: [...numberProblems(events), ...nameProblems(events)],
  };
};

/** What the messages of a response say; undefined when it is none, or has not ended well. */
export function readResponsesDocument(body: string): string | undefined {
  const response = parsedObject(body);
  if (response === undefined || response["object"] !== "response") return undefined;
  if (response["status"] !== "completed" && response["status"] !== "incomplete") return undefined;
  return outputText(response);
}

/** A translated answer has `[DONE]` behind its end (behaviour 4.4). */
function withoutDone(events: readonly SentEvent[]): readonly SentEvent[] {
  const isTold = /^response\.(?:completed|incomplete)$/.test(textOf(events.at(-2)?.json?.["type"]));
  return isTold && events.at(-1)?.data === "[DONE]" ? events.slice(0, -1) : events;
}

function typeOf({ json, name }: SentEvent): string {
  return textOf(json?.["type"]) || name;
}

function outputText({ output }: Record<string, unknown>): string {
  return objectsIn(output)
    .filter(({ type }) => type === "message")
    .map(({ content }) =>
      typeof content === "string"
        ? content
        : objectsIn(content)
            .map((part) => textOf(part["text"]) + textOf(part["refusal"]))
            .join(""),
    )
    .join("");
}

/** Deltas; of a part without any, the text that ends it. */
function textIn(events: readonly SentEvent[]): string {
  let text = "";
  const withDeltas = new Set<string>();
  for (const { json } of events) {
    if (json === undefined) continue;
    const place = `${String(json["output_index"])}/${String(json["content_index"])}`;
    switch (json["type"]) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        text += textOf(json["delta"]);
        withDeltas.add(place);
        break;
      case "response.output_text.done":
      case "response.refusal.done":
        if (!withDeltas.has(place)) text += textOf(json["text"]) + textOf(json["refusal"]);
        break;
    }
  }
  return text;
}

function endOf(before: SentEvent | undefined, last: SentEvent | undefined): StreamEnd | undefined {
  if (last === undefined) return undefined;
  const type = typeOf(last);
  if (type === "response.completed" || type === "response.incomplete") return { kind: "whole" };
  if (type !== "response.failed" || before === undefined || typeOf(before) !== "error") return undefined;
  return errorOf(before.json ?? {}, last.json?.["response"]);
}

/** Flat and nested members say the same; the failed response has a code and a message. */
function errorOf(event: Record<string, unknown>, response: unknown): ErrorEnd {
  const { code, message, param, error: nested } = event;
  const failed = isObject(response) && response["status"] === "failed" ? response["error"] : undefined;
  const isComplete =
    textOf(message) !== "" &&
    isObject(nested) &&
    nested["code"] === code &&
    nested["message"] === message &&
    nested["param"] === param &&
    textOf(nested["type"]) !== "" &&
    isObject(failed) &&
    textOf(failed["code"]) !== "" &&
    failed["message"] === message;
  return { kind: "error", code, param, type: isObject(nested) ? nested["type"] : undefined, isComplete };
}

function endProblems(
  ends: readonly string[],
  end: StreamEnd | undefined,
  last: SentEvent | undefined,
  text: string,
): string[] {
  const wanted = end?.kind === "error" ? 2 : 1;
  if (end === undefined || ends.length !== wanted) return [`ends: ${ends.join()}, the last event is ${last?.data}`];
  const response = last?.json?.["response"];
  if (end.kind === "error" || !isObject(response)) return [];
  const whole = outputText(response);
  return objectsIn(response["output"]).length === 0 || whole === text
    ? []
    : [`the response at the end says ${JSON.stringify(whole)}, its events say ${JSON.stringify(text)}`];
}

/** From 0 on, without a gap; events that nobody knows have none. */
function numberProblems(events: readonly SentEvent[]): string[] {
  const numbers = events.flatMap(({ json }) => {
    const number = json?.["sequence_number"];
    return typeof number === "number" ? [number] : [];
  });
  const isGapless = numbers.every((number, index) => number === index);
  const known = events.filter(({ json }) => /^(?:response\.|error$)/.test(textOf(json?.["type"]))).length;
  return isGapless && numbers.length === known ? [] : [`sequence numbers of ${known} events: ${numbers.join()}`];
}

function nameProblems(events: readonly SentEvent[]): string[] {
  const odd = events.find(({ json, name }) => json !== undefined && json["type"] !== name);
  return odd === undefined ? [] : [`an event named ${odd.name} of type ${String(odd.json?.["type"])}`];
}
