// `tools` and `tool_choice` of a caller's request. Forms: https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools

import type { ChatTool, ToolChoice } from "../../core/chat-request.ts";
import type { Members } from "../json/members.ts";
import { extrasOf, required } from "./decode-block.ts";

/** Hints about when and how a definition is loaded; other providers load every tool, which changes nothing else. */
const loadingHints = ["defer_loading", "allowed_callers", "input_examples", "eager_input_streaming"];

/** Without a type, or `custom`: a tool of the caller's. Any other type is one that Anthropic defines. */
export function decodeTool(tool: Members): ChatTool {
  const type = tool.text("type");
  if (type !== undefined && type !== "custom")
    return { kind: "hosted", dialect: "messages", type, value: tool.whole() };
  for (const hint of loadingHints) tool.value(hint);
  return {
    kind: "function",
    name: required(tool, "name"),
    description: tool.text("description"),
    parameters: tool.object("input_schema")?.whole(),
    strict: tool.flag("strict"),
    ...extrasOf(tool),
  };
}

export interface DecodedToolChoice {
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
}

export function decodeToolChoice(body: Members): DecodedToolChoice {
  const choice = body.object("tool_choice");
  if (choice === undefined) return {};
  const disabled = choice.flag("disable_parallel_tool_use");
  return { toolChoice: choiceOf(choice), parallelToolCalls: disabled === undefined ? undefined : !disabled };
}

function choiceOf(choice: Members): ToolChoice {
  switch (required(choice, "type")) {
    case "auto":
      return { kind: "auto" };
    case "any":
      return { kind: "required" };
    case "none":
      return { kind: "none" };
    case "tool":
      return { kind: "named", toolKind: "function", name: required(choice, "name") };
  }
  throw choice.wrong("type", '"auto", "any", "tool" or "none"');
}
