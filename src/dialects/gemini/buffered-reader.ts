// Holds a `generateContent` answer until it is whole, decides whether it is one, and gives its bytes untouched.

import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader } from "../../core/provider.ts";
import { type DocumentJudge, WholeBodyReader } from "../answers/whole-body.ts";
import { changedType, emptyAnswer, noChoices } from "../answers/unusable-answer.ts";
import { isAllZero } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { maxJsonDepth, scanObject } from "../json/scan-object.ts";
import type { ReaderOptions } from "../reader-options.ts";
import { blockReasonOf, candidatesOf, failedFinish } from "./answer-shape.ts";
import { isFailing } from "./finish-reasons.ts";
import { failureOfGoogleError, googleErrorIn } from "./google-error.ts";
import { readGeminiUsage } from "./read-usage.ts";

const decoder = new TextDecoder();

/** The step of `end` is the only one that says anything, unless the answer grows too large. */
export function createGeminiBufferedReader(options: ReaderOptions): AnswerReader {
  return new WholeBodyReader(options.providerName, new GeminiDocument(options));
}

class GeminiDocument implements DocumentJudge {
  readonly #options: ReaderOptions;
  #usage: unknown;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  facts(): AnswerFacts {
    const usage = readGeminiUsage(this.#usage);
    return { usage, emptyReason: usage === undefined || isAllZero(usage) ? "no_usage" : undefined };
  }

  check(body: Uint8Array): Failure | undefined {
    const { providerName } = this.#options;
    const parsed = parse(body);
    const error = googleErrorIn(parsed);
    if (error !== undefined && !(isJsonObject(parsed) && Array.isArray(parsed["candidates"]))) {
      return failureOfGoogleError(error, this.#options);
    }
    if (!isJsonObject(parsed)) return emptyAnswer(providerName);
    const members = scanObject(body, maxJsonDepth);
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

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    return undefined;
  }
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
