// Holds a buffered answer until it is whole, decides whether it is one, and gives its bytes untouched.

import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts, Operation } from "../../core/model-request.ts";
import type { AnswerReader } from "../../core/provider.ts";
import { type DocumentJudge, WholeBodyReader } from "../answers/whole-body.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { type AnswerMembers, readAnswerMembers } from "../answers/answer-members.ts";
import { failureOfErrorBody } from "../answers/error-body.ts";
import { failedResult } from "../answers/error-shapes.ts";
import { changedType, emptyAnswer, noChoices, unnamedError } from "../answers/unusable-answer.ts";
import { isAllZero, plainUsage, readUsage } from "../answers/usage.ts";
import type { UsageFamily } from "../answers/usage.ts";

export interface BufferedReaderOptions {
  readonly operation: Operation;
  /** For messages. */
  readonly providerName: string;
  /** Default: what OpenAI does. */
  readonly usageFamily?: UsageFamily;
  /** Handed to the caller with an error that was hidden behind a success status. */
  readonly errorHeaders?: Failure["headers"];
  /** The provider's wish in the headers of this answer, for the same case. */
  readonly retryAfterMs?: number | undefined;
}

/** A body with one of these that is not null is an answer, whatever error is beside it (behaviour 2.4). */
const answerMembers = ["choices", "output", "content", "data", "candidates", "embedding", "embeddings"];

/** The step of `end` is the only one that says anything, unless the answer grows too large. */
export function createBufferedReader(options: BufferedReaderOptions): AnswerReader {
  return new WholeBodyReader(options.providerName, new ChatDocument(options));
}

class ChatDocument implements DocumentJudge {
  readonly #options: BufferedReaderOptions;
  #usage: unknown;
  #cost: unknown;

  constructor(options: BufferedReaderOptions) {
    this.#options = options;
  }

  facts(): AnswerFacts {
    const usage = readUsage(this.#usage, this.#options.usageFamily ?? plainUsage, this.#cost);
    return { usage, emptyReason: usage === undefined || isAllZero(usage) ? "no_usage" : undefined };
  }

  check(body: Uint8Array): Failure | undefined {
    const { operation, providerName, usageFamily } = this.#options;
    const members = readAnswerMembers(body);
    if ("message" in members) {
      return members.kind === "too-deep" ? changedType(providerName, members.message) : emptyAnswer(providerName);
    }
    if (saysError(members) && !answerMembers.some((key) => members.has(key))) {
      const { errorHeaders: headers = [], retryAfterMs } = this.#options;
      return failureOfErrorBody({ status: 200, body, providerName, headers, retryAfterMs });
    }
    this.#usage = members.value("usage");
    const problem = this.#usage === undefined ? undefined : usageProblem(this.#usage);
    if (problem !== undefined) return changedType(providerName, `usage${problem}`);
    if (usageFamily?.reportedCost === "edenai_cost") this.#cost = members.value("cost");
    if (operation === "embeddings") {
      return members.isArray("data") ? undefined : changedType(providerName, "data is not an array");
    }
    return checkChoices(members.value("choices"), providerName);
  }
}

/** An `error` that is not null, a body that calls itself one, or MiniMax's result with a number that is not 0. */
function saysError(members: AnswerMembers): boolean {
  if (members.has("error") || members.value("object") === "error") return true;
  const result = members.value("base_resp");
  return result !== undefined && failedResult(result) !== undefined;
}

/** Unknown fields pass, missing ones are the client's business, but what is there has the type that it always had (behaviour 2.9). */
function checkChoices(choices: unknown, providerName: string): Failure | undefined {
  if (choices === undefined) return noChoices();
  if (!Array.isArray(choices)) return changedType(providerName, "choices is not an array");
  if (choices.length === 0) return noChoices();
  for (const [index, choice] of choices.entries()) {
    const problem = choiceProblem(choice);
    if (problem !== undefined) return changedType(providerName, `choices[${index}]${problem}`);
  }
  return choices.some(endedInError) ? unnamedError(providerName) : undefined;
}

/** What came of such a choice is no answer, and whoever reads only the text would take it for one. */
function endedInError(choice: unknown): boolean {
  return isJsonObject(choice) && choice.finish_reason === "error";
}

/** The counts that every answer has had always; the rest differs from provider to provider. */
function usageProblem(usage: unknown): string | undefined {
  if (!isJsonObject(usage)) return " is not an object";
  const odd = ["prompt_tokens", "completion_tokens", "total_tokens"].find((key) => {
    const count = usage[key];
    return count !== undefined && count !== null && typeof count !== "number";
  });
  return odd === undefined ? undefined : `.${odd} is not a number`;
}

function choiceProblem(choice: unknown): string | undefined {
  if (!isJsonObject(choice)) return " is not an object";
  const { message, finish_reason: finishReason } = choice;
  if (finishReason !== undefined && finishReason !== null && typeof finishReason !== "string") {
    return ".finish_reason is not a string";
  }
  if (message === undefined || message === null) return undefined;
  if (!isJsonObject(message)) return ".message is not an object";
  const { content, tool_calls: toolCalls } = message;
  if (content !== undefined && content !== null && typeof content !== "string" && !Array.isArray(content)) {
    return ".message.content is neither a string nor an array";
  }
  if (toolCalls !== undefined && toolCalls !== null && !Array.isArray(toolCalls)) {
    return ".message.tool_calls is not an array";
  }
  return undefined;
}
