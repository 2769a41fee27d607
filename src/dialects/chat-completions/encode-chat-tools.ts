// Tools and the choice among them for a provider that speaks chat completions.

import type { ChatRequest, ChatTool, ToolChoice } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { around } from "./encode-chat-content.ts";

/**
 * `tools`, `tool_choice` and `parallel_tool_calls`. Hosted tools of Responses are left out as a unit with a choice of one (behaviour 4.4); those of
 * Messages are a 400 (4.2).
 */
export function encodeTools(request: ChatRequest, target: TranslationTarget): JsonObject {
  const { toolChoice, parallelToolCalls } = request;
  const usable = request.tools.filter((tool) => isUsable(tool, target));
  const allowed = toolChoice?.kind === "allowed" && target.issuer !== "openai" ? new Set(toolChoice.names) : undefined;
  const tools =
    allowed === undefined ? usable : usable.filter((tool) => tool.kind !== "hosted" && allowed.has(tool.name));
  if (toolChoice?.kind === "allowed") checkNames(toolChoice.names, request.tools, target);
  // A choice without tools is refused; a chat caller gets that answer from the provider.
  const isEmptied = tools.length === 0 && (request.tools.length > 0 || request.dialect !== "chat-completions");
  const choice = toolChoice === undefined || isEmptied ? undefined : encodeChoice(toolChoice, tools, target);
  return {
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => encodeTool(tool, target)) }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(parallelToolCalls === undefined || isEmptied ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function isUsable(tool: ChatTool, target: TranslationTarget): boolean {
  if (tool.kind !== "hosted" || tool.dialect === "chat-completions") return true;
  if (tool.dialect === "messages") {
    throw invalidRequest(
      `\`tools\`: a tool of type \`${tool.type}\` is not supported by provider ${target.providerName}: leave it out or use a model of its maker`,
      { param: "tools" },
    );
  }
  target.dropped(`tools (${tool.type})`);
  return false;
}

function checkNames(names: readonly string[], tools: readonly ChatTool[], target: TranslationTarget): void {
  const known = new Set(tools.map((tool) => (tool.kind === "hosted" ? tool.type : tool.name)));
  const missing = names.find((name) => !known.has(name));
  if (missing === undefined) return;
  throw invalidRequest(
    `\`tool_choice\` allows \`${missing}\`, which is not among \`tools\`: provider ${target.providerName} cannot honour that, add the tool`,
    { param: "tool_choice" },
  );
}

function encodeTool(tool: ChatTool, target: TranslationTarget): unknown {
  switch (tool.kind) {
    case "hosted":
      return tool.value;
    case "custom": {
      const { name, description, format } = tool;
      return {
        ...tool.unknown,
        type: "custom",
        custom: {
          name,
          ...(description === undefined ? {} : { description }),
          ...(format === undefined ? {} : { format }),
        },
      };
    }
    case "function": {
      const { name, description, parameters, strict } = tool;
      return {
        ...around(tool, target),
        type: "function",
        function: {
          name,
          ...(description === undefined ? {} : { description }),
          ...(parameters === undefined ? {} : { parameters }),
          ...(strict === undefined ? {} : { strict }),
        },
      };
    }
  }
}

function encodeChoice(choice: ToolChoice, tools: readonly ChatTool[], target: TranslationTarget): unknown {
  switch (choice.kind) {
    case "auto":
    case "required":
    case "none":
      return choice.kind;
    case "named":
      return { type: choice.toolKind, [choice.toolKind]: { name: choice.name } };
    case "hosted":
      return choice.dialect === "chat-completions" ? choice.value : undefined;
    case "allowed": {
      // Only OpenAI has the choice of some; for others the rest of the tools has been left out.
      const mode = choice.required ? "required" : "auto";
      if (target.issuer !== "openai") return mode;
      const custom = new Set(tools.flatMap((tool) => (tool.kind === "custom" ? [tool.name] : [])));
      const allowed = choice.names.map((name) =>
        custom.has(name) ? { type: "custom", custom: { name } } : { type: "function", function: { name } },
      );
      return { type: "allowed_tools", allowed_tools: { mode, tools: allowed } };
    }
  }
}
