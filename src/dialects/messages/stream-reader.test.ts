// What the reader relays and concludes: rule by rule, then streams cut and split at every byte and damaged at random.

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
import { judgeDamagedStreams } from "../../../test/streams/damaged-messages.ts";
import { type Outcome, readMessagesStream as read } from "../../../test/streams/read-messages.ts";
import { createMessagesStreamReader } from "./stream-reader.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const begin = messageStart() + blockStart();

describe("relay", () => {
  test("a chunk of whole events is handed on as it is, the beginning of another waits", () => {
    const reader = createMessagesStreamReader({ providerName: "up" });
    const chunk = encoder.encode(begin + textDelta("é"));
    expect(reader.push(chunk)).toEqual({
      relay: chunk,
      events: 3,
      finished: false,
      complete: false,
      failure: undefined,
      inBand: false,
      brokenBytes: undefined,
    });
    expect(reader.push(encoder.encode(`${textDelta("c")}event: conte`)).relay).toEqual(encoder.encode(textDelta("c")));
  });

  test("comments and pings before the first event are dropped and count as nothing, later ones pass uncounted", () => {
    const reader = createMessagesStreamReader({ providerName: "up" });
    expect(reader.push(encoder.encode(`: x\n\n${ping}event: ping\ndata: {}\n\n`))).toMatchObject({
      relay: undefined,
      events: 0,
    });
    const later = `: x\n\n${messageStart()}${ping}: y\n\n`;
    const step = reader.push(encoder.encode(later));
    expect([step.events, decoder.decode(step.relay)]).toEqual([1, later.slice(": x\n\n".length)]);
    expect(reader.push(encoder.encode(ping))).toMatchObject({ events: 0, relay: encoder.encode(ping) });
  });

  test("an event with empty data is left out, wherever it is", () => {
    const { relay, complete } = read([
      `data:\n\n${begin}event: x\ndata: \n\n${textDelta("a")}${messageDelta()}${messageStop}`,
    ]);
    expect([relay, complete]).toEqual([begin + textDelta("a") + messageDelta() + messageStop, true]);
  });

  test("an event of a type nobody knows passes and counts", () => {
    const unknown = messagesEvent({ type: "block_hint", hint: 1 });
    expect(read([begin, unknown, messageDelta(), messageStop])).toMatchObject({ events: 5, complete: true });
    expect(read([begin, unknown, messageDelta(), messageStop]).relay).toContain(unknown);
  });

  test("lines in CRLF, data in two lines and a space too many are read", () => {
    const crlf = (begin + messageDelta() + messageStop).replaceAll("\n", "\r\n");
    expect(read([crlf])).toMatchObject({ relay: crlf, complete: true });
    const twoLines =
      'event: message_delta\ndata:  {"type":"message_delta",\ndata: "delta":{"stop_reason":"end_turn"}}\n\n';
    expect(read([begin, twoLines])).toMatchObject({ finished: true, complete: true });
  });

  test("events without names get those of their types, in one line", () => {
    const whole = begin + textDelta("é") + blockStop() + messageDelta() + messageStop;
    const nameless = whole.replaceAll(/^event: .*\n/gm, "");
    expect(read([nameless])).toMatchObject({ relay: whole, events: 6, complete: true });
    const crlf = `: x\r\n\r\n${nameless.replaceAll("\n", "\r\n")}`;
    expect(read([crlf]).relay).toBe(whole);
    const lines = nameless.replaceAll(',"', ',\ndata: "');
    expect(read([lines])).toMatchObject({ relay: whole.replaceAll(',"', ', "'), complete: true });
    const cut = nameless.slice(0, nameless.indexOf('data: {"type":"message_stop"')).trimEnd();
    expect(read([cut]).relay).toBe(whole);
    const odd = 'data: {"hint":1}\n\ndata: {"type":"a\\nb"}\n\n';
    expect(read([begin + odd]).relay).toBe(begin + odd);
  });

  test("an event that grows beyond 32 MB is a failure", () => {
    const piece = new Uint8Array(8 * 1024 * 1024).fill(0x61);
    expect(read([begin, "data: {", piece, piece, piece, piece])).toMatchObject({
      relay: begin,
      failure: { status: 502, code: "stream_incomplete", message: "provider up sent an event of more than 32 MB" },
    });
  });
});

describe("the terminal", () => {
  test("is message_stop, and what follows it is not handed on", () => {
    const whole = begin + textDelta("a") + blockStop() + messageDelta() + messageStop;
    expect(read([`${whole}${ping}data: [DONE]\n\n`])).toMatchObject({
      relay: whole,
      events: 6,
      finished: true,
      complete: true,
      failure: undefined,
    });
  });

  test("a stop reason finishes the answer, null and an empty text do not", () => {
    const reader = createMessagesStreamReader({ providerName: "up" });
    expect(reader.push(encoder.encode(begin + messageDelta(null) + messageDelta("")))).toMatchObject({
      finished: false,
    });
    expect(reader.push(encoder.encode(messageDelta("tool_use")))).toMatchObject({ finished: true, complete: false });
  });

  test.each([
    ["the end of the body", ""],
    ["a blank line that is missing", messageStop.trimEnd()],
    ["the terminal of another dialect", "data: [DONE]\n\n"],
    ["half a terminal", "event: message_stop\nda"],
  ])("a right one is put behind a stop reason in place of %s", (_name, end) => {
    const whole = begin + textDelta("a") + messageDelta();
    expect(read([whole + end])).toMatchObject({ relay: whole + messageStop, events: 5, complete: true });
  });

  test("a stop reason without its blank line is taken when it is whole", () => {
    const whole = begin + textDelta("a") + messageDelta();
    for (const cut of [1, 2]) {
      expect(read([whole.slice(0, -cut)])).toMatchObject({ relay: whole + messageStop, events: 5, complete: true });
    }
    expect(read([whole.slice(0, -3)])).toMatchObject({ relay: begin + textDelta("a"), failure: { status: 502 } });
  });

  test("message_stop after content and without a stop reason ends the answer, with or without its blank line", () => {
    for (const stop of [messageStop, messageStop.trimEnd()]) {
      expect(read([begin + textDelta("a") + stop])).toMatchObject({
        relay: begin + textDelta("a") + messageStop,
        complete: true,
      });
    }
  });

  test("alone it is an empty stream", () => {
    for (const stop of [messageStop, messageStop.trimEnd(), `: x\n\n${ping}${messageStop}`]) {
      const { relay, failure, complete } = read([stop]);
      expect([relay, complete, failure?.message]).toEqual(["", false, "provider returned an empty stream"]);
    }
  });

  test("without content and without a stop reason it ends no answer", () => {
    for (const stop of [messageStop, messageStop.trimEnd()]) {
      expect(read([messageStart() + stop])).toMatchObject({
        relay: messageStart(),
        failure: { status: 502, code: "stream_incomplete" },
        inBand: false,
      });
    }
  });

  test("a stop reason without content is an answer: the model had nothing to add", () => {
    expect(read([messageStart() + messageDelta() + messageStop])).toMatchObject({ complete: true, events: 3 });
  });

  test.each([["", ping, ": x\n\n", "data: [DONE]\n\n", "event: x\n\n"]])(
    "nothing but %j is an empty stream",
    (text) => {
      expect(read([text])).toMatchObject({
        relay: "",
        failure: { status: 502, message: "provider returned an empty stream" },
      });
    },
  );

  test("the end of the body before it, and another dialect's terminal, are a cut stream", () => {
    for (const end of ["", "data: [DONE]\n\n", textDelta("b").slice(0, -1)]) {
      expect(read([begin + textDelta("a") + end])).toMatchObject({
        relay: begin + textDelta("a"),
        inBand: false,
        failure: {
          origin: "answer",
          status: 502,
          code: "stream_incomplete",
          message: "provider up ended the stream before the answer was complete",
        },
      });
    }
  });
});

describe("errors", () => {
  test.each([
    ["invalid_request_error", 400],
    ["authentication_error", 401],
    ["billing_error", 402],
    ["permission_error", 403],
    ["not_found_error", 404],
    ["request_too_large", 413],
    ["rate_limit_error", 429],
    ["api_error", 500],
    ["timeout_error", 504],
    ["overloaded_error", 529],
    ["surprising_error", 502],
  ])("%s as the first event is a failure of status %d and is not relayed", (type, status) => {
    const options = { errorHeaders: [["retry-after", "7"]] as const, retryAfterMs: 7000 };
    expect(read([ping + errorEventOf(type, "Sorry")], options)).toMatchObject({
      relay: "",
      events: 0,
      inBand: false,
      failure: { origin: "status", status, message: "Sorry", retryAfterMs: 7000, headers: [["retry-after", "7"]] },
    });
  });

  test("in the middle it is relayed as it is, is no event, and belongs to the break", () => {
    const error = errorEventOf("overloaded_error", "Overloaded");
    expect(read([begin + textDelta("a") + error + textDelta("b")])).toMatchObject({
      relay: begin + textDelta("a") + error,
      events: 3,
      inBand: true,
      brokenBytes: error.length,
      failure: { origin: "status", status: 529, message: "Overloaded" },
    });
  });

  test("in events that clients do not know for errors it is relayed in the form of one", () => {
    const right = errorEventOf("rate_limit_error", "slow down");
    for (const odd of [
      'data: {"error":{"type":"rate_limit_error","message":"slow down"}}\n\n',
      'data: {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}\n\n',
      'event: error\ndata: {"error":{"code":429,"message":"slow down"}}\n\n',
      'event: error\ndata: {"type":"rate_limit_error","message":"slow down"}\n\n',
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"error":{"code":"429","message":"slow down"}}\n\n',
      'data: {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}\nevent: error\n\n',
    ]) {
      const { relay, inBand, brokenBytes, failure } = read([begin + odd]);
      expect([failure?.status, failure?.message, inBand]).toEqual([429, "slow down", true]);
      const event = relay.slice(begin.length);
      expect([right, odd]).toContain(event);
      expect(brokenBytes).toBe(event.length);
      expect(read([odd])).toMatchObject({ relay: "", events: 0, failure: { status: 429, message: "slow down" } });
    }
  });

  test("an event named error whose data names none is one, with its data as the message", () => {
    for (const [data, message] of [
      ["Overloaded", "Overloaded"],
      ['{"hint":1}', '{"error":{"hint":1}}'],
      ["[1]", "[1]"],
    ] as const) {
      expect(read([`${begin}event: error\ndata: ${data}\n\n`], { skipMalformed: true })).toMatchObject({
        relay: begin + errorEventOf("api_error", message),
        inBand: true,
        failure: { status: 502, message },
      });
      expect(read([`event: error\ndata: ${data}\n\n`])).toMatchObject({ relay: "", failure: { status: 502, message } });
    }
  });

  test("the word error in a text is none, nor is null", () => {
    const word = textDelta('event: error\n "error":') + blockDelta({ type: "text_delta", text: "error" });
    const result = blockStart(1, { type: "web_search_tool_result", content: { type: "web_search_tool_result_error" } });
    const whole = begin + word + result + messagesEvent({ type: "hint", error: null }) + messageDelta() + messageStop;
    expect(read([whole])).toMatchObject({ relay: whole, complete: true });
  });

  test("one without its blank line is taken when it is whole", () => {
    const error = errorEventOf("overloaded_error", "Overloaded");
    expect(read([begin + error.trimEnd()])).toMatchObject({
      relay: begin + error,
      inBand: true,
      brokenBytes: error.length,
      failure: { status: 529 },
    });
    expect(read([error.trimEnd()])).toMatchObject({ relay: "", inBand: false, failure: { status: 529 } });
  });
});

describe("malformed events", () => {
  const malformed = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":\n\n';

  test("one is relayed and ends the stream", () => {
    expect(read([begin + malformed + textDelta("b")])).toMatchObject({
      relay: begin + malformed,
      inBand: false,
      brokenBytes: malformed.length,
      failure: { code: "stream_incomplete", message: "provider up sent a malformed event in its stream" },
    });
  });

  test("as the first one it is not relayed", () => {
    expect(read(["data: <html>\n\n"])).toMatchObject({ relay: "", failure: { status: 502, code: null } });
  });

  test("up to ten are left out and counted where that is asked for", () => {
    const whole = begin + textDelta("a") + messageDelta() + messageStop;
    const damaged = begin + malformed.repeat(10) + textDelta("a") + messageDelta() + messageStop;
    expect(read([damaged], { skipMalformed: true })).toMatchObject({
      relay: whole,
      complete: true,
      facts: { skippedEvents: 10 },
    });
    expect(read([begin + malformed.repeat(11)], { skipMalformed: true })).toMatchObject({
      relay: begin + malformed,
      failure: { code: "stream_incomplete" },
    });
    expect(read([malformed], { skipMalformed: true })).toMatchObject({
      relay: "",
      failure: { message: "provider up sent a malformed event in its stream" },
    });
  });
});

describe("usage", () => {
  test("the last counts are told, with what only the first event has", () => {
    const start = messageStart("a", {
      input_tokens: 25,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 50,
      output_tokens: 1,
      service_tier: "standard",
    });
    const { facts } = read([
      start + blockStart() + messageDelta("end_turn", { output_tokens: 15, input_tokens: null }),
    ]);
    expect(facts).toMatchObject({
      emptyReason: undefined,
      usage: {
        inputTokens: 25,
        outputTokens: 15,
        cachedInputTokens: 100,
        cacheWriteTokens: 50,
        totalTokens: 190,
        cacheIsExtra: true,
        raw: { service_tier: "standard" },
      },
    });
  });

  test("all zeros are no usage, and none at all is undefined", () => {
    const zero = messageStart("a", { input_tokens: 0, output_tokens: 0 });
    expect(read([zero + blockStart() + messageDelta("end_turn", { output_tokens: 0 })]).facts.emptyReason).toBe(
      "no_usage",
    );
    const none = read([messageStart("a", null) + blockStart() + messageDelta("end_turn", null)]);
    expect(none.facts).toEqual({ usage: undefined, emptyReason: undefined });
  });

  test("what a broken stream had told is kept", () => {
    expect(read([begin + textDelta("a")]).facts.usage).toMatchObject({ inputTokens: 10, outputTokens: 1 });
  });
});

const recordings: readonly (readonly [name: string, text: string])[] = [
  ["text", messagesAnswer("a", "Hello there, Wörld 😀!").join("")],
  ["text in CRLF", messagesAnswer("a", "Hello there, Wörld 😀!").join("").replaceAll("\n", "\r\n")],
  [
    "thinking, text and a tool call, with pings and comments",
    [
      messageStart(),
      ping,
      blockStart(0, { type: "thinking", thinking: "", signature: "" }),
      blockDelta({ type: "thinking_delta", thinking: "hm" }),
      blockDelta({ type: "signature_delta", signature: "c2ln" }),
      blockStop(),
      ": still here\n\n",
      blockStart(1),
      textDelta("Looking.", 1),
      blockStop(1),
      blockStart(2, { type: "tool_use", id: "toolu_1", name: "f", input: {} }),
      blockDelta({ type: "input_json_delta", partial_json: '{"error": "x' }, 2),
      blockDelta({ type: "input_json_delta", partial_json: '"}' }, 2),
      blockStop(2),
      messageDelta("tool_use", { output_tokens: 30 }),
      messageStop,
    ].join(""),
  ],
];

/** Whatever happens to a stream, the caller gets a beginning of it and then exactly one end. */
function judge(whole: string, outcome: Outcome): void {
  expect(outcome.complete).toBe(outcome.failure === undefined);
  const stops = outcome.relay.match(/event: message_stop\r?\ndata/g)?.length ?? 0;
  expect(stops).toBe(outcome.complete ? 1 : 0);
  const sameEnds = outcome.relay.replaceAll(/\r\n?/g, "\n");
  expect(whole.replaceAll(/\r\n?/g, "\n").startsWith(sameEnds)).toBe(true);
  expect(/\n\n$|^$/.test(sameEnds)).toBe(true);
}

describe.each(recordings)("a stream of %s", (_name, text) => {
  const bytes = encoder.encode(text);

  test("cut at every byte is whole or has exactly one failure, and never a byte after it", () => {
    let complete = 0;
    for (let cut = 0; cut <= bytes.length; cut++) {
      const outcome = read([bytes.subarray(0, cut)]);
      judge(text, outcome);
      if (outcome.complete) complete++;
      else expect(outcome.failure?.status).toBe(502);
    }
    // From the end of the stop reason's data on, the answer is whole.
    const last = text.lastIndexOf("event: message_stop");
    const whole = encoder.encode(text.slice(0, last).trimEnd()).length;
    expect(complete).toBe(bytes.length - whole + 1);
  });

  test("split at every byte is the same answer", () => {
    const { relay, events, facts } = read([bytes]);
    for (let at = 0; at <= bytes.length; at++) {
      const outcome = read([bytes.subarray(0, at), bytes.subarray(at)]);
      if (outcome.relay !== relay || outcome.events !== events) throw new Error(`differs when split at ${at}`);
      expect(outcome.facts).toEqual(facts);
    }
    const singles = Array.from(bytes, (byte) => new Uint8Array([byte]));
    expect(read(singles).relay).toBe(relay);
  });

  test("says nothing more after its end", () => {
    const reader = createMessagesStreamReader({ providerName: "up" });
    reader.push(bytes);
    for (const step of [reader.push(encoder.encode(textDelta("x"))), reader.end()]) {
      expect(step).toMatchObject({ relay: undefined, events: 0, complete: true, failure: undefined });
    }
  });
});

test("5000 streams with events lost, doubled, broken, or foreign: one end each, and no event that was not sent", () => {
  const outcomes = judgeDamagedStreams(5000, 6);
  // Everything that can come of a stream has been seen.
  expect([...outcomes].toSorted()).toEqual([
    "broken false",
    "broken true",
    "complete",
    "odd true",
    "provider up ended the stream before the answer was complete false",
    "provider up sent a malformed event in its stream false",
  ]);
});
