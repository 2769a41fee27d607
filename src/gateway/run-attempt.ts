// One HTTP try: send, and hold the answer back until there is something worth committing to.

import type { Clock } from "../core/clock.ts";
import { Failure, unexpectedError } from "../core/failure.ts";
import { isComing } from "../core/later.ts";
import type { PreparedCall, ReadStep, SendOptions, UpstreamAnswer } from "../core/provider.ts";
import type { Attempt, AttemptKind } from "../core/turn.ts";
import { HeldAnswer } from "./held-answer.ts";

export type AttemptResult =
  | { readonly started: false; readonly attempt: Attempt; readonly failure: Failure }
  | {
      readonly started: true;
      readonly attempt: Attempt;
      readonly answer: UpstreamAnswer;
      /** Its `relay` is the first thing the caller gets. */
      readonly first: ReadStep;
      readonly relay: Uint8Array;
    };

/**
 * `stream`: note when the first event came. `hold`: start only with the whole answer, so that what breaks before has not begun for the
 * caller. `onFirstEvent`: told for streams, for whoever cannot wait for the start. Never rejects. A started attempt's outcome is decided by whoever relays the rest.
 */
export async function runAttempt(
  call: PreparedCall,
  kind: AttemptKind,
  options: SendOptions,
  stream: boolean,
  hold: boolean,
  clock: Clock,
  onFirstEvent?: () => void,
): Promise<AttemptResult> {
  const begun = clock.now();
  const attempt: Attempt = {
    kind,
    startedAt: clock.wallNow(),
    durationMs: 0,
    firstEventMs: undefined,
    outcome: "failed",
    statusCode: undefined,
    failure: undefined,
  };
  let answer: UpstreamAnswer | undefined;
  let held: HeldAnswer | undefined;
  try {
    answer = await call.send(options);
    const { body, reader } = answer;
    attempt.statusCode = answer.status;
    held = hold ? new HeldAnswer(body, clock) : undefined;
    for (;;) {
      const read = held === undefined ? body.read() : held.read();
      const bytes = isComing(read) ? await read : read;
      const step = bytes === undefined ? reader.end() : reader.push(bytes);
      if (stream && step.events > 0 && attempt.firstEventMs === undefined) {
        attempt.firstEventMs = clock.now() - begun;
        body.started();
        onFirstEvent?.();
      }
      const relay = held === undefined ? step.relay : held.take(step);
      if (relay !== undefined) {
        attempt.durationMs = clock.now() - begun;
        return { started: true, attempt, answer, first: step, relay };
      }
      if (step.failure !== undefined) throw step.failure;
      if (step.complete || bytes === undefined) throw new Error("the reader ended without an answer or a failure");
    }
  } catch (error) {
    answer?.body.cancel();
    const failure = error instanceof Failure ? error : unexpectedError(error);
    attempt.durationMs = clock.now() - begun;
    attempt.outcome = failure.origin === "cancelled" ? "cancelled" : "failed";
    attempt.failure = failure;
    if (answer !== undefined && held !== undefined && held.events > 0) {
      attempt.thrownAway = { facts: answer.reader.facts(), events: held.events };
    }
    if (failure.origin !== "transport" && failure.origin !== "cancelled") attempt.statusCode = failure.status;
    return { started: false, attempt, failure };
  } finally {
    held?.close();
  }
}
