// A whole Responses answer, to the hub.

import type { ChatAnswer } from "../../core/chat-answer.ts";
import type { AssistantPart, UnknownMembers } from "../../core/chat-request.ts";
import type { AnswerOrigin } from "../../core/translation.ts";
import { changedType, emptyAnswer } from "../answers/unusable-answer.ts";
import { plainUsage, readUsage } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { Members } from "../json/members.ts";
import { decodePart } from "./decode-content.ts";
import { decodeReasoning } from "./decode-reasoning.ts";
import { decodeFinish } from "./finish-reason.ts";
import { recordMark } from "./item-types.ts";
import { responseFacts } from "./response-facts.ts";
import { readThoughtState } from "./vendor-state.ts";

const decoder = new TextDecoder();

/** Throws a `Failure` of origin `answer` for what is no object and for a field of another type than it always had. */
export function decodeAnswer(body: Uint8Array, origin: AnswerOrigin): ChatAnswer {
  const response = parse(decoder.decode(body), origin);
  const output = response.output ?? [];
  if (!Array.isArray(output)) throw changedType(origin.providerName, "output must be a list");
  const found = new OutputParts(response.id, origin);
  for (const item of output) found.push(item);
  const usage = readUsage(response.usage, plainUsage);
  const finish = decodeFinish(response, found.called);
  const unknown = found.unknown === undefined ? {} : { unknown: found.unknown };
  return {
    ...responseFacts(response),
    choices: [{ index: 0, parts: found.parts, finish, ...unknown }],
    ...(usage === undefined ? {} : { usage }),
  };
}

function parse(text: string, origin: AnswerOrigin): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isJsonObject(parsed)) return parsed;
  } catch {
    throw emptyAnswer(origin.providerName);
  }
  throw changedType(origin.providerName, "the answer must be an object");
}

class OutputParts {
  readonly parts: AssistantPart[] = [];
  #calls = 0;
  unknown: UnknownMembers | undefined;
  readonly #responseId: unknown;
  readonly #origin: AnswerOrigin;

  constructor(responseId: unknown, origin: AnswerOrigin) {
    this.#responseId = responseId;
    this.#origin = origin;
  }

  get called(): boolean {
    return this.#calls > 0;
  }

  push(value: unknown): void {
    if (!isJsonObject(value)) throw changedType(this.#origin.providerName, "output must be a list of objects");
    const item = new Members(value, "output[]", (path, expected) =>
      changedType(this.#origin.providerName, `${path} must be ${expected}`),
    );
    const type = item.text("type") ?? "message";
    switch (type) {
      case "message":
        return this.#pushMessage(item);
      case "reasoning": {
        const decoded = decodeReasoning(item, this.#origin.issuer);
        if (decoded.kind === "parts") this.parts.push(...decoded.parts);
        return;
      }
      case "function_call":
      case "custom_tool_call":
        return this.#pushCall(item, type === "function_call" ? "function" : "custom");
      default:
        this.parts.push({ kind: "opaque", dialect: "responses", type, value, ...recordMark(type) });
    }
  }

  #pushMessage(item: Members): void {
    for (const key of ["id", "status", "role", "phase", "extra_content"]) item.value(key);
    for (const part of item.objects("content") ?? []) {
      const decoded = decodePart(part);
      const said = part.whole().text;
      if (decoded === undefined && said !== undefined && said !== null && typeof said !== "string") {
        throw part.wrong("text", "a string");
      }
      // An empty text says nothing; other kinds of parts have no place in an answer of the other dialects.
      if (decoded?.kind === "text" || decoded?.kind === "refusal") this.parts.push(decoded);
    }
    this.unknown ??= item.unknown();
  }

  #pushCall(item: Members, toolKind: "function" | "custom"): void {
    for (const key of ["id", "status", "namespace", "caller", "async", "created_by"]) item.value(key);
    const id = item.text("call_id") ?? "";
    const state = readThoughtState(item.value("extra_content"));
    const name = item.text("name") ?? "";
    const input = item.text(toolKind === "function" ? "arguments" : "input") ?? "";
    const unknown = item.unknown();
    this.parts.push({
      kind: "tool-call",
      id: id === "" ? madeUpCallId(this.#responseId, this.#calls) : id,
      name,
      arguments: input,
      toolKind,
      ...(state === undefined ? {} : { state }),
      ...(unknown === undefined ? {} : { unknown }),
    });
    this.#calls++;
  }
}

/** For a call that came without one: no two calls of a conversation share it as long as responses have ids of their own. */
export function madeUpCallId(responseId: unknown, position: number): string {
  const of = typeof responseId === "string" ? responseId.replace(/^resp_/, "") : "answer";
  return `call_${of}_${position}`;
}
