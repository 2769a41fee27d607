// Holds a buffered answer until it is whole, decides whether it is one, and gives its bytes untouched.

import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts, JsonMember, Operation } from "../../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { maxJsonDepth, scanObject } from "../json/scan-object.ts";
import { failureOfErrorBody } from "./error-body.ts";
import { failedResult } from "./error-shapes.ts";
import { joinBytes } from "./relay-assembly.ts";
import { changedType, emptyAnswer, noChoices, oversizedAnswer, unnamedError } from "./unusable-answer.ts";
import { isAllZero, plainUsage, readUsage } from "./usage.ts";
import type { UsageFamily } from "./usage.ts";

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

/** Largest answer that is held (decisions 11). */
const maxAnswerBytes = 32 * 1024 * 1024;

/** A body with one of these that is not null is an answer, whatever error is beside it (behaviour 2.4). */
const answerMembers = ["choices", "output", "content", "data", "candidates", "embedding", "embeddings"];

const decoder = new TextDecoder();

/** The step of `end` is the only one that says anything, unless the answer grows too large. */
export function createBufferedReader(options: BufferedReaderOptions): AnswerReader {
  return new BufferedReader(options);
}

class BufferedReader implements AnswerReader {
  readonly contentType = "application/json";
  readonly #options: BufferedReaderOptions;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #failure: Failure | undefined;
  #usage: unknown;
  #cost: unknown;

  constructor(options: BufferedReaderOptions) {
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
    const usage = readUsage(this.#usage, this.#options.usageFamily ?? plainUsage, this.#cost);
    return { usage, emptyReason: usage === undefined || isAllZero(usage) ? "no_usage" : undefined };
  }

  #check(body: Uint8Array): Failure | undefined {
    const { operation, providerName, errorHeaders, retryAfterMs } = this.#options;
    const members = scanObject(body, maxJsonDepth);
    if ("message" in members) {
      return members.kind === "too-deep" ? changedType(providerName, members.message) : emptyAnswer(providerName);
    }
    // Of a repeated member the last one counts, as in JSON.parse.
    const valueOf = (key: string): Uint8Array | undefined => {
      const member = members.findLast((candidate) => candidate.key === key);
      return member === undefined || isNull(body, member)
        ? undefined
        : body.subarray(member.valueStart, member.valueEnd);
    };
    if (saysError(valueOf) && answerMembers.every((key) => valueOf(key) === undefined)) {
      return failureOfErrorBody({ status: 200, body, providerName, headers: errorHeaders ?? [], retryAfterMs });
    }
    const usage = valueOf("usage");
    if (usage !== undefined) {
      this.#usage = JSON.parse(decoder.decode(usage));
      const problem = usageProblem(this.#usage);
      if (problem !== undefined) return changedType(providerName, `usage${problem}`);
    }
    const cost = this.#options.usageFamily?.reportedCost === "edenai_cost" ? valueOf("cost") : undefined;
    if (cost !== undefined) this.#cost = JSON.parse(decoder.decode(cost));
    if (operation === "embeddings") {
      return valueOf("data")?.[0] === openBracket ? undefined : changedType(providerName, "data is not an array");
    }
    return checkChoices(valueOf("choices"), providerName);
  }
}

const openBracket = 0x5b;

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

function isNull(body: Uint8Array, member: JsonMember): boolean {
  return body[member.valueStart] === 0x6e;
}

/** An `error` that is not null, a body that calls itself one, or MiniMax's result with a number that is not 0. */
function saysError(valueOf: (key: string) => Uint8Array | undefined): boolean {
  if (valueOf("error") !== undefined) return true;
  const result = valueOf("base_resp");
  if (result !== undefined && failedResult(JSON.parse(decoder.decode(result))) !== undefined) return true;
  const object = valueOf("object");
  return object !== undefined && decoder.decode(object) === '"error"';
}

/** Unknown fields pass, missing ones are the client's business, but what is there has the type that it always had (behaviour 2.9). */
function checkChoices(json: Uint8Array | undefined, providerName: string): Failure | undefined {
  if (json === undefined) return noChoices();
  if (json[0] !== openBracket) return changedType(providerName, "choices is not an array");
  const choices: unknown = JSON.parse(decoder.decode(json));
  if (!Array.isArray(choices) || choices.length === 0) return noChoices();
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
