// xAI: which Grok takes which effort, and the conversation id that keeps its prompt cache warm.

import { createHash } from "node:crypto";
import { chatShape } from "./chat-shape.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";
import { dropEffort, flatReasoningEffort, nestedReasoningEffort } from "./reasoning-effort.ts";
import { isObject } from "./request-fields.ts";
import type { RequestFields } from "./request-fields.ts";

export const xai: ProviderType = {
  info: {
    type: "xai",
    defaultBaseUrl: "https://api.x.ai/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true, responses: true }),
    usage: { reasoningIsExtra: true, reportedCost: "xai_cost_in_usd_ticks" },
    callHeaders(call) {
      const conversation = call.callerHeader("x-grok-conv-id") ?? conversationOf(call.fields);
      return conversation === undefined ? [] : [["x-grok-conv-id", conversation]];
    },
    shapeChat: (model, fields) => chatShape(flatReasoningEffort(fields, effortTranslation(model))),
    shapeResponses: (model, fields) => nestedReasoningEffort(fields, effortTranslation(model)),
  }),
};

const refusesEffort = /-non-reasoning|grok-build|grok-2|grok-3(?!-mini)/i;

function effortTranslation(model: string): (effort: string) => string | undefined {
  if (refusesEffort.test(model)) return dropEffort;
  const highest = /multi-agent/i.test(model) || grokVersion(model) >= 4.6 ? "xhigh" : "high";
  return (effort) => (effort === "xhigh" || effort === "max" ? highest : effort);
}

/** `grok-4.6` 4.6, `grok-4-1-fast` 4.1, `grok-4-0709` 4, `grok-4.20` 4.2: xAI's versions are decimals, 4.20 came before 4.3. */
function grokVersion(model: string): number {
  const match = /grok-(\d+)(?:\.(\d+)|-(\d)(?!\d))?/i.exec(model);
  return match === null ? 0 : Number(`${match[1]}.${match[2] ?? match[3] ?? 0}`);
}

/** What comes up to the first message of the user stays the same through a conversation, so its hash names it. */
function conversationOf(fields: RequestFields): string | undefined {
  const opening = fields.has("messages") ? openingOf(fields.value("messages")) : openingOfResponse(fields);
  if (opening === undefined) return undefined;
  const hash = createHash("sha256").update(JSON.stringify(opening)).digest("hex");
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function openingOf(messages: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const firstOfUser = messages.findIndex((message: unknown) => isObject(message) && message["role"] === "user");
  return firstOfUser === -1 ? undefined : messages.slice(0, firstOfUser + 1);
}

/** The first turn may be a text and comes back as an item, so what is said counts and not its form. What goes on from a stored response has no opening. */
function openingOfResponse(fields: RequestFields): readonly unknown[] | undefined {
  if ((fields.json("previous_response_id") ?? "null") !== "null") return undefined;
  const input = fields.value("input");
  const opening = openingOf(typeof input === "string" ? [{ role: "user", content: input }] : input);
  return opening === undefined ? undefined : [fields.value("instructions") ?? null, ...opening.map(said)];
}

function said(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { role, content } = item;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return [role, ...parts.map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : part))];
}
