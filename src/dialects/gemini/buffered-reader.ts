// Holds a `generateContent` answer until it is whole, decides whether it is one, and gives its bytes untouched.

import { joinBytes } from "../../core/byte-pieces.ts";
import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import { changedType, emptyAnswer, noChoices, oversizedAnswer } from "../answers/unusable-answer.ts";
import { isAllZero } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { maxJsonDepth, scanObject } from "../json/scan-object.ts";
import type { ReaderOptions } from "../reader-options.ts";
import { blockReasonOf, candidatesOf, failedFinish } from "./answer-shape.ts";
import { isFailing } from "./finish-reasons.ts";
import { failureOfGoogleError, googleErrorIn } from "./google-error.ts";
import { readGeminiUsage } from "./read-usage.ts";

/** Largest answer that is held (decisions 11). */
const maxAnswerBytes = 32 * 1024 * 1024;

const decoder = new TextDecoder();

/** The step of `end` is the only one that says anything, unless the answer grows too large. */
export function createGeminiBufferedReader(options: ReaderOptions): AnswerReader {
  return new GeminiBufferedReader(options);
}

class GeminiBufferedReader implements AnswerReader {
  readonly contentType = "application/json";
  readonly #options: ReaderOptions;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #failure: Failure | undefined;
  #usage: unknown;

  constructor(options: ReaderOptions) {
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
    this.#failure = this.#check(body);
    return stepOf(body, this.#failure);
  }

  facts(): AnswerFacts {
    const usage = readGeminiUsage(this.#usage);
    return { usage, emptyReason: usage === undefined || isAllZero(usage) ? "no_usage" : undefined };
  }

  #check(body: Uint8Array): Failure | undefined {
    const { providerName } = this.#options;
    const parsed = parse(body);
    const error = googleErrorIn(parsed);
    if (error !== undefined && !(isJsonObject(parsed) && Array.isArray(parsed["candidates"]))) {
      return failureOfGoogleError(error, this.#options);
    }
    if (!isJsonObject(parsed)) return emptyAnswer(providerName);
    const members = scanObject(withoutMark(body), maxJsonDepth);
    if ("message" in members) {
      return members.kind === "too-deep" ? changedType(providerName, members.message) : emptyAnswer(providerName);
    }
    this.#usage = parsed["usageMetadata"] ?? undefined;
    const problem = this.#usage === undefined ? undefined : usageProblem(this.#usage);
    if (problem !== undefined) return changedType(providerName, `usageMetadata${problem}`);
    const candidates = candidatesOf(parsed, providerName);
    if (candidates instanceof Error) return candidates;
    if (candidates === undefined || candidates.length === 0) {
      return blockReasonOf(parsed) === undefined ? noChoices() : undefined;
    }
    const failed = candidates.find(({ finishReason = "", isUsable }) => !isUsable && isFailing(finishReason));
    return failed === undefined ? undefined : failedFinish(providerName, failed.finishReason ?? "");
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

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    return undefined;
  }
}

/** A byte order mark is no part of the text. */
function withoutMark(body: Uint8Array): Uint8Array {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

/** The counts that every answer has had always. */
function usageProblem(usage: unknown): string | undefined {
  if (!isJsonObject(usage)) return " is not an object";
  const odd = ["promptTokenCount", "candidatesTokenCount", "totalTokenCount"].find((key) => {
    const count = usage[key];
    return count !== undefined && count !== null && typeof count !== "number";
  });
  return odd === undefined ? undefined : `.${odd} is not a number`;
}
