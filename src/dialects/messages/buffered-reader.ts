// Holds a buffered Messages answer, or a count of tokens, until it is whole, decides whether it is one, and gives its bytes untouched.

import { joinBytes } from "../../core/byte-pieces.ts";
import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import { type AnswerMembers, readAnswerMembers } from "../answers/answer-members.ts";
import { changedType, emptyAnswer, noChoices, oversizedAnswer } from "../answers/unusable-answer.ts";
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

/** Largest answer that is held (decisions 11). */
const maxAnswerBytes = 32 * 1024 * 1024;

/** The step of `end` is the only one that says anything, unless the answer grows too large. */
export function createMessagesBufferedReader(options: MessagesBufferedReaderOptions): AnswerReader {
  return new MessagesBufferedReader(options);
}

class MessagesBufferedReader implements AnswerReader {
  readonly contentType = "application/json";
  readonly #options: MessagesBufferedReaderOptions;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #failure: Failure | undefined;
  #usage: unknown;

  constructor(options: MessagesBufferedReaderOptions) {
    this.#options = options;
  }

  push(bytes: Uint8Array): ReadStep {
    if (this.#failure === undefined) {
      this.#length += bytes.length;
      if (this.#length > maxAnswerBytes) {
        this.#pieces = [];
        this.#failure = oversizedAnswer(this.#options.providerName);
      } else this.#pieces.push(bytes);
    }
    return stepOf(undefined, this.#failure);
  }

  end(): ReadStep {
    if (this.#failure !== undefined) return stepOf(undefined, this.#failure);
    const body = joinBytes(this.#pieces);
    this.#pieces = [];
    // A byte order mark is passed on with the rest: clients skip it.
    const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
    this.#failure = this.#check(hasMark ? body.subarray(3) : body);
    return stepOf(body, this.#failure);
  }

  facts(): AnswerFacts {
    if (this.#options.operation === "count-tokens") return { usage: undefined, emptyReason: undefined };
    const usage = readMessagesUsage(this.#usage);
    return { usage, emptyReason: usage === undefined || isAllZero(usage) ? "no_usage" : undefined };
  }

  #check(body: Uint8Array): Failure | undefined {
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

function stepOf(body: Uint8Array | undefined, failure: Failure | undefined): ReadStep {
  const complete = body !== undefined && failure === undefined;
  return {
    relay: complete ? body : undefined,
    events: complete ? 1 : 0,
    finished: complete,
    complete,
    failure,
    inBand: false,
  };
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
