// Tools and the choice between them, from a Responses request.

import type { ChatTool, ToolChoice } from "../../core/chat-request.ts";
import type { Members } from "../json/members.ts";

export function decodeTools(request: Members): readonly ChatTool[] {
  return (request.objects("tools") ?? []).map(decodeTool);
}

/** Function tools are flat here; what is neither a function nor custom is run by the provider, or a group of tools (`namespace`). */
export function decodeTool(tool: Members): ChatTool {
  const type = tool.text("type");
  if (type === undefined || type === "") throw tool.wrong("type", "a tool type, such as function");
  if (type !== "function" && type !== "custom") {
    return { kind: "hosted", dialect: "responses", type, value: tool.whole() };
  }
  const name = tool.text("name");
  if (name === undefined || name === "") throw tool.wrong("name", "a name");
  const description = tool.text("description");
  const parameters = tool.value("parameters");
  const strict = tool.flag("strict");
  const format = type === "custom" ? tool.value("format") : undefined;
  // About how the provider presents the tool to its model.
  for (const key of ["allowed_callers", "defer_loading", "output_schema"]) tool.value(key);
  const unknown = tool.unknown();
  const rest = {
    name,
    ...(description === undefined ? {} : { description }),
    ...(unknown === undefined ? {} : { unknown }),
  };
  if (type === "custom") return { kind: "custom", ...rest, ...(format === undefined ? {} : { format }) };
  return {
    kind: "function",
    ...rest,
    ...(parameters === undefined ? {} : { parameters }),
    ...(strict === undefined ? {} : { strict }),
  };
}

const forms = '"auto", "none", "required" or an object with a type';

export function decodeToolChoice(request: Members): ToolChoice | undefined {
  const value = request.value("tool_choice");
  if (value === undefined) return undefined;
  if (value === "auto" || value === "none" || value === "required") return { kind: value };
  if (typeof value !== "object") throw request.wrong("tool_choice", forms);
  const choice = request.object("tool_choice");
  const type = choice?.text("type");
  if (choice === undefined || type === undefined) throw request.wrong("tool_choice", forms);
  if (type === "allowed_tools") {
    const mode = choice.text("mode");
    const names = (choice.objects("tools") ?? []).map((tool) => tool.text("name"));
    return { kind: "allowed", required: mode === "required", names: names.filter((name) => name !== undefined) };
  }
  if (type === "auto" || type === "none" || type === "required") return { kind: type };
  if (type !== "function" && type !== "custom") return { kind: "hosted", dialect: "responses", type, value };
  const name = choice.text("name");
  if (name === undefined || name === "") throw choice.wrong("name", "the name of a tool");
  return { kind: "named", toolKind: type, name };
}
