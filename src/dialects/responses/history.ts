// Takes out of a Responses request what the provider it goes to cannot read: the state of other providers, and references into their stores.

import type { JsonMember, ModelRequest } from "../../core/model-request.ts";
import { readMarkedState, stateMark } from "../foreign-state.ts";
import { ByteMark } from "../json/byte-mark.ts";
import type { JsonEdit } from "../json/edit-object.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { checkReferences, isReference, lostContext } from "./stored-references.ts";

export interface HistoryOptions {
  /** Whose state the provider reads. */
  readonly issuer: string;
  /** Another provider had the request before, so that whatever is stored or encrypted without a mark is taken to be that one's. */
  readonly failedOver: boolean;
  /** For messages. Default: the issuer. */
  readonly providerName?: string;
}

/** What is looked for in the bytes: without any of it nothing is parsed. Keys that are spelled with escapes are not found; no known client does that. */
const foreignMarks = [stateMark, '"extra_content"'].map((mark) => new ByteMark(mark));
const storedMarks = ["id", "encrypted_content", "file_id", "file_ids", "vector_store_ids", "container"]
  .map((key) => new ByteMark(`"${key}"`))
  .concat(foreignMarks);
/** Top-level members that name something in a provider's store. */
const storedMembers: ReadonlySet<string> = new Set(["previous_response_id", "conversation", "prompt"]);

/** Items that need no id, as messages; the calls of hosted tools do, https://platform.openai.com/docs/api-reference/responses/create (`input`). */
const idsMayLack: ReadonlySet<unknown> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
]);

const decoder = new TextDecoder();
const nothing: readonly JsonEdit[] = [];

/**
 * The edits for a Responses provider. Marked state of this issuer gets its own form back, that of others goes with its reasoning item, and so does
 * `extra_content`. After a failover, also reasoning and ids that only their issuer knows. Throws a `Failure` of status 400 for what carries context or
 * content that would be lost: `previous_response_id` unless `input` has the history itself, `conversation`, stored prompts, files, references, compactions.
 */
export function cleanResponsesHistory(request: ModelRequest, options: HistoryOptions): readonly JsonEdit[] {
  const { body, members } = request;
  const isStored = options.failedOver && members.some(({ key }) => storedMembers.has(key));
  const marks = options.failedOver ? storedMarks : foreignMarks;
  if (!isStored && !marks.some((mark) => mark.isIn(body))) return nothing;
  const edits: JsonEdit[] = [];
  const input = valueOf(request, "input");
  if (options.failedOver) {
    const provider = options.providerName ?? options.issuer;
    checkReferences(input, (key) => valueOf(request, key), provider);
    if (isSet(valueOf(request, "previous_response_id"))) {
      if (!carriesHistory(input))
        throw lostContext("previous_response_id", provider, "send the whole history in `input`");
      edits.push({ kind: "remove", key: "previous_response_id" });
    }
  }
  const cleaned = Array.isArray(input) ? cleanItems(input, options) : undefined;
  if (cleaned !== undefined) edits.push({ kind: "set", key: "input", json: JSON.stringify(cleaned) });
  return edits;
}

/** Undefined when all of them stay as they are. */
function cleanItems(items: readonly unknown[], options: HistoryOptions): readonly unknown[] | undefined {
  let changed = false;
  const cleaned: unknown[] = [];
  for (const item of items) {
    const kept = isJsonObject(item) ? cleanItem(item, options) : item;
    if (kept !== item) changed = true;
    if (kept !== undefined) cleaned.push(kept);
  }
  return changed ? cleaned : undefined;
}

/** Undefined: the item goes. */
function cleanItem(item: JsonObject, options: HistoryOptions): JsonObject | undefined {
  const isReasoning = item.type === "reasoning";
  const marked = typeof item.encrypted_content === "string" ? readMarkedState(item.encrypted_content) : undefined;
  if (marked !== undefined) {
    const { issuer, kind, value, id } = marked.state;
    if (issuer !== options.issuer || kind !== "encrypted") return undefined;
    const own = without(item, "extra_content", "id");
    return { ...(id === undefined ? {} : { id }), ...own, encrypted_content: value };
  }
  // Reasoning that was another provider's: its id is one of ours, which nobody has stored.
  if (isReasoning && isSet(item.extra_content) && !isSet(item.encrypted_content)) return undefined;
  if (!options.failedOver) return without(item, "extra_content");
  // Only those of reasoning are left.
  if (isReference(item)) return undefined;
  if (isReasoning && (isSet(item.encrypted_content) || !hasText(item.content))) return undefined;
  const isNamed = typeof item.role === "string" || idsMayLack.has(item.type);
  return isNamed ? without(item, "extra_content", "id") : without(item, "extra_content");
}

/** Open models show all of their reasoning, which anybody can read. */
function hasText(content: unknown): boolean {
  return Array.isArray(content) && content.length > 0;
}

/** The item itself when it has none of the members. */
function without(item: JsonObject, ...keys: readonly string[]): JsonObject {
  if (!keys.some((key) => Object.hasOwn(item, key))) return item;
  return Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key)));
}

/** Whether what the model said before is among the items, so that nothing has to be looked up for it. */
function carriesHistory(input: unknown): boolean {
  return (
    Array.isArray(input) &&
    input.some((item) => isJsonObject(item) && (item.role === "assistant" || isOfModel(item.type)))
  );
}

function isOfModel(type: unknown): boolean {
  return typeof type === "string" && (type === "reasoning" || type.endsWith("_call"));
}

/** Of a repeated member the last one counts, as for most parsers. */
function valueOf({ body, members }: ModelRequest, key: string): unknown {
  const member: JsonMember | undefined = members.findLast((candidate) => candidate.key === key);
  return member === undefined
    ? undefined
    : parseExactly(decoder.decode(body.subarray(member.valueStart, member.valueEnd)));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
