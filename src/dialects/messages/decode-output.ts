// How much a caller wants thought and in what form the answer shall come. https://platform.claude.com/docs/en/build-with-claude/effort

import type { OutputFormat, OwnField, ReasoningSettings } from "../../core/chat-request.ts";
import type { Members } from "../json/members.ts";
import { required } from "./decode-block.ts";
import { isStrictSchema } from "./strict-schema.ts";

export interface DecodedOutput {
  readonly reasoning?: ReasoningSettings;
  readonly format?: OutputFormat;
  /** What the hub has no place for. */
  readonly own: readonly OwnField[];
}

export function decodeOutput(body: Members): DecodedOutput {
  const own: OwnField[] = [];
  const config = body.object("output_config");
  const thinking = decodeThinkingSettings(body, own);
  const effort = config?.text("effort");
  const format = decodeFormat(config?.object("format")) ?? decodeFormat(body.object("output_format"));
  const rest = config?.unknown();
  if (rest !== undefined) own.push({ name: "output_config", value: rest, weight: "harmless" });
  const reasoning = thinking === undefined && effort === undefined ? undefined : { ...thinking, effort };
  return { reasoning, format, own };
}

function decodeThinkingSettings(body: Members, own: OwnField[]): ReasoningSettings | undefined {
  const thinking = body.object("thinking");
  if (thinking === undefined) return undefined;
  const mode = required(thinking, "type");
  switch (mode) {
    case "enabled": {
      const budgetTokens = thinking.number("budget_tokens");
      if (budgetTokens === undefined) throw thinking.wrong("budget_tokens", "a number of tokens");
      return { mode, budgetTokens, display: thinking.text("display") };
    }
    case "adaptive":
      return { mode, display: thinking.text("display") };
    case "disabled":
      return { mode };
  }
  // A way of thinking that is Anthropic's own (`between_tools`): how much is thought elsewhere is not for it to say.
  own.push({ name: "thinking", value: thinking.whole(), weight: "harmless" });
  return undefined;
}

function decodeFormat(format: Members | undefined): OutputFormat | undefined {
  if (format === undefined) return undefined;
  if (required(format, "type") !== "json_schema") throw format.wrong("type", '"json_schema"');
  const schema = format.object("schema")?.whole();
  if (schema === undefined) throw format.wrong("schema", "a JSON schema");
  return { kind: "json-schema", name: format.text("name"), schema, strict: isStrictSchema(schema) };
}
