// Errors inside a stream with status 200.

import type { Dialect } from "../../core/chat-request.ts";
import type { Asked } from "../asked.ts";
import type { SentEvent } from "../answer-forms.ts";
import { allDialects, chatOnly, faultGroup, type FaultEntry } from "../fault.ts";
import { beginning, eventsOf, streamOf, textsOf, throughFinish, upToPieces } from "../event-stream.ts";
import { chatEnvelope, deltaEvent, done, event } from "../forms/chat-events.ts";
import { namedEvent } from "../forms/named-event.ts";
import { formsOf } from "../forms-of.ts";
import { spokenPieces, wordsOf } from "../spoken-answer.ts";

/** Gemini's last chunk is an ordinary one, and nothing stands in front of its first text. */
const withDone: readonly Dialect[] = ["chat-completions", "responses", "messages"];
/** For errors inside the answer's own object. */
const withResponse: readonly Dialect[] = ["chat-completions", "responses"];

const message = (asked: Asked): string => asked.options.get("message") ?? "simulated error in the stream";

/** A status, the same as a string (`quoted-429`), a word, no code at all, or a string in place of the object. */
const kind = "(\\d{1,3}|quoted-\\d{1,3}|named|uncoded|text)";
const kinds = ["400", "401", "429", "500", "503", "quoted-429", "named", "uncoded", "text"];

type ErrorMaker = (eventsBefore: number) => string;

const errorEvent =
  (asked: Asked, word = "uncoded"): ErrorMaker =>
  (eventsBefore) =>
    formsOf(asked).errorEvent(message(asked), word, eventsBefore);

/** These events, then the error, then those. */
function around(before: readonly SentEvent[], error: ErrorMaker, after: readonly SentEvent[] = []): readonly string[] {
  return [...textsOf(before), error(before.length), ...textsOf(after)];
}

const lastOf = (asked: Asked): readonly SentEvent[] => eventsOf(asked).slice(-1);

/** The events before and after an error, by where it is. */
const surroundings: readonly {
  name: string;
  where: string;
  dialects?: readonly Dialect[];
  around: (asked: Asked, error: ErrorMaker) => readonly string[];
}[] = [
  { name: "first", where: "as the first event", around: (_, error) => around([], error) },
  {
    name: "first-then-done",
    where: "as the first event, then [DONE]",
    dialects: withDone,
    around: (asked, error) => around([], error, lastOf(asked)),
  },
  {
    name: "after-comments",
    where: "after comments, as the first event",
    around: (_, error) => [": processing\n\n", ":\n\n", ": processing\n\n", error(0)],
  },
  {
    name: "after-role",
    where: "after the role event",
    dialects: withDone,
    around: (asked, error) => around(upToPieces(eventsOf(asked), 0), error),
  },
  {
    name: "middle",
    where: "after three words",
    around: (asked, error) => around(beginning(asked), error),
  },
  {
    name: "middle-then-done",
    where: "after three words, then [DONE]",
    dialects: withDone,
    around: (asked, error) => around(beginning(asked), error, lastOf(asked)),
  },
  {
    name: "middle-then-more",
    where: "after three words, then the stream goes on to its right end",
    around: (asked, error) => {
      const start = beginning(asked);
      return around(start, error, eventsOf(asked).slice(start.length));
    },
  },
  {
    name: "last",
    where: "after the finish_reason",
    dialects: ["chat-completions", "messages", "gemini"],
    around: (asked, error) => around(throughFinish(eventsOf(asked)), error),
  },
];

const places = surroundings.map(({ name, where, dialects = allDialects, around: placed }): FaultEntry => ({
  name: `error-${name}`,
  sentence: `An error event ${where}.`,
  parameters: new RegExp(`^${kind}$`),
  examples: kinds.map((word) => `error-${name}-${word}`),
  dialects,
  plan: (asked, [, word]) => streamOf(asked, placed(asked, errorEvent(asked, word))),
}));

const codedError = (asked: Asked, code: number): object => ({ message: message(asked), code });

/** A response that says itself that it failed, behind these events of a right one. */
function failedResponse(asked: Asked, before: readonly SentEvent[], status: number): readonly string[] {
  const response = formsOf(asked).bookkeptError(asked, message(asked), status);
  return [...textsOf(before), namedEvent({ type: "response.failed", sequence_number: before.length, response })];
}

const forms: readonly FaultEntry[] = [
  {
    name: "error-named-event",
    sentence: "A first event of type error whose data is the error object itself.",
    dialects: chatOnly,
    plan: (asked) => streamOf(asked, [`event: error\ndata: ${JSON.stringify(codedError(asked, 503))}\n\n`]),
  },
  {
    name: "error-in-chunk",
    sentence: "A first chunk with empty choices and an error object of code 429.",
    dialects: withResponse,
    plan: (asked) => {
      if (asked.dialect === "responses")
        return streamOf(asked, failedResponse(asked, eventsOf(asked).slice(0, 2), 429));
      const broken = { ...chatEnvelope(asked, "chat.completion.chunk"), choices: [], error: codedError(asked, 429) };
      return streamOf(asked, [event(broken), done]);
    },
  },
  {
    name: "error-in-finish",
    sentence: "After three words a chunk with finish_reason error and an error object of code 502.",
    dialects: withResponse,
    plan: (asked) => {
      if (asked.dialect === "responses") return streamOf(asked, failedResponse(asked, beginning(asked), 502));
      const choices = [{ index: 0, delta: { content: "" }, finish_reason: "error" }];
      const broken = { ...chatEnvelope(asked, "chat.completion.chunk"), choices, error: codedError(asked, 502) };
      return streamOf(asked, [...textsOf(beginning(asked)), event(broken), done]);
    },
  },
  {
    name: "error-null",
    sentence: "A right stream whose chunks carry the field error with the value null.",
    dialects: chatOnly,
    whole: true,
    plan: (asked) => {
      const words = spokenPieces(asked, wordsOf(asked));
      const events = eventsOf(asked);
      const chunks = words.map((content) => deltaEvent(asked, { content }, { error: null }));
      return streamOf(asked, [
        ...textsOf(upToPieces(events, 0)),
        ...chunks,
        ...textsOf(events.filter(({ place }) => place === "finish" || place === "usage" || place === "end")),
      ]);
    },
  },
];

export const streamErrors = faultGroup("stream-error", ["stream"], [...places, ...forms]);
