// Makes the history of a Messages request fit for one Messages provider: state of others goes, its own comes back in its own form.

import type { JsonMember, ModelRequest } from "../../core/model-request.ts";
import { ByteMark } from "../json/byte-mark.ts";
import type { JsonEdit } from "../json/edit-object.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { withoutThinking } from "./without-thinking.ts";
import { isThinking, type StateRule, thinkingFor, withoutExtraContent } from "./history-blocks.ts";

export interface HistoryOptions {
  /** Of the provider that gets the request. */
  readonly issuer: string;
  /** Another target had the request before. */
  readonly failedOver: boolean;
  /** The issuer of the target that had it first, where that is known. Absent: any, so that no signature without a mark is trusted. */
  readonly firstIssuer?: string;
  /** The model takes no messages of the role `system` between the others: they are put behind the system prompt (behaviour 4.2). Default: false. */
  readonly hoistsSystem?: boolean;
}

/** Ends both types of thinking blocks. In texts the quote is escaped. */
const thinkingMark = new ByteMark('thinking"');
const extraMark = new ByteMark('"extra_content"');
const systemMark = new ByteMark('"system"');
const decoder = new TextDecoder();

/** Nothing else is left to be sent, and a provider refuses an empty list of messages as well as an empty text. */
const placeholder = "(no content)";

/**
 * The edits that a body needs before it goes to a provider of the same dialect; none for most. Looked for in the bytes: without thinking in the messages
 * and without `extra_content` nothing is parsed, and with it the messages are rewritten only when something in them has to change. When the last tool turn
 * loses its thinking, none can be asked for: Anthropic wants such a turn to begin with it
 * (https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking, preserving thinking blocks).
 */
export function cleanHistory(request: ModelRequest, options: HistoryOptions): readonly JsonEdit[] {
  const { body, members } = request;
  const messages = members.findLast(({ key }) => key === "messages");
  if (messages === undefined) return [];
  const hasExtra = extraMark.isIn(body);
  const hoistsSystem = options.hoistsSystem === true && holds(body, messages, systemMark);
  if (!hasExtra && !hoistsSystem && !holds(body, messages, thinkingMark)) return [];
  const text = textAt(body, messages);
  const rule = ruleOf({ ...options, hoistsSystem });
  // Exact numbers cost more, so they are kept only when the messages are written anew.
  const changes = cleanMessages(JSON.parse(text), rule) !== undefined;
  const cleaned = changes ? cleanMessages(parseExactly(text), rule) : undefined;
  const edits: JsonEdit[] = [];
  if (hasExtra || cleaned?.hoisted.length) edits.push(...editsAroundMessages(request, cleaned?.hoisted ?? []));
  if (cleaned === undefined) return edits;
  edits.push({ kind: "set", key: "messages", json: JSON.stringify(cleaned.messages) });
  if (cleaned.toolTurnLost && asksForThinking(request)) edits.push(...withoutThinking(request));
  return edits;
}

function asksForThinking({ body, members }: ModelRequest): boolean {
  const member = members.findLast(({ key }) => key === "thinking");
  const thinking: unknown = member === undefined ? undefined : JSON.parse(textAt(body, member));
  return isJsonObject(thinking) && thinking.type !== "disabled";
}

interface HistoryRule extends StateRule {
  readonly hoistsSystem: boolean;
}

function ruleOf({ issuer, failedOver, firstIssuer, hoistsSystem = false }: HistoryOptions): HistoryRule {
  return { issuer, takesUnmarked: !failedOver || firstIssuer === issuer, hoistsSystem };
}

function holds(body: Uint8Array, { valueStart, valueEnd }: JsonMember, mark: ByteMark): boolean {
  const at = mark.indexIn(body, valueStart);
  return at >= 0 && at < valueEnd;
}

interface Cleaned {
  readonly messages: readonly unknown[];
  /** The blocks of the system messages that were between them. */
  readonly hoisted: readonly unknown[];
  /** The assistant message that the last tool results belong to had thinking and does not begin with it any more. */
  readonly toolTurnLost: boolean;
}

/** Undefined: they can go as they are. */
function cleanMessages(messages: unknown, rule: HistoryRule): Cleaned | undefined {
  if (!Array.isArray(messages)) return undefined;
  const kept: unknown[] = [];
  const hoisted: unknown[] = [];
  let changed = false;
  let lastLost = false;
  for (const message of messages as readonly unknown[]) {
    if (!isJsonObject(message)) {
      kept.push(message);
      continue;
    }
    const cleaned = cleanMessage(message, rule);
    if (cleaned.message !== message) changed = true;
    if (rule.hoistsSystem && message.role === "system") {
      changed = true;
      hoisted.push(...systemBlocks(cleaned.message.content));
      continue;
    }
    if (message.role === "assistant") lastLost = cleaned.lost;
    // Turns that follow each other without it count as one.
    if (!cleaned.isEmptied) kept.push(cleaned.message);
  }
  if (!changed) return undefined;
  if (kept.length === 0) kept.push({ role: "assistant", content: placeholder });
  return { messages: kept, hoisted, toolTurnLost: lastLost && endsInToolResults(messages) };
}

interface CleanedMessage {
  readonly message: JsonObject;
  /** It had content and has none now. */
  readonly isEmptied: boolean;
  /** Thinking was taken out and it does not begin with any now. */
  readonly lost: boolean;
}

function cleanMessage(message: JsonObject, rule: StateRule): CleanedMessage {
  const { content } = message;
  const bare = withoutExtraContent(message);
  if (!Array.isArray(content)) return { message: bare, isEmptied: false, lost: false };
  const blocks = content as readonly unknown[];
  const kept: unknown[] = [];
  let changed = false;
  let removed = false;
  for (const block of blocks) {
    const next = cleanBlock(block, rule);
    if (next !== block) changed = true;
    if (next === undefined) removed = true;
    else kept.push(next);
  }
  if (!changed) return { message: bare, isEmptied: false, lost: false };
  return {
    message: { ...bare, content: kept },
    isEmptied: removed && kept.every(isEmptyText),
    lost: removed && !isThinking(kept[0]),
  };
}

/** Refused when it is all that a message has. */
function isEmptyText(block: unknown): boolean {
  return isJsonObject(block) && block.type === "text" && block.text === "";
}

/** Undefined: left out. What a tool was given (`input`) is the caller's own and not looked into. */
function cleanBlock(block: unknown, rule: StateRule): unknown {
  if (!isJsonObject(block)) return block;
  const bare = withoutExtraContent(block);
  if (isThinking(bare)) return thinkingFor(bare, rule);
  const { content } = bare;
  if (bare.type !== "tool_result" || !Array.isArray(content)) return bare;
  const parts = content as readonly unknown[];
  const cleaned = parts.map((part) => (isJsonObject(part) ? withoutExtraContent(part) : part));
  return cleaned.every((part, index) => part === parts[index]) ? bare : { ...bare, content: cleaned };
}

function endsInToolResults(messages: readonly unknown[]): boolean {
  const last = messages.findLast((message) => isJsonObject(message) && message.role !== "system");
  if (!isJsonObject(last) || last.role !== "user" || !Array.isArray(last.content)) return false;
  return last.content.some((block: unknown) => isJsonObject(block) && block.type === "tool_result");
}

/** At the top and in the blocks of the system prompt and the tools, but not within a tool's schema. `hoisted` comes behind the system prompt. */
function editsAroundMessages({ body, members }: ModelRequest, hoisted: readonly unknown[]): readonly JsonEdit[] {
  const edits: JsonEdit[] = [];
  if (members.some(({ key }) => key === "extra_content")) edits.push({ kind: "remove", key: "extra_content" });
  for (const key of ["system", "tools"]) {
    const member = members.findLast((candidate) => candidate.key === key);
    const added = key === "system" ? hoisted : [];
    const mayChange = added.length > 0 || (member !== undefined && holds(body, member, extraMark));
    if (!mayChange) continue;
    const value = member === undefined ? undefined : parseExactly(textAt(body, member));
    const list = key === "system" ? systemBlocks(value) : value;
    if (!Array.isArray(list)) continue;
    const cleaned = (list as readonly unknown[]).map((entry) =>
      isJsonObject(entry) ? withoutExtraContent(entry) : entry,
    );
    if (added.length === 0 && cleaned.every((entry, index) => entry === list[index])) continue;
    edits.push({ kind: "set", key, json: JSON.stringify([...cleaned, ...added]) });
  }
  return edits;
}

/** Of the content of a system message or prompt. An empty text is none: providers refuse it. */
function systemBlocks(content: unknown): readonly unknown[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

function textAt(body: Uint8Array, { valueStart, valueEnd }: JsonMember): string {
  return decoder.decode(body.subarray(valueStart, valueEnd));
}
