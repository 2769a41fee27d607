// A whole answer of a provider that speaks Messages as an answer of the hub. https://platform.claude.com/docs/en/api/messages, "Response"

import { Buffer } from "node:buffer";
import type { ChatAnswer } from "../../core/chat-answer.ts";
import type { AssistantPart, ProviderState } from "../../core/chat-request.ts";
import type { AnswerOrigin } from "../../core/translation.ts";
import { changedType } from "../answers/unusable-answer.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject } from "../json/is-json-object.ts";
import { Members } from "../json/members.ts";
import { stateOfExtraContent } from "./carried-state.ts";
import { decodeCitations } from "./citations.ts";
import { decodeStop } from "./stop-reasons.ts";
import { readMessagesUsage } from "./usage.ts";

const { utf8Slice } = Buffer.prototype;

/** Documented members that say something only to those who speak the dialect. */
const ownMembers = ["type", "role", "container", "context_management", "diagnostics", "provider"];

/** Throws a 502 `Failure` for a member of the wrong type. */
export function decodeAnswer(bytes: Uint8Array, origin: AnswerOrigin): ChatAnswer {
  const message = membersOf(parseExactly(utf8Slice.call(bytes, 0, bytes.length)), origin);
  for (const name of ownMembers) message.value(name);
  const parts = (message.objects("content") ?? []).map((block) => decodeAnswerBlock(block, origin));
  const finish = decodeStop(message.text("stop_reason"), message.text("stop_sequence"));
  const refusal = refusalIn(message);
  const usage = message.object("usage")?.whole();
  return {
    id: message.text("id"),
    model: message.text("model"),
    serviceTier: serviceTierIn(usage),
    choices: [
      { index: 0, parts: refusal === undefined ? parts : [...parts, { kind: "refusal", text: refusal }], finish },
    ],
    usage: readMessagesUsage(usage),
    unknown: message.unknown(),
  };
}

/** Of an answer or of an event; what is no object is a changed type. */
export function membersOf(value: unknown, origin: AnswerOrigin): Members {
  const wrongType = (path: string, expected: string) => changedType(origin.providerName, `${path} is not ${expected}`);
  if (isJsonObject(value)) return new Members(value, "", wrongType);
  throw wrongType("the answer", "an object");
}

/** Why the model declined, where it says so. */
export function refusalIn(owner: Members): string | undefined {
  const details = owner.value("stop_details");
  const explanation = isJsonObject(details) && details.type === "refusal" ? details.explanation : undefined;
  return typeof explanation === "string" && explanation !== "" ? explanation : undefined;
}

export function serviceTierIn(usage: JsonObject | undefined): string | undefined {
  return typeof usage?.service_tier === "string" ? usage.service_tier : undefined;
}

/** State is the provider's own, whatever it looks like. An empty signature is none. */
export function ownState(
  kind: ProviderState["kind"],
  value: string | undefined,
  origin: AnswerOrigin,
): ProviderState | undefined {
  return value === undefined || value === "" ? undefined : { issuer: origin.issuer, kind, value };
}

function decodeAnswerBlock(block: Members, origin: AnswerOrigin): AssistantPart {
  const type = block.text("type") ?? "";
  switch (type) {
    case "text": {
      const annotations = decodeCitations(block.list("citations"));
      return { kind: "text", text: block.text("text") ?? "", annotations, unknown: block.unknown() };
    }
    case "thinking": {
      const text = block.text("thinking") ?? "";
      const state = ownState("signature", block.text("signature"), origin);
      return { kind: "reasoning", text, state, unknown: block.unknown() };
    }
    case "redacted_thinking": {
      const state = ownState("redacted", block.text("data"), origin);
      return { kind: "reasoning", text: "", state, unknown: block.unknown() };
    }
    case "tool_use": {
      block.value("caller");
      return {
        kind: "tool-call",
        id: block.text("id") ?? "",
        name: block.text("name") ?? "",
        arguments: JSON.stringify(block.object("input")?.whole() ?? {}),
        toolKind: "function",
        state: stateOfExtraContent(block.value("extra_content")),
        unknown: block.unknown(),
      };
    }
  }
  return { kind: "opaque", dialect: "messages", type, value: block.whole() };
}
