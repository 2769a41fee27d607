// Events of Responses streams for tests, as https://platform.openai.com/docs/api-reference/responses-streaming shows them.

import { Cancellation } from "../../src/core/cancellation.ts";
import type { ModelRequest } from "../../src/core/model-request.ts";
import type { JsonObject } from "../../src/dialects/json/is-json-object.ts";
import { maxJsonDepth, scanObject } from "../../src/dialects/json/scan-object.ts";

export interface ResponseEvent extends JsonObject {
  readonly type: string;
  readonly sequence_number?: number;
}

export function responsesRequest(value: unknown): ModelRequest {
  const body = new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
  const members = scanObject(body, maxJsonDepth);
  if ("message" in members) throw new Error(members.message);
  return {
    id: "r",
    operation: "responses",
    model: "m",
    providerHint: undefined,
    stream: true,
    body,
    members,
    wantsStreamUsage: false,
    idempotencyKey: undefined,
    cancellation: new Cancellation(),
    deadline: undefined,
  };
}

export function writeEvents(events: readonly ResponseEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

export function parseEvents(text: string): readonly ResponseEvent[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => JSON.parse(block.slice(block.indexOf("data: ") + 6)) as ResponseEvent);
}

export function numberEvents(events: readonly ResponseEvent[]): readonly ResponseEvent[] {
  return events.map((event, index) => ({ ...event, sequence_number: index }));
}

export interface MessagePlan {
  readonly name: string;
  readonly pieces: readonly string[];
  readonly usage?: JsonObject;
}

/** A whole answer of one message: four events, one for each piece, and four more. */
export function messageEvents({ name, pieces, usage }: MessagePlan): readonly ResponseEvent[] {
  const text = pieces.join("");
  const id = `msg_${name}`;
  const at = { item_id: id, output_index: 0, content_index: 0 };
  const part = { type: "output_text", text, annotations: [] };
  const item = { id, type: "message", status: "completed", role: "assistant", content: [part] };
  const response = { id: `resp_${name}`, object: "response", created_at: name.length, model: name, output: [] };
  return numberEvents([
    { type: "response.created", response: { ...response, status: "in_progress" } },
    { type: "response.in_progress", response: { ...response, status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress", content: [] } },
    { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
    ...pieces.map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
    { type: "response.output_text.done", ...at, text, logprobs: [] },
    { type: "response.content_part.done", ...at, part },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { ...response, status: "completed", output: [item], usage } },
  ]);
}

/** What clients show of them. */
export function textOfEvents(events: readonly ResponseEvent[]): string {
  return events.map(({ type, delta }) => (type === "response.output_text.delta" ? String(delta) : "")).join("");
}
