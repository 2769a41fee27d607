// The port for going on at another target with a stream that broke after its first event (behaviour 2.12, stream recovery).

import type { AnswerFacts, ClientDialect, ModelRequest } from "./model-request.ts";
import type { AnswerReader } from "./provider.ts";
import type { ResumeRule } from "./resume-rule.ts";

/**
 * Why no other target can go on from what was delivered. finished: a finish reason or the terminal is out. several-choices: more than one was
 * asked for or seen. other-content: anything that is neither plain text nor a bare number or flag. unreadable: what was delivered cannot be
 * understood. too-long: more text than is kept for this purpose, 4 million UTF-16 units.
 */
export type RecoveryObstacle =
  | "tool-calls"
  | "reasoning"
  | "refusal"
  | "audio"
  | "logprobs"
  | "other-content"
  | "several-choices"
  | "finished"
  | "unreadable"
  | "too-long";

/**
 * catching-up: nothing of this answer has gone to the caller, and it is open whether it will fit. going-on: everything it says is new.
 * diverged: it says something else than what was delivered, so there is no going on (`stream_incomplete`); no fault of the target.
 * repeats-prefill: asked to go on, it began with the whole delivered text. Whether that is an echo or the real continuation cannot be known, so
 * nothing of it was used: a fresh start tells.
 */
export type ResumeState = "catching-up" | "going-on" | "diverged" | "repeats-prefill";

/** Gives the caller only what is missing. A step before that has no `relay`, its `events` count all the same. Never `inBand`. */
export interface ResumedReader extends AnswerReader {
  readonly state: ResumeState;
  /** This answer's own, not those of the answers before it. */
  facts(): AnswerFacts;
}

/** Follows what went to the caller of one stream, so that another target can go on where it broke. */
export interface DeliveredStream {
  /** Whole events that were handed to the caller, in order, those of resumed readers too. Copied; read in batches of 64 kB, not one by one. */
  took(relay: Uint8Array): void;
  /** Undefined: another target can go on. */
  obstacle(): RecoveryObstacle | undefined;
  /**
   * The caller's request with the delivered text as the last message, from the assistant; every other byte stays. Undefined when it has to be a
   * fresh start: there is no text yet, the caller's own last message is from the assistant, or the text ends in white space (which
   * providers strip or refuse) or inside a character.
   */
  continuation(): ModelRequest | undefined;
  /**
   * The reader to use instead of the next target's own; only without an obstacle. `broken`: what the answer that broke told about itself,
   * from its reader's `facts()`.
   */
  resume(next: AnswerReader, rule: ResumeRule, broken: AnswerFacts): ResumedReader;
  /**
   * What each answer that broke used, in order, the last answer not among them. Where it did not tell, it is estimated once another did:
   * a token for each piece of text, and the prompt as the other counted it; `usage.caveat` says so. For billing, after the last step.
   */
  brokenParts(): readonly AnswerFacts[];
}

/** A dialect whose broken streams can be gone on with. */
export interface RecoverableDialect extends ClientDialect {
  /** For one stream, from its first byte on. */
  followStream(request: ModelRequest): DeliveredStream;
}
