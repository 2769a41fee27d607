// OpenCode Go: one subscription to models of several makers, most asked by chat completions, some by Messages.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import type { Header } from "./answer-headers.ts";
import { callerSession } from "./caller-session.ts";
import { chatShape } from "./chat-shape.ts";
import { jsonSchemaAsInstruction, schemaModeOption, schemaModeVariable } from "./json-schema-mode.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { CallFacts, ProviderType } from "./provider-type.ts";
import { flatReasoningEffort } from "./reasoning-effort.ts";
import type { RequestFields } from "./request-fields.ts";

const messagesModelsVariable = "OPENCODE_GO_MESSAGES_MODELS";
const effortVariable = "OPENCODE_GO_DEFAULT_REASONING_EFFORT";
const sessionVariable = "OPENCODE_GO_SESSION_HEADER";
const defaultMessagesModels = "qwen3.7-max";

/** Behaviour 3.6. */
export const opencodeGo: ProviderType = {
  info: {
    type: "opencode_go",
    defaultBaseUrl: "https://opencode.ai/zen/go/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: false,
    options: [
      {
        variable: messagesModelsVariable,
        meaning: "Models that are asked in Anthropic's Messages dialect, separated by commas.",
        values: undefined,
        default: defaultMessagesModels,
      },
      {
        variable: effortVariable,
        meaning: "Reasoning effort of chat requests that name none; none or off: not set.",
        values: ["low", "high", "max", "none", "off"],
        default: "low",
      },
      {
        variable: sessionVariable,
        meaning: "Sends the caller's session id as x-opencode-session.",
        values: ["true", "false"],
        default: "true",
      },
      schemaModeOption,
    ],
  },
  createWire(config) {
    const options = config.options ?? {};
    const named = (options[messagesModelsVariable] ?? defaultMessagesModels).split(",").map((id) => id.trim());
    const wire = openAiCompatibleWire(config, { embeddings: false });
    const basePath = wire.paths.models.slice(0, -"/models".length);
    const effort = options[effortVariable] ?? "low";
    return {
      ...wire,
      paths: { ...wire.paths, messages: () => `${basePath}/messages` },
      speaks: (model) => (named.includes(model) ? ["messages"] : ["chat-completions"]),
      // DeepSeek, Kimi and GLM are behind it, which want them: https://github.com/warpdotdev/warp/issues/11587
      accepts: { reasoningContent: true },
      messagesKeyHeader: "x-api-key",
      callHeaders: (call) => (options[sessionVariable] === "false" ? [] : sessionHeaders(call)),
      shapeChat: (_model, fields) =>
        chatShape([
          ...effortEdits(fields, effort),
          ...jsonSchemaAsInstruction(fields, config.name, options[schemaModeVariable] === "error"),
        ]),
    };
  },
};

/** It knows three. */
const efforts: ReadonlyMap<string, string> = new Map([
  ["none", "low"],
  ["minimal", "low"],
  ["low", "low"],
  ["medium", "low"],
  ["high", "high"],
  ["xhigh", "max"],
  ["max", "max"],
]);

function effortEdits(fields: RequestFields, byDefault: string): readonly JsonEdit[] {
  if (fields.has("reasoning_effort") || fields.has("reasoning")) {
    return flatReasoningEffort(fields, (effort) => efforts.get(effort) ?? effort);
  }
  if (byDefault === "none" || byDefault === "off") return [];
  return [{ kind: "set", key: "reasoning_effort", json: JSON.stringify(byDefault) }];
}

function sessionHeaders(call: CallFacts): readonly Header[] {
  const session = callerSession(call);
  return session === undefined ? [] : [["x-opencode-session", session]];
}
