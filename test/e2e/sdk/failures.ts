// Scenarios that end in an error: what the upstream does, and as what every SDK must throw it behind the gateway.

import { answerText } from "../../../src/upstream-simulator/answer-text.ts";
import type { CallerDialect, Mode } from "./driver.ts";

export interface Failing {
  readonly name: string;
  /** What the upstream does: a model of the simulator. */
  readonly model: string;
  /** Default: both. */
  readonly modes?: readonly Mode[];
  /** Undefined: the stream had begun. */
  readonly status?: number;
  /** In the message. */
  readonly says: string;
  readonly retryAfter?: string;
  /** Text that must have come before. Default: none. */
  readonly text?: string;
  /**
   * How it is straight from the provider, in the same dialect. `same`: an equal error, body and all. `same-class`: one that has the
   * same class, status and message. `worse`: without the gateway there is no error at all, or one that does not tell the status.
   */
  readonly straight: "same" | "same-class" | "worse";
  /** Gemini's streams have no such form. */
  readonly notGemini?: boolean;
  /** Default: all. */
  readonly callers?: readonly CallerDialect[];
}

const statusFailing = (status: number, more: Partial<Failing> = {}): Failing => ({
  name: `status ${status}`,
  model: `status-${status}`,
  status,
  says: `simulated status ${status}`,
  straight: "same",
  ...more,
});

const streamed: Pick<Failing, "modes"> = { modes: ["stream"] };
const threeWords = (model: string): string => answerText(model, 3);

export const failing: readonly Failing[] = [
  ...[400, 401, 403, 404, 413, 429, 500, 529].map((status) => statusFailing(status)),
  // The type of the body follows the status, in every dialect; Anthropic's own pages know no 503.
  statusFailing(503, { straight: "same-class" }),
  statusFailing(429, { name: "status 429 with Retry-After", model: "status-429~retry-after=7", retryAfter: "7" }),
  statusFailing(503, {
    name: "status 503 with a wait in milliseconds, which is told in seconds too",
    model: "status-503~retry-after-ms=700",
    retryAfter: "1",
    straight: "worse",
  }),
  {
    name: "a context that is too long",
    model: "status-400~message=The%20context%20is%20too%20long~code=context_length_exceeded",
    status: 400,
    says: "The context is too long",
    straight: "same",
  },
  { name: "a page in place of an error", model: "status-502-html", status: 502, says: "It broke", straight: "worse" },
  {
    name: "an error without a body",
    model: "status-503-empty",
    status: 503,
    says: "answered with status 503",
    straight: "worse",
  },
  {
    name: "a connection that breaks",
    model: "reset-before-answer",
    status: 502,
    says: "connection reset",
    straight: "worse",
  },
  {
    name: "an error behind 200",
    model: "hidden-429",
    modes: ["buffered"],
    status: 429,
    says: "simulated error behind 200",
    straight: "worse",
  },
  {
    name: "half a document",
    model: "json-cut",
    modes: ["buffered"],
    status: 502,
    says: "provider returned empty response",
    straight: "worse",
  },
  {
    name: "a page in place of an answer",
    model: "html",
    status: 502,
    says: "answered with text/html",
    straight: "worse",
  },
  {
    name: "an error as first event",
    ...streamed,
    model: "error-first-429",
    status: 429,
    says: "simulated error in the stream",
    straight: "worse",
  },
  {
    name: "comments, then an error as first event",
    ...streamed,
    model: "error-after-comments-429",
    status: 429,
    says: "simulated error in the stream",
    straight: "worse",
  },
  {
    name: "a stream without an event",
    ...streamed,
    model: "stream-empty",
    status: 502,
    says: "provider returned an empty stream",
    straight: "worse",
  },
  {
    name: "a stream of comments",
    ...streamed,
    model: "stream-of-comments",
    status: 502,
    says: "provider returned an empty stream",
    straight: "worse",
  },
  {
    name: "a malformed event at first",
    ...streamed,
    model: "event-malformed-first",
    status: 502,
    says: "malformed event",
    straight: "worse",
  },
  {
    name: "an error in the middle",
    ...streamed,
    model: "error-middle-529",
    says: "simulated error in the stream",
    text: threeWords("error-middle-529"),
    straight: "same-class",
    // The SDK's helper rejects with the bare event of its own, which is no error class.
    callers: ["chat-completions", "messages"],
  },
  {
    name: "an error in the middle, as a caller of Responses sees it",
    ...streamed,
    model: "error-middle-named",
    says: "simulated error in the stream",
    text: threeWords("error-middle-named"),
    straight: "same-class",
  },
  {
    name: "a stream that is cut",
    ...streamed,
    model: "cut-after-3-words",
    says: "ended the stream before the answer was complete",
    text: threeWords("cut-after-3-words"),
    straight: "worse",
  },
  {
    name: "a connection that breaks in the middle",
    ...streamed,
    model: "cut-after-3-words~end=reset",
    says: "connection reset",
    text: threeWords("cut-after-3-words~end=reset"),
    straight: "worse",
  },
  {
    name: "a stream that is cut inside an event",
    ...streamed,
    model: "cut-in-event-3-words",
    says: "ended the stream before the answer was complete",
    text: threeWords("cut-in-event-3-words"),
    straight: "worse",
  },
  {
    name: "a tool call that is cut",
    ...streamed,
    model: "cut-in-tool-call",
    says: "ended the stream before the answer was complete",
    straight: "worse",
    notGemini: true,
  },
];
