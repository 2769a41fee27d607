// What of a recorded request a translation has to carry, whatever the target's dialect: its words, its tools, their calls and results.

import type { JsonRecord, RecordedCall } from "./client-recordings.ts";

interface Carried {
  /** Where the caller wrote it, for the message of a failure. */
  readonly from: string;
  readonly text: string;
}

/** Everything that must be found in the translated request. Thoughts are none of it: only who made them can read them. */
export function carriedContent({ dialect, body }: RecordedCall): readonly Carried[] {
  const carried = [...toolsOf(body["tools"])];
  const add = (from: string, value: unknown): void => {
    carried.push(...wordsOf(from, value));
  };
  add("system", body["system"]);
  add("instructions", body["instructions"]);
  if (typeof body["input"] === "string") add("input", body["input"]);
  for (const turn of listOf(dialect === "responses" ? body["input"] : body["messages"])) {
    add(`content of ${String(turn["role"])}`, turn["content"]);
    add("result", turn["output"]);
    if (turn["type"] === "function_call") carried.push(...callOf(turn["name"], turn["arguments"]));
    if (turn["type"] === "custom_tool_call") carried.push(...callOf(turn["name"], turn["input"]));
    // The other groups are left out as a whole, like groups in `tools` (behaviour 4.4).
    for (const group of listOf(turn["tools"]))
      if (group["name"] === "functions") carried.push(...toolsOf(group["tools"]));
    for (const call of listOf(turn["tool_calls"])) {
      const told = recordOf(call["function"]);
      carried.push(...callOf(told["name"], told["arguments"]));
    }
  }
  return carried;
}

/** Every string of a value, and of the JSON that strings hold. */
export function stringsOf(value: unknown): readonly string[] {
  if (typeof value === "string") {
    const parsed = /^\s*[[{]/.test(value) ? parsedJson(value) : undefined;
    return parsed === undefined ? [value] : [value, ...stringsOf(parsed)];
  }
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...stringsOf(member)]);
}

function wordsOf(from: string, value: unknown): readonly Carried[] {
  if (typeof value === "string") return value === "" ? [] : [{ from, text: value }];
  return listOf(value).flatMap((part) => {
    switch (part["type"]) {
      case "tool_use":
        return callOf(part["name"], part["input"]);
      case "tool_result":
        return wordsOf("result", part["content"]);
      case "image_url":
        return [{ from: "image", text: String(recordOf(part["image_url"])["url"]).replace(/^data:.*,/, "") }];
      default:
        return typeof part["text"] === "string" ? [{ from, text: part["text"] }] : [];
    }
  });
}

function callOf(name: unknown, given: unknown): readonly Carried[] {
  const told = typeof given === "string" ? (parsedJson(given) ?? given) : given;
  return [String(name), ...stringsOf(told)].map((text) => ({ from: `call of ${String(name)}`, text }));
}

/** Names, descriptions, grammars and the names and descriptions in their schemas. What the provider runs itself no other provider can run. */
function toolsOf(tools: unknown): readonly Carried[] {
  return listOf(tools).flatMap((tool) => {
    if (tool["type"] !== undefined && tool["type"] !== "function" && tool["type"] !== "custom") return [];
    const told = { ...tool, ...recordOf(tool["function"]) };
    const schema = recordOf(told["parameters"] ?? told["input_schema"]);
    return [
      told["name"],
      told["description"],
      recordOf(told["format"])["definition"],
      ...Object.keys(recordOf(schema["properties"])),
      ...descriptionsOf(schema),
    ]
      .filter((text): text is string => typeof text === "string" && text !== "")
      .map((text) => ({ from: `tool ${String(told["name"])}`, text }));
  });
}

function descriptionsOf(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === "description" && typeof member === "string" ? [member] : []),
    ...descriptionsOf(member),
  ]);
}

function listOf(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

function recordOf(value: unknown): JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
