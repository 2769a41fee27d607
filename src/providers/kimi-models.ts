// What Moonshot's Kimi models refuse in a chat request, whichever of their two APIs serves them.

import type { ChatShape } from "./provider-type.ts";
import { chatShape } from "./chat-shape.ts";
import { flatReasoningEffort, keepEffort } from "./reasoning-effort.ts";
import type { RequestFields } from "./request-fields.ts";

/** `k3`, `kimi-k2.6`, `kimi-k3`, `kimi-for-coding`: their sampling is fixed, and any other value is a 400. Not `kimi-k2-0905`, `moonshot-v1-8k`. */
const fixedSampling = /^(?:kimi-)?k(?:2\.[5-9]|2p[5-9]|[3-9])|^kimi-(?:for-coding|k2-thinking)/i;
const samplingFields = ["temperature", "top_p", "presence_penalty", "frequency_penalty"];

/** Goes by the model id. Sampling is dropped as behaviour 3.6 has it for OpenAI's reasoning models; the effort has one spelling. */
export function shapeKimiChat(model: string, fields: RequestFields): ChatShape | undefined {
  const dropped = fixedSampling.test(model) ? samplingFields.filter((key) => fields.has(key)) : [];
  return chatShape([
    ...flatReasoningEffort(fields, keepEffort),
    ...dropped.map((key) => ({ kind: "remove", key }) as const),
  ]);
}

/** Those that think. */
export function kimiNeedsThoughts(model: string): boolean {
  return fixedSampling.test(model);
}
