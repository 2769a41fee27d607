// A whole chat answer as one of the hub; what is missing is empty, what has another type than it always had is an error.

import type { AnswerChoice, ChatAnswer } from "../../core/chat-answer.ts";
import type { AssistantPart, ReasoningPart, TextPart } from "../../core/chat-request.ts";
import type { AnswerOrigin } from "../../core/translation.ts";
import { changedType, noChoices } from "../answers/unusable-answer.ts";
import { readUsage } from "../answers/usage.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { Members } from "../json/members.ts";
import { readAnnotations } from "./annotations.ts";
import { derivedCallId } from "./call-id.ts";
import { decodeAssistantContent } from "./decode-chat-content.ts";
import { argumentsOf, decodeToolCalls } from "./decode-tool-calls.ts";
import { takeReasoningBlocks, takeThought } from "./extra-content.ts";
import { finishOf } from "./finish-reasons.ts";
import { partsOfDetails, readReasoningDetails } from "./reasoning-details.ts";
import { isThinkingPart, reasoningTextIn, thinkingText } from "./reasoning-text.ts";
import { usageFamilyOf } from "./usage-object.ts";

const decoder = new TextDecoder();

/** Of a choice: its end in the provider's own words, or its text a second time (Together). */
const repeatedInChoice = ["native_finish_reason", "text", "seed"];

/** Of a body that the dialect's reader has found whole. Throws a `Failure` of origin `answer` for a member of the wrong type. */
export function decodeChatAnswer(body: Uint8Array, origin: AnswerOrigin): ChatAnswer {
  const parsed = parseExactly(decoder.decode(body));
  if (!isJsonObject(parsed)) throw changedType(origin.providerName, "the answer is not an object");
  const answer = new Members(parsed, "", (path, expected) =>
    changedType(origin.providerName, `${path} is not ${expected}`),
  );
  for (const key of ["object", "provider", "system_fingerprint", "error"]) answer.value(key);
  const id = answer.text("id");
  const model = answer.text("model");
  // Nothing depends on these two: of another type they are as good as absent.
  const created = answer.value("created");
  const serviceTier = answer.value("service_tier");
  const usage = readUsage(answer.value("usage"), usageFamilyOf(origin.providerType));
  const choices = answer.objects("choices");
  if (choices === undefined || choices.length === 0) throw noChoices();
  const decoded = choices.map((choice, index) => decodeChoice(choice, index, id, origin));
  const unknown = answer.unknown();
  return {
    ...(id === undefined || id === "" ? {} : { id }),
    ...(model === undefined || model === "" ? {} : { model }),
    ...(typeof created === "number" ? { created } : {}),
    ...(typeof serviceTier === "string" ? { serviceTier } : {}),
    choices: decoded,
    ...(usage === undefined ? {} : { usage }),
    ...(unknown === undefined ? {} : { unknown }),
  };
}

function decodeChoice(choice: Members, position: number, id: string | undefined, origin: AnswerOrigin): AnswerChoice {
  const index = choice.number("index") ?? position;
  const message = choice.object("message");
  const logprobs = logprobsIn(choice.value("logprobs"));
  const parts = message === undefined ? [] : decodeMessage(message, index, id, origin);
  for (const key of repeatedInChoice) choice.value(key);
  const finish = finishOf({
    reason: choice.text("finish_reason"),
    matched: choice.value("stop_reason") ?? choice.value("matched_stop"),
    hasToolCalls: parts.some(({ kind }) => kind === "tool-call"),
  });
  choice.value("matched_stop");
  const unknown = choice.unknown();
  return {
    index,
    parts: logprobs === undefined ? parts : editText(parts, { logprobs }),
    finish,
    ...(unknown === undefined ? {} : { unknown }),
  };
}

function logprobsIn(logprobs: unknown): readonly unknown[] | undefined {
  const content = isJsonObject(logprobs) ? logprobs.content : undefined;
  return Array.isArray(content) && content.length > 0 ? content : undefined;
}

function decodeMessage(
  message: Members,
  choice: number,
  answerId: string | undefined,
  origin: AnswerOrigin,
): readonly AssistantPart[] {
  message.value("role");
  let parts = decodeAssistantContent(message, (part, earlier) => {
    if (!isThinkingPart(part)) return false;
    const text = thinkingText(part);
    if (text !== "") earlier.push({ kind: "reasoning", text });
    return true;
  });
  const refusal = message.text("refusal");
  if (refusal !== undefined && refusal !== "") parts.push({ kind: "refusal", text: refusal });
  const annotations = readAnnotations(message.value("annotations"));
  if (annotations.length > 0) parts = editText(parts, { annotations });
  const state = takeThought(message);
  if (state !== undefined) parts = editText(parts, { state });
  parts.push(...audioIn(message));
  const calls = decodeToolCalls(message, (call) => derivedCallId(answerId, choice, call));
  const legacy = message.object("function_call");
  if (legacy !== undefined && calls.length === 0) {
    const name = legacy.text("name") ?? "";
    const text = argumentsOf(legacy, "arguments");
    const callId = derivedCallId(answerId, choice, 0);
    calls.push({ kind: "tool-call", id: callId, name, arguments: text, toolKind: "function" });
  }
  return [...reasoningIn(message, origin), ...parts, ...calls];
}

function reasoningIn(message: Members, origin: AnswerOrigin): readonly ReasoningPart[] {
  const text = reasoningTextIn(message);
  const blocks = takeReasoningBlocks(message);
  const details = partsOfDetails(readReasoningDetails(message.value("reasoning_details"), origin.issuer));
  if (blocks.length > 0) return blocks;
  if (details.some((part) => part.text !== "")) return details;
  return text === "" ? details : [{ kind: "reasoning", text }, ...details];
}

/** https://platform.openai.com/docs/guides/audio: the format is the one that the request named. */
function audioIn(message: Members): readonly AssistantPart[] {
  const audio = message.value("audio");
  if (!isJsonObject(audio)) return [];
  return [{ kind: "opaque", dialect: "chat-completions", type: "audio", value: audio }];
}

/** The first text, or a new empty one when there is none to carry it. */
function editText(parts: readonly AssistantPart[], members: Partial<TextPart>): AssistantPart[] {
  const first = parts.findIndex(({ kind }) => kind === "text");
  if (first < 0) return [...parts, { kind: "text", text: "", ...members }];
  return parts.map((part, index) => (index === first && part.kind === "text" ? { ...part, ...members } : part));
}
