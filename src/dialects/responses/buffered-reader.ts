// Holds a buffered response until it is whole, decides whether it is one, and gives its bytes untouched.

import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader } from "../../core/provider.ts";
import { type DocumentJudge, WholeBodyReader } from "../answers/whole-body.ts";
import { type AnswerMembers, readAnswerMembers } from "../answers/answer-members.ts";
import { errorIn, failedResult } from "../answers/error-shapes.ts";
import { changedType, emptyAnswer } from "../answers/unusable-answer.ts";
import { plainUsage } from "../answers/usage.ts";
import type { UsageFamily } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { ReaderOptions } from "../reader-options.ts";
import { parseObject } from "../sse/event-data.ts";
import { factsOfResponse } from "./answer-facts.ts";
import { failureOfError } from "./stream-failure.ts";

export interface ResponsesBufferedOptions extends ReaderOptions {
  /** Default: what OpenAI does. */
  readonly usageFamily?: UsageFamily;
}

/** The step of `end` is the only one that says anything, unless the answer grows too large. */
export function createResponsesBufferedReader(options: ResponsesBufferedOptions): AnswerReader {
  return new WholeBodyReader(options.providerName, new ResponsesDocument(options));
}

class ResponsesDocument implements DocumentJudge {
  readonly #options: ResponsesBufferedOptions;
  /** What of the answer tells about its use, in the form of a terminal event. */
  #told: JsonObject | undefined;
  #hasOutput = false;

  constructor(options: ResponsesBufferedOptions) {
    this.#options = options;
  }

  facts(): AnswerFacts {
    return factsOfResponse(this.#told, this.#options.usageFamily ?? plainUsage, this.#hasOutput);
  }

  check(body: Uint8Array): Failure | undefined {
    const { providerName } = this.#options;
    const members = readAnswerMembers(body);
    if ("message" in members) {
      return members.kind === "too-deep" ? changedType(providerName, members.message) : emptyAnswer(providerName);
    }
    const status = members.value("status");
    const usage = members.value("usage");
    this.#told = { response: { status, usage, cost: members.value("cost") } };
    // Texts are read again, for those of the members may be garbled.
    if (status === "failed" || (saysError(members) && !hasAnswer(members))) {
      return failureOfError(errorIn(parseObject(body)), this.#options);
    }
    const output = members.value("output");
    const problem = problemOf(members, status, usage, output);
    if (problem !== undefined) return changedType(providerName, problem);
    this.#hasOutput = Array.isArray(output) && output.length > 0;
    return undefined;
  }
}

/** An `error` that is not null, a body that calls itself one, or MiniMax's result with a number that is not 0. */
function saysError(members: AnswerMembers): boolean {
  if (members.has("error") || members.value("object") === "error") return true;
  const result = members.value("base_resp");
  return result !== undefined && failedResult(result) !== undefined;
}

/** Such a body is an answer, whatever error is beside it (behaviour 2.4); the empty list of a response that failed is none. */
function hasAnswer(members: AnswerMembers): boolean {
  const output = members.value("output");
  return Array.isArray(output) ? output.length > 0 || members.value("status") !== undefined : output !== undefined;
}

/** Unknown fields pass, missing ones are the client's business, but what is there has the type that it always had (behaviour 2.9). */
function problemOf(members: AnswerMembers, status: unknown, usage: unknown, output: unknown): string | undefined {
  if (status !== undefined && typeof status !== "string") return "status is not a string";
  if (output === undefined && status === undefined && members.value("object") !== "response") {
    return "the body is no response object";
  }
  if (output !== undefined) {
    if (!Array.isArray(output)) return "output is not an array";
    for (const [index, item] of output.entries()) {
      const problem = itemProblem(item);
      if (problem !== undefined) return `output[${index}]${problem}`;
    }
  }
  return usage === undefined ? undefined : usageProblem(usage);
}

function itemProblem(item: unknown): string | undefined {
  if (!isJsonObject(item)) return " is not an object";
  const { type, content } = item;
  if (type !== undefined && type !== null && typeof type !== "string") return ".type is not a string";
  if (type !== "message" || content === undefined || content === null || typeof content === "string") return undefined;
  if (!Array.isArray(content)) return ".content is neither a string nor an array";
  for (const [index, part] of content.entries()) {
    const problem = partProblem(part);
    if (problem !== undefined) return `.content[${index}]${problem}`;
  }
  return undefined;
}

/** The members of the parts that every client reads; parts of other types pass. */
function partProblem(part: unknown): string | undefined {
  if (!isJsonObject(part)) return " is not an object";
  const { type, text, refusal } = part;
  if (type === "output_text" && !isTextOrAbsent(text)) return ".text is not a string";
  return type === "refusal" && !isTextOrAbsent(refusal) ? ".refusal is not a string" : undefined;
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string";
}

/** The counts that every answer has had always. */
function usageProblem(usage: unknown): string | undefined {
  if (!isJsonObject(usage)) return "usage is not an object";
  const odd = ["input_tokens", "output_tokens", "total_tokens"].find((key) => {
    const count = usage[key];
    return count !== undefined && count !== null && typeof count !== "number";
  });
  return odd === undefined ? undefined : `usage.${odd} is not a number`;
}
