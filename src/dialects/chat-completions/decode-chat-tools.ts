// Tools and the choice among them, as chat requests write them, legacy functions included.

import type { ChatTool, FunctionTool, ToolChoice } from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { Members } from "../json/members.ts";
import { joinUnknown } from "./decode-tool-calls.ts";

/** `tools`, and `functions` of callers that are older than these. */
export function decodeTools(request: Members): readonly ChatTool[] {
  const tools = (request.objects("tools") ?? []).map(decodeTool);
  const functions = (request.objects("functions") ?? []).map((one) => decodeFunction(one, undefined));
  return tools.length > 0 ? tools : functions;
}

function decodeTool(tool: Members): ChatTool {
  const type = tool.text("type") ?? "function";
  if (type === "function") {
    const body = tool.object("function");
    if (body === undefined) throw tool.wrong("function", "an object with the `name` of the function");
    return decodeFunction(body, tool);
  }
  if (type !== "custom") return { kind: "hosted", dialect: "chat-completions", type, value: tool.whole() };
  const body = tool.object("custom");
  const name = body?.text("name");
  if (body === undefined || name === undefined) throw tool.wrong("custom", "an object with the `name` of the tool");
  const description = body.text("description");
  const format = body.value("format");
  const unknown = joinUnknown(body.unknown(), tool.unknown());
  return {
    kind: "custom",
    name,
    ...(description === undefined ? {} : { description }),
    ...(format === undefined ? {} : { format }),
    ...(unknown === undefined ? {} : { unknown }),
  };
}

function decodeFunction(body: Members, tool: Members | undefined): FunctionTool {
  const name = body.text("name");
  if (name === undefined || name === "") throw body.wrong("name", "the name of the function");
  const description = body.text("description");
  const parameters = body.value("parameters");
  if (parameters !== undefined && !isJsonObject(parameters))
    throw body.wrong("parameters", "a JSON schema (an object)");
  const strict = body.flag("strict");
  const inner = body.value("cache_control");
  const cacheControl = tool?.value("cache_control") ?? inner;
  const unknown = joinUnknown(body.unknown(), tool?.unknown());
  return {
    kind: "function",
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(strict === undefined ? {} : { strict }),
    ...(cacheControl === undefined ? {} : { cacheControl }),
    ...(unknown === undefined ? {} : { unknown }),
  };
}

/** `tool_choice`, else the legacy `function_call`. */
export function decodeToolChoice(request: Members): ToolChoice | undefined {
  const choice = request.value("tool_choice");
  const legacy = request.value("function_call");
  if (choice !== undefined) return typeof choice === "string" ? decodeMode(request, choice) : decodeChosen(request);
  if (legacy === undefined) return undefined;
  if (legacy === "auto" || legacy === "none") return { kind: legacy };
  const name = typeof legacy === "object" ? request.object("function_call")?.text("name") : undefined;
  if (name === undefined) throw request.wrong("function_call", "`none`, `auto` or an object with a `name`");
  return { kind: "named", toolKind: "function", name };
}

function decodeMode(request: Members, choice: string): ToolChoice {
  switch (choice) {
    case "auto":
    case "none":
    case "required":
      return { kind: choice };
    // Mistral's word for it (https://docs.mistral.ai/capabilities/function_calling).
    case "any":
      return { kind: "required" };
  }
  throw request.wrong("tool_choice", "`none`, `auto`, `required` or an object");
}

function decodeChosen(request: Members): ToolChoice | undefined {
  const choice = request.object("tool_choice");
  if (choice === undefined) return undefined;
  const type = choice.text("type") ?? "function";
  if (type === "function" || type === "custom") {
    const name = choice.object(type)?.text("name");
    if (name === undefined) throw choice.wrong(type, "an object with the `name` of the tool");
    return { kind: "named", toolKind: type, name };
  }
  if (type !== "allowed_tools") {
    return { kind: "hosted", dialect: "chat-completions", type, value: choice.whole() };
  }
  const allowed = choice.object("allowed_tools");
  const names = allowed?.objects("tools")?.map(nameOfTool);
  if (allowed === undefined || names === undefined) {
    throw choice.wrong("allowed_tools", "an object with `mode` and `tools`");
  }
  return { kind: "allowed", required: allowed.text("mode") === "required", names };
}

function nameOfTool(tool: Members): string {
  const type = tool.text("type") ?? "function";
  const name = type === "function" || type === "custom" ? tool.object(type)?.text("name") : type;
  if (name === undefined) throw tool.wrong(type, "an object with the `name` of the tool");
  return name;
}
