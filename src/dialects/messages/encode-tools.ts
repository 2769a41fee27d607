// Tools and the choice among them for a provider that speaks Messages (behaviour 4.3).

import type { ChatRequest, ChatTool, CustomTool, FunctionTool, ToolChoice } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { isJsonObject, type JsonObject } from "../json/is-json-object.ts";
import { refuse } from "./refuse.ts";

export interface EncodedTools {
  readonly tools?: readonly unknown[];
  readonly toolChoice?: JsonObject;
  /** The model has to call a tool, which does not go together with thinking. */
  readonly isForced: boolean;
}

/** `hasToolTurns`: the history has tool calls, and Anthropic wants their definitions even when none may be called. */
export function encodeTools(request: ChatRequest, target: TranslationTarget, hasToolTurns: boolean): EncodedTools {
  const { toolChoice } = request;
  const chosen = toolChoice?.kind === "allowed" ? namedTools(request.tools, toolChoice.names) : request.tools;
  const tools = chosen.flatMap((tool) => encodeTool(tool, request, target));
  if (tools.length === 0) return { isForced: false };
  const isOwnDialect = request.dialect === "messages";
  if (toolChoice?.kind === "none" && !isOwnDialect && !hasToolTurns) return { isForced: false };
  const choice = encodeToolChoice(toolChoice, request, target);
  const isForced = choice?.type === "any" || choice?.type === "tool";
  return { tools, toolChoice: withParallel(choice, request.parallelToolCalls), isForced };
}

function withParallel(choice: JsonObject | undefined, parallel: boolean | undefined): JsonObject | undefined {
  if (parallel === undefined || choice?.type === "none") return choice;
  if (choice === undefined) return parallel ? undefined : { type: "auto", disable_parallel_tool_use: true };
  return { ...choice, disable_parallel_tool_use: !parallel };
}

function encodeTool(tool: ChatTool, request: ChatRequest, target: TranslationTarget): readonly unknown[] {
  switch (tool.kind) {
    case "function":
      return [encodeFunction(tool, request, target)];
    case "custom":
      return [encodeCustom(tool)];
    case "hosted":
      if (tool.dialect === "messages") return [tool.value];
      if (tool.dialect !== "responses") throw invalidRequest("unsupported tool type", { param: "tools" });
      // Behaviour 4.4: a Responses client offers what its own provider runs without needing it.
      target.dropped(`tools[].${tool.type}`);
      return [];
  }
}

function encodeFunction(tool: FunctionTool, request: ChatRequest, target: TranslationTarget): JsonObject {
  const { name, description, cacheControl, unknown } = tool;
  if (name === "") throw invalidRequest("tool.function.name is required", { param: "tools" });
  // Anthropic's strict tools know fewer words of JSON schema, and at most twenty of them may be in a request; SDKs of OpenAI say it of every tool.
  const strict = request.dialect === "messages" ? tool.strict : undefined;
  if (strict === undefined && tool.strict === true) target.dropped("tools[].strict");
  return {
    ...unknown,
    name,
    description,
    input_schema: schemaOf(tool.parameters),
    strict,
    cache_control: cacheControl,
  };
}

function schemaOf(parameters: unknown): JsonObject {
  if (parameters === undefined) return { type: "object", properties: {} };
  if (!isJsonObject(parameters)) throw invalidRequest("tool.function.parameters must be an object", { param: "tools" });
  if (parameters.type === "object") return parameters;
  if (parameters.type !== undefined) {
    throw invalidRequest("tool.function.parameters must define an object schema", { param: "tools" });
  }
  return Object.keys(parameters).length === 0 ? { type: "object", properties: {} } : { type: "object", ...parameters };
}

/** Text alone is no input for Anthropic: it goes into the one member of an object. What it has to look like can only be said. */
function encodeCustom(tool: CustomTool): JsonObject {
  if (tool.name === "") throw invalidRequest("tool.function.name is required", { param: "tools" });
  const format = isJsonObject(tool.format) && isJsonObject(tool.format.grammar) ? tool.format.grammar : tool.format;
  const definition = isJsonObject(format) ? format.definition : undefined;
  const syntax = isJsonObject(format) ? format.syntax : undefined;
  const rule =
    typeof definition === "string" ? `The input must match this ${String(syntax)} grammar:\n${definition}` : undefined;
  const description = [tool.description, rule].filter((text) => text !== undefined && text !== "").join("\n\n");
  return {
    ...tool.unknown,
    name: tool.name,
    description: description === "" ? undefined : description,
    input_schema: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
  };
}

function encodeToolChoice(
  choice: ToolChoice | undefined,
  request: ChatRequest,
  target: TranslationTarget,
): JsonObject | undefined {
  switch (choice?.kind) {
    case undefined:
      return undefined;
    case "auto":
      return { type: "auto" };
    case "required":
      return { type: "any" };
    case "none":
      return { type: "none" };
    case "named":
      if (choice.name === "") throw invalidRequest("tool_choice.function.name is required", { param: "tool_choice" });
      return { type: "tool", name: choice.name };
    case "allowed":
      return { type: choice.required ? "any" : "auto" };
    case "hosted":
      if (choice.dialect !== "responses")
        throw invalidRequest("unsupported tool_choice type", { param: "tool_choice" });
      if (request.tools.some((tool) => tool.kind === "hosted" && tool.type === choice.type)) {
        target.dropped("tool_choice");
        return undefined;
      }
      throw refuse("tool_choice", target, `choose one of the tools that you define instead of ${choice.type}`);
  }
}

function namedTools(tools: readonly ChatTool[], names: readonly string[]): readonly ChatTool[] {
  const allowed = new Set(names);
  const found = tools.filter((tool) => tool.kind !== "hosted" && allowed.has(tool.name));
  for (const tool of found) if (tool.kind !== "hosted") allowed.delete(tool.name);
  for (const missing of allowed) {
    throw invalidRequest(`\`tool_choice\` allows the tool ${JSON.stringify(missing)}, which is not among \`tools\``, {
      param: "tool_choice",
    });
  }
  return found;
}
