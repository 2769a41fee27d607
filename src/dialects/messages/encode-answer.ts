// A model's answer as the message for a caller who speaks Messages. https://platform.claude.com/docs/en/api/messages, "Response"

import type { ChatAnswer, Finish } from "../../core/chat-answer.ts";
import type { AnswerContext } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { encodeAnswerPart } from "./answer-blocks.ts";
import { encodeUsage, estimatedUsage } from "./hub-usage.ts";
import { encodeStop } from "./stop-reasons.ts";
import { createAnswerIds } from "./tool-ids.ts";

const encoder = new TextEncoder();
const noFinish: Finish = { reason: "unknown" };

/** A message is one answer: of several choices the first. */
export function encodeAnswer(answer: ChatAnswer, context: AnswerContext): Uint8Array {
  const [choice] = answer.choices;
  const parts = choice?.parts ?? [];
  const finish = choice?.finish ?? noFinish;
  const { usage, serviceTier } = answer;
  const idOf = createAnswerIds(context.newId);
  const message = {
    ...messageHead(answer, context),
    content: parts.flatMap((part) => encodeAnswerPart(part, idOf)),
    stop_reason: encodeStop(finish, {
      hasToolCalls: parts.some((part) => part.kind === "tool-call"),
      hasRefusal: parts.some((part) => part.kind === "refusal"),
    }),
    stop_sequence: finish.stopSequence ?? null,
    usage:
      usage === undefined
        ? estimatedUsage(context.estimateInputTokens(), serviceTier)
        : encodeUsage(usage, serviceTier),
    provider: context.providerType,
  };
  return encoder.encode(JSON.stringify(message));
}

/** What the answer says of itself before its content, whole and in `message_start`. */
export function messageHead(
  told: { readonly id?: string; readonly model?: string; readonly unknown?: JsonObject },
  context: AnswerContext,
): JsonObject {
  const { model, unknown } = told;
  const id = told.id === undefined || told.id === "" ? context.newId() : told.id;
  return {
    ...unknown,
    // Clients tell messages by this beginning; what follows stays the provider's.
    id: id.startsWith("msg_") ? id : `msg_${id}`,
    type: "message",
    role: "assistant",
    model: model ?? context.request.model,
  };
}
