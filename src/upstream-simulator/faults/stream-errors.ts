// Errors inside a stream with status 200.

import type { Asked } from "../asked.ts";
import { faultGroup, type FaultEntry } from "../fault.ts";
import { done, event, streamOf, textStream } from "../event-stream.ts";
import { chatEnvelope } from "../json-answer.ts";

const message = (asked: Asked): string => asked.options.get("message") ?? "simulated error in the stream";

/** A status, the same as a string (`quoted-429`), a word, no code at all, or a string in place of the object. */
const kind = "(\\d{1,3}|quoted-\\d{1,3}|named|uncoded|text)";
const kinds = ["400", "401", "429", "500", "503", "quoted-429", "named", "uncoded", "text"];

function errorValue(asked: Asked, word = "uncoded"): unknown {
  const text = message(asked);
  if (word === "text") return text;
  if (word === "uncoded") return { message: text };
  if (word === "named") return { message: text, type: "overloaded_error", code: "server_overloaded" };
  return { message: text, code: word.startsWith("quoted-") ? word.slice("quoted-".length) : Number(word) };
}

const errorEvent = (asked: Asked, word: string | undefined): string => event({ error: errorValue(asked, word) });

/** The events before and after an error, by where it is. */
const surroundings: readonly {
  name: string;
  where: string;
  around: (asked: Asked, error: string) => readonly string[];
}[] = [
  { name: "first", where: "as the first event", around: (_, error) => [error] },
  { name: "first-then-done", where: "as the first event, then [DONE]", around: (_, error) => [error, done] },
  {
    name: "after-comments",
    where: "after comments, as the first event",
    around: (_, error) => [": processing\n\n", ":\n\n", ": processing\n\n", error],
  },
  {
    name: "after-role",
    where: "after the role event",
    around: (asked, error) => [textStream(asked).role, error],
  },
  {
    name: "middle",
    where: "after three words",
    around: (asked, error) => [textStream(asked).role, ...textStream(asked).words.slice(0, 3), error],
  },
  {
    name: "middle-then-done",
    where: "after three words, then [DONE]",
    around: (asked, error) => [textStream(asked).role, ...textStream(asked).words.slice(0, 3), error, done],
  },
  {
    name: "middle-then-more",
    where: "after three words, then the stream goes on to its right end",
    around: (asked, error) => {
      const { role, words, finish, usage } = textStream(asked);
      return [role, ...words.slice(0, 3), error, ...words.slice(3), finish, ...usage, done];
    },
  },
  {
    name: "last",
    where: "after the finish_reason",
    around: (asked, error) => [textStream(asked).role, ...textStream(asked).words, textStream(asked).finish, error],
  },
];

const places = surroundings.map(({ name, where, around }): FaultEntry => ({
  name: `error-${name}`,
  sentence: `An error event ${where}.`,
  parameters: new RegExp(`^${kind}$`),
  examples: kinds.map((word) => `error-${name}-${word}`),
  plan: (asked, [, word]) => streamOf(asked, around(asked, errorEvent(asked, word))),
}));

const forms: readonly FaultEntry[] = [
  {
    name: "error-named-event",
    sentence: "A first event of type error whose data is the error object itself.",
    plan: (asked) => streamOf(asked, [`event: error\ndata: ${JSON.stringify(errorValue(asked, "503"))}\n\n`]),
  },
  {
    name: "error-in-chunk",
    sentence: "A first chunk with empty choices and an error object of code 429.",
    plan: (asked) =>
      streamOf(asked, [
        event({ ...chatEnvelope(asked, "chat.completion.chunk"), choices: [], error: errorValue(asked, "429") }),
        done,
      ]),
  },
  {
    name: "error-in-finish",
    sentence: "After three words a chunk with finish_reason error and an error object of code 502.",
    plan: (asked) => {
      const { role, words } = textStream(asked);
      const choices = [{ index: 0, delta: { content: "" }, finish_reason: "error" }];
      const broken = { ...chatEnvelope(asked, "chat.completion.chunk"), choices, error: errorValue(asked, "502") };
      return streamOf(asked, [role, ...words.slice(0, 3), event(broken), done]);
    },
  },
  {
    name: "error-null",
    sentence: "A right stream whose chunks carry the field error with the value null.",
    whole: true,
    plan: (asked) => {
      const { role, words, finish, usage } = textStream(asked, undefined, { error: null });
      return streamOf(asked, [role, ...words, finish, ...usage, done]);
    },
  },
];

export const streamErrors = faultGroup("stream-error", ["stream"], [...places, ...forms]);
