// The events of a chat stream, one string for each.

import type { Asked } from "../asked.ts";

/** Seconds since the epoch; constant, so that equal requests get equal bytes. */
export const created = 1_767_225_600;

export const done = "data: [DONE]\n\n";

/** Fields that a chat answer and each of its stream events begin with. */
export function chatEnvelope(asked: Asked, object: "chat.completion" | "chat.completion.chunk"): object {
  return { id: `chatcmpl-simulated-${asked.model}`, object, created, model: asked.model };
}

/** An event with this data. */
export function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** A chunk event; the parts given in `change` replace the right ones. */
export function deltaEvent(asked: Asked, delta: object, change: object = {}, index = 0): string {
  const choices = [{ index, delta, finish_reason: null }];
  return event({ ...chatEnvelope(asked, "chat.completion.chunk"), choices, ...change });
}

export function roleEvent(asked: Asked, index = 0): string {
  return deltaEvent(asked, { role: "assistant", content: "" }, {}, index);
}

export function finishEvent(asked: Asked, reason: string, change: object = {}, index = 0): string {
  return deltaEvent(asked, {}, { choices: [{ index, delta: {}, finish_reason: reason }], ...change });
}
