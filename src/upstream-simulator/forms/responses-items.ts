// The items of a response, whole and as the events that add up to them.
// Members and their order: https://platform.openai.com/docs/api-reference/responses-streaming

import type { JsonObject } from "../answer-forms.ts";
import { wholeOf, type SaidCall, type SaidPart } from "../said.ts";

/** An event but for its number. */
interface ItemEvent {
  readonly isPiece: boolean;
  readonly data: { readonly type: string } & JsonObject;
}

export interface ResponseItem {
  readonly whole: JsonObject;
  readonly events: readonly ItemEvent[];
}

/** What a provider alone can read; it decodes as base64. */
const encryptedReasoning = "gAAAAABzaW11bGF0ZWQgcmVhc29uaW5n";

const around = (type: string, members: JsonObject): ItemEvent => ({ isPiece: false, data: { type, ...members } });
const piece = (type: string, members: JsonObject): ItemEvent => ({ isPiece: true, data: { type, ...members } });

/** `status` is that of the whole item. */
export function responseItem(part: SaidPart, index: number, status: "completed" | "incomplete"): ResponseItem {
  switch (part.kind) {
    case "text":
      return message(part, index, status, {
        event: "output_text",
        ownPart: (text) => ({ type: "output_text", annotations: [], logprobs: [], text }),
        extra: { logprobs: [] },
        member: "text",
      });
    case "refusal":
      return message(part, index, status, {
        event: "refusal",
        ownPart: (refusal) => ({ type: "refusal", refusal }),
        extra: {},
        member: "refusal",
      });
    case "reasoning":
      return reasoning(part, index);
    case "call":
      return call(part, index, status);
  }
}

interface PartForm {
  readonly event: string;
  readonly ownPart: (text: string) => JsonObject;
  /** Members that each of its own events has. */
  readonly extra: JsonObject;
  readonly member: string;
}

function message(part: SaidPart, index: number, status: string, form: PartForm): ResponseItem {
  const start = { id: `msg_${index + 1}`, type: "message" };
  const place = { item_id: start.id, output_index: index, content_index: 0 };
  const text = wholeOf(part);
  const whole = { ...start, status, content: [form.ownPart(text)], role: "assistant" };
  const added = { ...start, status: "in_progress", content: [], role: "assistant" };
  return {
    whole,
    events: [
      around("response.output_item.added", { output_index: index, item: added }),
      around("response.content_part.added", { ...place, part: form.ownPart("") }),
      ...part.pieces.map((delta) => piece(`response.${form.event}.delta`, { ...place, delta, ...form.extra })),
      around(`response.${form.event}.done`, { ...place, [form.member]: text, ...form.extra }),
      around("response.content_part.done", { ...place, part: form.ownPart(text) }),
      around("response.output_item.done", { output_index: index, item: whole }),
    ],
  };
}

function reasoning(part: SaidPart, index: number): ResponseItem {
  const start = { id: `rs_${index + 1}`, type: "reasoning" };
  const place = { item_id: start.id, output_index: index, summary_index: 0 };
  const text = wholeOf(part);
  const summary = { type: "summary_text", text };
  const whole = { ...start, summary: [summary], encrypted_content: encryptedReasoning };
  return {
    whole,
    events: [
      around("response.output_item.added", { output_index: index, item: { ...start, summary: [] } }),
      around("response.reasoning_summary_part.added", { ...place, part: { ...summary, text: "" } }),
      ...part.pieces.map((delta) => piece("response.reasoning_summary_text.delta", { ...place, delta })),
      around("response.reasoning_summary_text.done", { ...place, text }),
      around("response.reasoning_summary_part.done", { ...place, part: summary }),
      around("response.output_item.done", { output_index: index, item: whole }),
    ],
  };
}

function call(part: SaidCall, index: number, status: string): ResponseItem {
  const item = (args: string, itemStatus: string): JsonObject => ({
    id: `fc_${index + 1}`,
    type: "function_call",
    status: itemStatus,
    arguments: args,
    call_id: part.id,
    name: part.name,
  });
  const place = { item_id: `fc_${index + 1}`, output_index: index };
  const args = wholeOf(part);
  return {
    whole: item(args, status),
    events: [
      around("response.output_item.added", { output_index: index, item: item("", "in_progress") }),
      ...part.pieces.map((delta) => piece("response.function_call_arguments.delta", { ...place, delta })),
      around("response.function_call_arguments.done", { ...place, arguments: args }),
      around("response.output_item.done", { output_index: index, item: item(args, status) }),
    ],
  };
}
