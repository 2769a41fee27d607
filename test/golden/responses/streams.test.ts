// Streams between the Responses dialect and the hub, against values written from the documentation.

import { describe, expect, test } from "bun:test";
import type { ChatEvent, StreamEvent } from "../../../src/core/chat-answer.ts";
import { plainEvents } from "../../../src/dialects/hub/plain-events.ts";
import { responsesTranslator } from "../../../src/dialects/responses/translator.ts";
import { decodedStreams } from "./decode-stream.ts";
import type { DecodedStreamCase } from "./decode-stream.ts";
import { encodedStreams } from "./encode-stream.ts";
import { answerContext, openaiOrigin } from "./fixtures.ts";
import { readStream, streamText } from "./stream-text.ts";

const encoder = new TextEncoder();

function wireOf(one: DecodedStreamCase): Uint8Array {
  const created = { type: "response.created", response: { id: "resp_1", model: "m", status: "in_progress" } };
  const { type, response } = one.terminal ?? { type: "response.completed", response: { status: "completed" } };
  return encoder.encode(streamText([created, ...one.wire, { type, response: { id: "resp_1", ...response } }]));
}

function decode(pieces: readonly Uint8Array[]): readonly ChatEvent[] {
  const decoder = responsesTranslator.createDecoder(openaiOrigin);
  const events: StreamEvent[] = [];
  for (const piece of pieces) decoder.push(piece, events);
  decoder.finish(events);
  return plainEvents(events);
}

const stop: ChatEvent = { kind: "finish", choice: 0, finish: { reason: "stop", raw: "completed" } };

describe("of a provider", () => {
  test.each(decodedStreams.map((one) => [one.name, one] as const))("%s", (_name, one) => {
    const expected = [{ kind: "start", id: "resp_1", model: "m" }, ...one.hub, ...(one.end ?? [stop])];
    expect(decode([wireOf(one)])).toEqual(expected as ChatEvent[]);
  });

  test.each(decodedStreams.map((one) => [one.name, one] as const))("cut at every byte: %s", (_name, one) => {
    const bytes = wireOf(one);
    const whole = decode([bytes]);
    for (let at = 1; at < bytes.length; at++) {
      expect(decode([bytes.subarray(0, at), bytes.subarray(at)])).toEqual([...whole]);
    }
    expect(decode([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual([...whole]);
  });

  test("usage comes with the end, and nothing after it counts", () => {
    const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
    const text = streamText([
      { type: "response.completed", response: { id: "resp_1", status: "completed", usage } },
      { type: "response.output_text.delta", delta: "late" },
    ]);
    const events = decode([encoder.encode(`${text}data: [DONE]\n\n`)]);
    expect(events.map(({ kind }) => kind)).toEqual(["start", "finish", "usage"]);
    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } });
  });

  test.each([
    [{ type: "response.output_text.delta", delta: 5 }, "delta must be a string"],
    [{ type: "response.output_item.done", item: 5 }, "item must be an object"],
    [{ type: "response.completed", response: 5 }, "response must be an object"],
    [{ type: "response.completed", response: { output: {} } }, "output must be a list"],
  ])("%j has another type than it always had", (event, message) => {
    expect(() => decode([encoder.encode(streamText([event]))])).toThrow(
      `failed to unmarshal response: ${message} (provider first)`,
    );
  });
});

describe("for a caller", () => {
  test.each(encodedStreams.map((one) => [one.name, one] as const))("%s", (_name, one) => {
    const stream = responsesTranslator.createEncoder(answerContext(one.request ?? {}));
    const begun = stream.encode([{ kind: "start" }, ...one.hub]) ?? new Uint8Array(0);
    const { events, done } = readStream([begun, stream.finish()]);
    const bare = events.map(({ sequence_number: _number, ...event }) => event);
    expect(bare.slice(0, 2).map(({ type }) => type)).toEqual(["response.created", "response.in_progress"]);
    expect(bare.slice(2, -1)).toEqual([...one.wire] as typeof bare);
    const status = one.status ?? "completed";
    expect(bare.at(-1)).toMatchObject({
      type: `response.${status}`,
      response: { status, incomplete_details: one.reason === undefined ? null : { reason: one.reason } },
    });
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
    expect(done).toBe(true);
  });

  test("the terminal has the whole output and the usage that came last", () => {
    const stream = responsesTranslator.createEncoder(answerContext({}));
    const usage = {
      cachedInputTokens: 1,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      audioInputTokens: 0,
      audioOutputTokens: 0,
      cacheIsExtra: false,
      reasoningIsExtra: false,
      unmappedFields: [],
      raw: {},
    };
    const begun = stream.encode([
      {
        kind: "start",
        id: "resp_7",
        model: "claude",
        created: 5,
        usage: { ...usage, inputTokens: 9, outputTokens: 0, totalTokens: 9 },
      },
      { kind: "text", choice: 0, text: "hi" },
      { kind: "finish", choice: 0, finish: { reason: "stop" } },
      { kind: "usage", usage: { ...usage, inputTokens: 9, outputTokens: 2, totalTokens: 11 } },
    ]);
    const { events } = readStream([begun ?? new Uint8Array(0), stream.finish()]);
    expect(events.at(-1)?.response).toMatchObject({
      id: "resp_7",
      model: "claude",
      created_at: 5,
      output: [{ type: "message", content: [{ text: "hi" }] }],
      usage: { input_tokens: 9, output_tokens: 2, total_tokens: 11, input_tokens_details: { cached_tokens: 1 } },
    });
    expect(events[0]?.response).toMatchObject({ id: "resp_7", status: "in_progress", usage: null, output: [] });
  });

  test("a broken stream ends in an error and a failed response, and asking changes nothing", () => {
    const stream = responsesTranslator.createEncoder(answerContext({}));
    const begun = stream.encode([{ kind: "text", choice: 0, text: "half" }]) ?? new Uint8Array(0);
    const first = stream.breakOff("it broke", "stream_incomplete");
    expect(stream.breakOff("it broke", "stream_incomplete")).toEqual(first);
    const { events, done } = readStream([begun, first]);
    const numbers = events.map((event) => event.sequence_number);
    expect(numbers).toEqual(numbers.map((_number, index) => index));
    const error = { code: "stream_incomplete", message: "it broke", param: null };
    expect(events.at(-2)).toMatchObject({ type: "error", ...error, error: { type: "provider_error", ...error } });
    expect(events.at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "stream_incomplete", message: "it broke" }, output: [] },
    });
    expect(done).toBe(false);
    const { events: whole } = readStream([begun, stream.finish()]);
    expect(whole.at(-1)?.type).toBe("response.completed");
  });

  test("a stream that broke before it began has both events from 0", () => {
    const { events } = readStream([responsesTranslator.createEncoder(answerContext({})).breakOff("no", "")]);
    expect(events).toMatchObject([
      { type: "error", sequence_number: 0, code: "server_error" },
      { type: "response.failed", sequence_number: 1, response: { error: { code: "server_error" } } },
    ]);
  });

  test("nothing said is nothing written", () => {
    expect(responsesTranslator.createEncoder(answerContext({})).encode([])).toBeUndefined();
  });
});
