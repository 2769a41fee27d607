// A whole answer of the hub for a caller of chat completions.

import type { AnswerChoice, ChatAnswer } from "../../core/chat-answer.ts";
import type { AssistantPart, ReasoningPart } from "../../core/chat-request.ts";
import type { AnswerContext } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { encodeAnnotation } from "./annotations.ts";
import { encodeToolCall } from "./encode-tool-calls.ts";
import { extraOfReasoning, extraOfThought, joinExtra } from "./extra-content.ts";
import { finishReasonText } from "./finish-reasons.ts";
import { isLegacyCaller } from "./legacy-caller.ts";
import { usageObject } from "./usage-object.ts";

const encoder = new TextEncoder();

/** https://platform.openai.com/docs/api-reference/chat/object; every member that clients ask for is there. */
export function encodeChatAnswer(answer: ChatAnswer, context: AnswerContext): Uint8Array {
  const { usage, serviceTier } = answer;
  const body = {
    ...answer.unknown,
    id: filled(answer.id) ?? `chatcmpl-${context.newId()}`,
    object: "chat.completion",
    created: answer.created ?? context.now,
    model: filled(answer.model) ?? context.request.model,
    choices: answer.choices.map((choice) => encodeChoice(choice, context)),
    ...(usage === undefined ? {} : { usage: usageObject(usage) }),
    ...(serviceTier === undefined ? {} : { service_tier: serviceTier }),
    provider: context.providerType,
  };
  return encoder.encode(JSON.stringify(body));
}

/** Clients take an empty text for a missing one. */
export function filled(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function encodeChoice(choice: AnswerChoice, context: AnswerContext): JsonObject {
  const legacy = isLegacyCaller(context.request);
  const logprobs = choice.parts.flatMap((part) => (part.kind === "text" ? (part.logprobs ?? []) : []));
  return {
    ...choice.unknown,
    index: choice.index,
    message: encodeMessage(choice.parts, legacy, context),
    logprobs: logprobs.length === 0 ? null : { content: logprobs, refusal: null },
    finish_reason: finishReasonText(choice.finish, legacy),
  };
}

function encodeMessage(parts: readonly AssistantPart[], legacy: boolean, context: AnswerContext): JsonObject {
  const said = encodeSaid(parts);
  const reasoning = parts.filter((part): part is ReasoningPart => part.kind === "reasoning");
  const thoughts = reasoning.map(({ text }) => text).filter((text) => text !== "");
  const calls = parts.flatMap((part) =>
    part.kind === "tool-call" ? [part.id === "" ? { ...part, id: `call_${context.newId()}` } : part] : [],
  );
  const encodedCalls = calls.map((call) => encodeToolCall(call, undefined));
  const refusal = parts.flatMap((part) => (part.kind === "refusal" ? [part.text] : [])).join("");
  const textState = parts.findLast((part) => part.kind === "text" && part.state !== undefined);
  const thought =
    textState?.kind === "text" && textState.state !== undefined ? extraOfThought(textState.state) : undefined;
  const extra = joinExtra(extraOfReasoning(reasoning), thought);
  const hasOther = refusal !== "" || calls.length > 0;
  return {
    role: "assistant",
    content: said.content === "" && hasOther ? null : said.content,
    refusal: refusal === "" ? null : refusal,
    ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.join("\n\n") }),
    ...(said.annotations.length === 0 ? {} : { annotations: said.annotations }),
    ...audioIn(parts),
    ...(calls.length === 0 ? {} : legacy ? { function_call: encodedCalls[0]?.function } : { tool_calls: encodedCalls }),
    ...(extra === undefined ? {} : { extra_content: extra }),
  };
}

/** Texts are joined as they were said; what refers to one of them moves with it. */
function encodeSaid(parts: readonly AssistantPart[]): { readonly content: string; readonly annotations: JsonObject[] } {
  let content = "";
  const annotations: JsonObject[] = [];
  for (const part of parts) {
    if (part.kind !== "text") continue;
    for (const annotation of part.annotations ?? []) {
      const encoded = encodeAnnotation(annotation, content.length);
      if (encoded !== undefined) annotations.push(encoded);
    }
    content += part.text;
  }
  return { content, annotations };
}

function audioIn(parts: readonly AssistantPart[]): JsonObject {
  const audio = parts.find(
    (part) => part.kind === "opaque" && part.dialect === "chat-completions" && part.type === "audio",
  );
  if (audio?.kind === "opaque") return { audio: audio.value };
  const data = parts.find((part) => part.kind === "audio");
  return data?.kind === "audio" ? { audio: { data: data.data } } : {};
}
