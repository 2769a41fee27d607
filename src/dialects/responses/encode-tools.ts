// Tools and the choice between them, as Responses writes them.

import type { ChatTool, CustomTool, FunctionTool, ToolChoice } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { isJsonObject } from "../json/is-json-object.ts";

/** For a target without tools that take any text: the one parameter that stands for it. */
const textParameters = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };

/** Throws a 400 for a tool that only another dialect's providers run. */
export function encodeTools(
  tools: readonly ChatTool[],
  target: TranslationTarget,
  strictByDefault: boolean,
): readonly object[] {
  return tools.map((tool, index) => {
    if (tool.kind === "custom" && !target.accepts.customTools) {
      const { name, description, unknown } = tool;
      return functionTool(
        {
          kind: "function",
          name,
          ...(description === undefined ? {} : { description }),
          parameters: textParameters,
          ...(unknown === undefined ? {} : { unknown }),
        },
        false,
      );
    }
    if (tool.kind === "hosted" && tool.dialect !== "responses") {
      throw invalidRequest(
        `\`tools\` of type ${tool.type} are not supported by provider ${target.providerName}: remove tools[${index}]`,
        { param: "tools" },
      );
    }
    return toolValue(tool, strictByDefault);
  });
}

/** As the dialect writes it; a hosted tool as it came. `strictByDefault`: nothing said means strict, as it does in this dialect and in no other. */
export function toolValue(tool: ChatTool, strictByDefault: boolean): object {
  switch (tool.kind) {
    case "function":
      return functionTool(tool, strictByDefault);
    case "custom":
      return customTool(tool);
    case "hosted":
      return isJsonObject(tool.value) ? tool.value : { type: tool.type };
  }
}

function functionTool(tool: FunctionTool, strictByDefault: boolean): object {
  const { name, description, parameters, unknown } = tool;
  const strict = tool.strict ?? (strictByDefault ? undefined : false);
  return {
    ...unknown,
    type: "function",
    name,
    ...(description === undefined ? {} : { description }),
    parameters: parameters ?? { type: "object", properties: {} },
    ...(strict === undefined ? {} : { strict }),
  };
}

function customTool(tool: CustomTool): object {
  const { name, description, format, unknown } = tool;
  return {
    ...unknown,
    type: "custom",
    name,
    ...(description === undefined ? {} : { description }),
    ...(format === undefined ? {} : { format: flatFormat(format) }),
  };
}

/** Chat completions puts the grammar into an object of its own, this dialect beside the type. */
function flatFormat(format: unknown): unknown {
  return isJsonObject(format) && isJsonObject(format.grammar) ? { type: "grammar", ...format.grammar } : format;
}

/** `tools`: to tell custom ones from functions in a list of allowed ones. */
export function toolChoiceValue(choice: ToolChoice, tools: readonly ChatTool[], customTools: boolean): unknown {
  switch (choice.kind) {
    case "auto":
    case "required":
    case "none":
      return choice.kind;
    case "named":
      return { type: customTools ? choice.toolKind : "function", name: choice.name };
    case "allowed": {
      const custom = new Set(tools.flatMap((tool) => (tool.kind === "custom" && customTools ? [tool.name] : [])));
      return {
        type: "allowed_tools",
        mode: choice.required ? "required" : "auto",
        tools: choice.names.map((name) => ({ type: custom.has(name) ? "custom" : "function", name })),
      };
    }
    case "hosted":
      return choice.value;
  }
}
