// Tools that stand in the input instead of `tools`: codex sends all of its own there with the models that it knows.

import type { ChatTool } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { Members } from "../json/members.ts";
import { decodeTool } from "./decode-tools.ts";

/** The group whose members are called by their bare names: https://github.com/openai/codex, codex-rs/core/src/tools. */
const bareGroup = "functions";

/** Of all items of the type `additional_tools`, as if they stood in `tools`; where one name comes again, the later tool. Other groups stay whole. */
export function decodeAdditionalTools(input: unknown): readonly ChatTool[] {
  if (!Array.isArray(input)) return [];
  const tools = input.flatMap((item: unknown, index) =>
    isJsonObject(item) && item.type === "additional_tools" ? toolsOf(item, `input[${index}]`) : [],
  );
  return tools.filter(
    (tool, at) =>
      tool.kind === "hosted" ||
      !tools.slice(at + 1).some((later) => later.kind !== "hosted" && later.name === tool.name),
  );
}

function toolsOf(holder: Readonly<Record<string, unknown>>, path: string): readonly ChatTool[] {
  const members = new Members(holder, path, (at, expected) =>
    invalidRequest(`${at} must be ${expected}`, { param: at }),
  );
  return (members.objects("tools") ?? []).flatMap((tool) => {
    const whole = tool.whole();
    const isBareGroup = whole.type === "namespace" && whole.name === bareGroup;
    return isBareGroup ? toolsOf(whole, `${path}.tools`) : [decodeTool(tool)];
  });
}
