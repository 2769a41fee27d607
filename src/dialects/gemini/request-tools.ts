// Tools as `functionDeclarations`, and which of them may or must be called.

import type { ChatRequest, ChatTool, HostedTool, ToolChoice } from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { unsupported } from "./caller-fields.ts";

export interface EncodedTools {
  readonly tools?: readonly JsonObject[];
  readonly toolConfig?: JsonObject;
}

/** Throws a 400 for a tool that another provider would run. */
export function encodeTools(request: ChatRequest, target: TranslationTarget): EncodedTools {
  const functionDeclarations = request.tools.flatMap((tool) => declarationOf(tool, target) ?? []);
  // Gemini calls several functions at once when it likes to, and has no switch for it.
  if (request.parallelToolCalls === false && functionDeclarations.length > 0) target.dropped("parallel_tool_calls");
  const functionCallingConfig = request.toolChoice === undefined ? undefined : modeOf(request.toolChoice, target);
  if (functionDeclarations.length === 0) {
    if (functionCallingConfig !== undefined) target.dropped("tool_choice");
    return {};
  }
  const tools = [{ functionDeclarations }];
  return functionCallingConfig === undefined ? { tools } : { tools, toolConfig: { functionCallingConfig } };
}

/** https://ai.google.dev/api/caching#FunctionDeclaration: `parametersJsonSchema` takes JSON schema as it is, `parameters` only a dialect of OpenAPI. */
function declarationOf(tool: ChatTool, target: TranslationTarget): JsonObject | undefined {
  switch (tool.kind) {
    case "function": {
      if (tool.cacheControl !== undefined) target.dropped("cache_control");
      const { name, description, parameters } = tool;
      return {
        ...tool.unknown,
        name,
        ...(description === undefined ? {} : { description }),
        ...(hasParameters(parameters) ? { parametersJsonSchema: parameters } : {}),
      };
    }
    case "custom": {
      if (tool.format !== undefined && !isPlainText(tool.format)) target.dropped("format of a custom tool");
      const input = { type: "string", description: "The input of the tool, as plain text." };
      return {
        ...tool.unknown,
        name: tool.name,
        ...(tool.description === undefined ? {} : { description: tool.description }),
        parametersJsonSchema: { type: "object", properties: { input }, required: ["input"] },
      };
    }
    case "hosted":
      hosted(tool, "tools", target);
      return undefined;
  }
}

/** A schema that admits no member at all: Gemini refuses objects without properties, and says it by leaving the schema out. */
function hasParameters(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  const { type, properties, additionalProperties, ...others } = schema;
  if (type !== undefined && type !== "object") return true;
  if (isJsonObject(properties) && Object.keys(properties).length > 0) return true;
  if (additionalProperties !== undefined && additionalProperties !== false) return true;
  return ["$ref", "anyOf", "oneOf", "allOf", "patternProperties"].some((key) => others[key] !== undefined);
}

function isPlainText(format: unknown): boolean {
  return isJsonObject(format) && format["type"] === "text";
}

/** https://ai.google.dev/api/caching#FunctionCallingConfig. */
function modeOf(choice: ToolChoice, target: TranslationTarget): JsonObject | undefined {
  switch (choice.kind) {
    case "auto":
      return { mode: "AUTO" };
    case "required":
      return { mode: "ANY" };
    case "none":
      return { mode: "NONE" };
    case "named":
      return { mode: "ANY", allowedFunctionNames: [choice.name] };
    case "allowed":
      // Names are taken with ANY and VALIDATED only; the second one lets the model answer with text, too.
      return { mode: choice.required ? "ANY" : "VALIDATED", allowedFunctionNames: choice.names };
    case "hosted":
      hosted(choice, "tool_choice", target);
      return undefined;
  }
}

/** Left out for Responses (behaviour 4.4), refused for the others (behaviour 4.2): there the caller waits for what the tool gives. */
function hosted(tool: Pick<HostedTool, "dialect" | "type">, field: string, target: TranslationTarget): void {
  if (tool.dialect !== "responses") {
    throw unsupported(
      field,
      target,
      `it does not run the tool \`${tool.type}\`, leave it out or ask a provider that does`,
    );
  }
  target.dropped(`${field} of the type ${tool.type}`);
}
