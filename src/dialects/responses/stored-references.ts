// Finds what of a Responses request names content in the store of the provider that had it before: the next one would answer without it.

import { invalidRequest } from "../../core/failure.ts";
import type { Failure } from "../../core/failure.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** The error for content that only another provider has. `advice`: what the caller has to change. */
export function lostContext(field: string, provider: string, advice: string): Failure {
  return invalidRequest(
    `\`${field}\` is not supported by provider ${provider}: it names something that only the provider tried before it has stored; ${advice}`,
    { param: field },
  );
}

/**
 * Throws a `Failure` of status 400 naming the first such place. https://platform.openai.com/docs/api-reference/responses/create has them: conversations,
 * prompt templates, files in messages and tool results, items by reference, compacted history, vector stores and containers of tools.
 */
export function checkReferences(input: unknown, member: (key: string) => unknown, provider: string): void {
  if (isSet(member("conversation"))) {
    throw lostContext("conversation", provider, "send the whole history in `input`");
  }
  if (isSet(member("prompt"))) throw lostContext("prompt", provider, "send its text in `instructions` or `input`");
  if (Array.isArray(input)) for (const [index, item] of input.entries()) checkItem(item, `input[${index}]`, provider);
  const tools = member("tools");
  if (Array.isArray(tools)) for (const [index, tool] of tools.entries()) checkTool(tool, `tools[${index}]`, provider);
}

function checkItem(item: unknown, path: string, provider: string): void {
  if (!isJsonObject(item)) return;
  // Reasoning is no part of the conversation that the caller sees, so it may be missing; anything else may not.
  if (isReference(item) && !String(item.id).startsWith("rs_")) {
    throw lostContext(`${path}.id`, provider, "send the item itself");
  }
  if (item.type === "compaction" || item.type === "compaction_summary") {
    throw lostContext(`${path}.encrypted_content`, provider, "send the history that it stands for");
  }
  for (const key of ["content", "output"]) {
    const parts = item[key];
    for (const [index, part] of Array.isArray(parts) ? parts.entries() : []) {
      if (isJsonObject(part) && isSet(part.file_id)) {
        throw lostContext(
          `${path}.${key}[${index}].file_id`,
          provider,
          "send the file as `file_data`, `file_url` or `image_url`",
        );
      }
    }
    if (isJsonObject(parts) && isSet(parts.file_id)) {
      throw lostContext(`${path}.${key}.file_id`, provider, "send the image as `image_url`");
    }
  }
}

/** An item that is only named. The type of a reference may be left out: `{"id":"msg_1"}`. */
export function isReference(item: JsonObject): boolean {
  return item.type === "item_reference" || (Object.hasOwn(item, "id") && Object.keys(item).length === 1);
}

function checkTool(tool: unknown, path: string, provider: string): void {
  if (!isJsonObject(tool)) return;
  const { container } = tool;
  if (Array.isArray(tool.vector_store_ids) && tool.vector_store_ids.length > 0) {
    throw lostContext(`${path}.vector_store_ids`, provider, "remove the tool");
  }
  if (typeof container === "string" && container !== "") {
    throw lostContext(`${path}.container`, provider, 'use `{"type":"auto"}`');
  }
  if (isJsonObject(container) && Array.isArray(container.file_ids) && container.file_ids.length > 0) {
    throw lostContext(`${path}.container.file_ids`, provider, "remove them");
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
