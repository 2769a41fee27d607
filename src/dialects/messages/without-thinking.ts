// Takes the wish for thinking out of a Messages request.

import type { ModelRequest } from "../../core/model-request.ts";
import type { JsonEdit } from "../json/edit-object.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";

const decoder = new TextDecoder();

/**
 * None, and nothing about it in the context management: clearing thinking is refused where none is asked for (https://docs.anthropic.com/en/docs/build-with-claude/context-editing).
 */
export function withoutThinking({ body, members }: ModelRequest): readonly JsonEdit[] {
  if (!members.some(({ key }) => key === "thinking")) return [];
  const edits: JsonEdit[] = [{ kind: "remove", key: "thinking" }];
  const member = members.findLast(({ key }) => key === "context_management");
  if (member === undefined) return edits;
  const management = parseExactly(decoder.decode(body.subarray(member.valueStart, member.valueEnd)));
  if (!isJsonObject(management) || !Array.isArray(management.edits)) return edits;
  const others = (management.edits as readonly unknown[]).filter(
    (edit) => !isJsonObject(edit) || typeof edit.type !== "string" || !edit.type.startsWith("clear_thinking_"),
  );
  if (others.length === management.edits.length) return edits;
  const rest = { ...management, edits: others };
  edits.push(
    others.length === 0 && Object.keys(rest).length === 1
      ? { kind: "remove", key: "context_management" }
      : { kind: "set", key: "context_management", json: JSON.stringify(rest) },
  );
  return edits;
}
