// Holds a buffered answer until it is whole, has it judged once, and gives its bytes untouched.

import { joinBytes } from "../../core/byte-pieces.ts";
import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import { oversizedAnswer } from "./unusable-answer.ts";

/** Largest answer that is held (decisions 11). */
const maxAnswerBytes = 32 * 1024 * 1024;

/** What a dialect knows of its documents. */
export interface DocumentJudge {
  /** Undefined: it is an answer. `body` is without a byte order mark. Called once. */
  check(body: Uint8Array): Failure | undefined;
  facts(): AnswerFacts;
}

/** The step of `end` is the only one that says anything, unless the answer grows too large. */
export class WholeBodyReader implements AnswerReader {
  readonly contentType = "application/json";
  readonly #providerName: string;
  readonly #judge: DocumentJudge;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #failure: Failure | undefined;

  constructor(providerName: string, judge: DocumentJudge) {
    this.#providerName = providerName;
    this.#judge = judge;
  }

  push(bytes: Uint8Array): ReadStep {
    if (this.#failure === undefined) {
      this.#length += bytes.length;
      if (this.#length > maxAnswerBytes) {
        this.#pieces = [];
        this.#failure = oversizedAnswer(this.#providerName);
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
    this.#failure = this.#judge.check(hasMark ? body.subarray(3) : body);
    return stepOf(body, this.#failure);
  }

  facts(): AnswerFacts {
    return this.#judge.facts();
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
