// Holds a buffered Messages answer, or a count of tokens, until it is whole, decides whether it is one, and gives its bytes untouched.

import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader } from "../../core/provider.ts";
import { type DocumentJudge, WholeBodyReader } from "../answers/whole-body.ts";
import { type AnswerMembers, readAnswerMembers } from "../answers/answer-members.ts";
import { changedType, emptyAnswer, noChoices } from "../answers/unusable-answer.ts";
import { isAllZero } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { parseAscii } from "../sse/event-data.ts";
import type { ReaderOptions } from "../reader-options.ts";
import { failureOfMessagesError } from "./error-answer.ts";
import { readMessagesUsage } from "./usage.ts";

export interface MessagesBufferedReaderOptions extends ReaderOptions {
  /** count-tokens: the answer is `{"input_tokens":N}`, which nothing is billed for. */
  readonly operation: "messages" | "count-tokens";
}

/** The step of `end` is the only one that says anything, unless the answer grows too large. */
export function createMessagesBufferedReader(options: MessagesBufferedReaderOptions): AnswerReader {
  return new WholeBodyReader(options.providerName, new MessagesDocument(options));
}

class MessagesDocument implements DocumentJudge {
  readonly #options: MessagesBufferedReaderOptions;
  #usage: unknown;

  constructor(options: MessagesBufferedReaderOptions) {
    this.#options = options;
  }

  facts(): AnswerFacts {
    if (this.#options.operation === "count-tokens") return { usage: undefined, emptyReason: undefined };
    const usage = readMessagesUsage(this.#usage);
    return { usage, emptyReason: usage === undefined || isAllZero(usage) ? "no_usage" : undefined };
  }

  check(body: Uint8Array): Failure | undefined {
    const { operation, providerName } = this.#options;
    const members = readAnswerMembers(body);
    if ("message" in members) {
      return members.kind === "too-deep" ? changedType(providerName, members.message) : emptyAnswer(providerName);
    }
    // Whatever error is beside it, a body with content is an answer (behaviour 2.4).
    if (saysErrorIn(members) && !members.has(operation === "messages" ? "content" : "input_tokens")) {
      return failureOfMessagesError(body, parseAscii(body), this.#options);
    }
    if (operation === "count-tokens") {
      const count = members.value("input_tokens");
      if (count === undefined) return emptyAnswer(providerName);
      return typeof count === "number" ? undefined : changedType(providerName, "input_tokens is not a number");
    }
    this.#usage = members.value("usage");
    const problem = this.#usage === undefined ? undefined : usageProblem(this.#usage);
    if (problem !== undefined) return changedType(providerName, `usage${problem}`);
    const stopReason = members.value("stop_reason");
    if (stopReason !== undefined && typeof stopReason !== "string") {
      return changedType(providerName, "stop_reason is not a string");
    }
    return checkContent(members.value("content"), stopReason, providerName);
  }
}

function saysErrorIn(members: AnswerMembers): boolean {
  return members.has("error") || members.value("type") === "error" || members.value("object") === "error";
}

/** A model that has nothing to add says so with a stop reason and no content; without one it is an answer of nothing (recordings, consequence 14). */
function checkContent(content: unknown, stopReason: string | undefined, providerName: string): Failure | undefined {
  if (content === undefined) return noChoices();
  if (!Array.isArray(content)) return changedType(providerName, "content is not an array");
  if (content.length === 0) return stopReason === undefined ? emptyAnswer(providerName) : undefined;
  for (const [index, block] of content.entries()) {
    const problem = blockProblem(block);
    if (problem !== undefined) return changedType(providerName, `content[${index}]${problem}`);
  }
  return undefined;
}

/** The members of the blocks that every client reads; blocks of other types pass. */
function blockProblem(block: unknown): string | undefined {
  if (!isJsonObject(block)) return " is not an object";
  const { type, text, name, thinking } = block;
  switch (type) {
    case "text":
      return isTextOrAbsent(text) ? undefined : ".text is not a string";
    case "tool_use":
      return isTextOrAbsent(name) ? undefined : ".name is not a string";
    case "thinking":
      return isTextOrAbsent(thinking) ? undefined : ".thinking is not a string";
  }
  return isTextOrAbsent(type) ? undefined : ".type is not a string";
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string";
}

/** The counts that every answer has had always. */
function usageProblem(usage: unknown): string | undefined {
  if (!isJsonObject(usage)) return " is not an object";
  const odd = ["input_tokens", "output_tokens"].find((key) => {
    const count = usage[key];
    return count !== undefined && count !== null && typeof count !== "number";
  });
  return odd === undefined ? undefined : `.${odd} is not a number`;
}
