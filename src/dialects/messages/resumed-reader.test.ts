// What the caller gets of a Messages answer that goes on where another broke: rule by rule, then in a few thousand made-up ways.

import { describe, expect, test } from "bun:test";
import {
  blockDelta,
  blockStart,
  blockStop,
  errorEventOf,
  messageDelta,
  messagesAnswer,
  messagesEvent,
  messageStart,
  messageStop,
  ping,
  textDelta,
} from "../../../test/support/messages-events.ts";
import { messagesRequest } from "../../../test/support/messages-request.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { ResumeRule } from "../../core/resume-rule.ts";
import type { DeliveredStream, ResumedReader } from "../../core/stream-recovery.ts";
import { plainUsage, readUsage } from "../answers/usage.ts";
import { followMessagesStream } from "./delivered-stream.ts";
import { createMessagesStreamReader } from "./stream-reader.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const unknown: AnswerFacts = { usage: undefined, emptyReason: undefined };

interface Outcome {
  readonly relay: string;
  readonly events: number;
  readonly complete: boolean;
  readonly failure: string | undefined;
  readonly state: ResumedReader["state"];
  readonly stream: DeliveredStream;
}

function resume(
  delivered: string,
  next: string,
  { rule = "fresh", broken = unknown }: { rule?: ResumeRule; broken?: AnswerFacts } = {},
): Outcome {
  const stream = followMessagesStream(messagesRequest('{"messages":[{"role":"user","content":"hi"}]}'));
  stream.took(encoder.encode(delivered));
  const reader = stream.resume(createMessagesStreamReader({ providerName: "up" }), rule, broken);
  let relay = "";
  let events = 0;
  for (const chunk of [next, undefined]) {
    const step = chunk === undefined ? reader.end() : reader.push(encoder.encode(chunk));
    expect(step.inBand).toBe(false);
    relay += decoder.decode(step.relay);
    events += step.events;
    const { complete, failure } = step;
    if (complete || failure !== undefined) {
      return { relay, events, complete, failure: failure?.message, state: reader.state, stream };
    }
  }
  throw new Error("a stream always ends");
}

const begin = messageStart("a") + blockStart();
const diverged = "the stream broke, and the answer of the provider that took over differs from what was delivered";

/** What ends an answer `b` of `words` words, after one that broke. */
function endOf(input: number, output: number, more: object = {}, index = 0): string {
  const usage = { output_tokens: output, input_tokens: input, ...more };
  return blockStop(index) + messageDelta("end_turn", usage) + messageStop;
}

/** The same events whatever the order of their members. */
function sameEvents(relay: string, expected: string): void {
  const read = (text: string): unknown[] =>
    text
      .split("\n\n")
      .slice(0, -1)
      .map((event) => event.split("\ndata: "))
      .map(([name, data]) => [name, data === undefined ? "" : JSON.parse(data)]);
  expect(read(relay)).toEqual(read(expected));
}

const told: AnswerFacts = {
  emptyReason: undefined,
  usage: createUsage({ input_tokens: 10, output_tokens: 1 }),
};

function createUsage(usage: object): AnswerFacts["usage"] {
  const reader = createMessagesStreamReader({ providerName: "up" });
  reader.push(encoder.encode(messageStart("a", usage)));
  return reader.facts().usage;
}

describe("a fresh answer", () => {
  test("gives what is behind the delivered text, in the block that is open, and what both parts used", () => {
    const { relay, complete, state, events } = resume(
      begin + textDelta("one") + textDelta(" two"),
      messagesAnswer("b", "one two three four").join(""),
      { broken: told },
    );
    sameEvents(relay, textDelta(" three") + textDelta(" four") + endOf(20, 6, { estimated: true }));
    expect([complete, state, events]).toEqual([true, "going-on", 9]);
  });

  test("gives only the rest of a piece of which the caller has the beginning, with what else the piece has", () => {
    const next =
      messageStart("b") +
      blockStart() +
      messagesEvent({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: "one two", x: 1 },
        y: 2,
      }) +
      endOf(10, 3);
    const { relay } = resume(begin + textDelta("one t"), next);
    const rest = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "wo", x: 1 }, y: 2 };
    sameEvents(relay, messagesEvent(rest) + endOf(20, 4, { estimated: true }));
  });

  test("that says the same and no more closes the block and ends", () => {
    const { relay, complete } = resume(begin + textDelta("one two"), messagesAnswer("b", "one two").join(""));
    sameEvents(relay, endOf(20, 3, { estimated: true }));
    expect(complete).toBe(true);
  });

  test("behind a closed block only ends, or goes on in a block of its own", () => {
    const closed = begin + textDelta("one two") + blockStop();
    const usage = { input_tokens: 20, estimated: true };
    sameEvents(
      resume(closed, messagesAnswer("b", "one two").join("")).relay,
      messageDelta("end_turn", { ...usage, output_tokens: 3 }) + messageStop,
    );
    sameEvents(
      resume(closed, messagesAnswer("b", "one two three").join("")).relay,
      blockStart(1) + textDelta(" three", 1) + endOf(20, 4, { estimated: true }, 1),
    );
  });

  test("behind an open block without text is handed on whole, without its beginning", () => {
    const { relay } = resume(begin, messagesAnswer("b", "one two").join(""));
    sameEvents(relay, textDelta("one") + textDelta(" two") + endOf(20, 2, { estimated: true }));
    const onlyStart = resume(messageStart("a"), messagesAnswer("b", "one").join(""));
    sameEvents(onlyStart.relay, blockStart() + textDelta("one") + endOf(20, 1, { estimated: true }));
    const nothing = resume("", messagesAnswer("b", "one").join(""));
    sameEvents(nothing.relay, messageStart("b") + blockStart() + textDelta("one") + endOf(20, 1, { estimated: true }));
  });

  test.each([
    ["differs", messagesAnswer("b", "one 2 three").join("")],
    ["ends before it has caught up", messagesAnswer("b", "one").join("")],
    ["stops before it has caught up", messageStart("b") + blockStart() + textDelta("on") + messageStop],
    ["calls a tool before it", messageStart("b") + blockStart(0, { type: "tool_use", id: "t", name: "f" })],
    ["thinks before it", messageStart("b") + blockStart(0, { type: "thinking", thinking: "" })],
    ["cites", messageStart("b") + blockStart(0) + blockDelta({ type: "citations_delta", citation: {} })],
    ["has a block without a number", messageStart("b") + messagesEvent({ type: "content_block_stop" })],
  ])("that %s is none: nothing of it is given", (_name, next) => {
    const { relay, failure, state, complete } = resume(begin + textDelta("one two"), next);
    expect({ relay, failure, state, complete }).toEqual({
      relay: "",
      failure: diverged,
      state: "diverged",
      complete: false,
    });
  });

  test("may call tools and think once it has caught up: its blocks get the next numbers", () => {
    const tool = { type: "tool_use", id: "t", name: "f", input: {} };
    const next =
      messageStart("b") +
      blockStart() +
      textDelta("one two") +
      blockStop() +
      blockStart(1, tool) +
      blockDelta({ type: "input_json_delta", partial_json: "{}" }, 1) +
      blockStop(1) +
      messageDelta("tool_use", { output_tokens: 9 }) +
      messageStop;
    const closed = begin + textDelta("one") + blockStop() + blockStart(1) + textDelta(" t", 1);
    sameEvents(
      resume(closed, next).relay,
      textDelta("wo", 1) +
        blockStop(1) +
        blockStart(2, tool) +
        blockDelta({ type: "input_json_delta", partial_json: "{}" }, 2) +
        blockStop(2) +
        messageDelta("tool_use", { output_tokens: 11, input_tokens: 20, estimated: true }) +
        messageStop,
    );
  });

  test("that breaks itself gives what is new, and its error is not handed on", () => {
    const next =
      messagesAnswer("b", "one two three").slice(0, 5).join("") + errorEventOf("overloaded_error", "Overloaded");
    expect(resume(begin + textDelta("one"), next)).toMatchObject({
      relay: textDelta(" two") + textDelta(" three"),
      complete: false,
      failure: "Overloaded",
      state: "going-on",
    });
    const early = resume(begin + textDelta("one"), messageStart("b") + ping + blockStart() + textDelta("o"));
    expect([early.relay, early.state]).toEqual(["", "catching-up"]);
  });
});

describe("an answer that was asked to go on", () => {
  const delivered = begin + textDelta("one") + textDelta(" two");

  test("is new from its first character", () => {
    const { relay } = resume(delivered, messagesAnswer("b", " three").join(""), { rule: "prefill", broken: told });
    sameEvents(relay, textDelta(" three") + endOf(20, 3, { estimated: true }));
  });

  test("whose beginning is also that of the delivered text is held until it is known to be new", () => {
    const next = messageStart("b") + blockStart() + textDelta("on") + textDelta("e t") + textDelta("here");
    sameEvents(resume(delivered, next, { rule: "prefill" }).relay, textDelta("one t") + textDelta("here"));
    const short = messageStart("b") + blockStart() + textDelta("one") + endOf(12, 1);
    sameEvents(
      resume(delivered, short, { rule: "prefill" }).relay,
      textDelta("one") + endOf(22, 3, { estimated: true }),
    );
  });

  test("that begins with the whole delivered text may be an echo, so nothing of it is used", () => {
    const next = messagesAnswer("b", "one two three").join("");
    expect(resume(delivered, next, { rule: "prefill" })).toMatchObject({ relay: "", state: "repeats-prefill" });
  });

  test("may call a tool at once: the text is closed first", () => {
    const tool = { type: "tool_use", id: "t", name: "f", input: {} };
    const next = messageStart("b") + blockStart(0, tool) + blockStop() + messageDelta("tool_use", null) + messageStop;
    sameEvents(
      resume(delivered, next, { rule: "prefill" }).relay,
      blockStop() + blockStart(1, tool) + blockStop(1) + messageDelta("tool_use", null) + messageStop,
    );
  });
});

describe("usage", () => {
  test("of the parts is told for billing, with an estimate of what the broken one wrote", () => {
    const { stream } = resume(
      begin + textDelta("one") + textDelta(" two"),
      messagesAnswer("b", "one two three").join(""),
      {
        broken: told,
      },
    );
    expect(stream.brokenParts()).toMatchObject([
      { usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12, caveat: expect.stringContaining("estimated") } },
    ]);
  });

  test("that was told whole is added as it is, cache and all", () => {
    const usage = createUsage({
      input_tokens: 3,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 7,
      output_tokens: 5,
    });
    const next =
      messageStart("b", { input_tokens: 4, cache_read_input_tokens: 90, output_tokens: 1 }) +
      blockStart() +
      textDelta("one two") +
      endOf(4, 6);
    const { relay } = resume(begin + textDelta("one"), next, { broken: { usage, emptyReason: undefined } });
    sameEvents(
      relay,
      textDelta(" two") + endOf(7, 11, { cache_read_input_tokens: 190, cache_creation_input_tokens: 7 }),
    );
  });

  test("of a provider that counts what was cached among its input is added without it", () => {
    const usage = readUsage(
      { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 60 } },
      plainUsage,
    );
    const next =
      messageStart("b", { input_tokens: 4, output_tokens: 1 }) + blockStart() + textDelta("one two") + endOf(4, 6);
    const { relay } = resume(begin + textDelta("one"), next, { broken: { usage, emptyReason: undefined } });
    sameEvents(relay, textDelta(" two") + endOf(44, 11, { cache_read_input_tokens: 60 }));
  });
});
