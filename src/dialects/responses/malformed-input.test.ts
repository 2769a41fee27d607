// Whatever providers and callers send: a reading or a `Failure` that names the field, never a mistake of ours.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatEvent, StreamEvent } from "../../core/chat-answer.ts";
import { plainEvents } from "../hub/plain-events.ts";
import { Failure } from "../../core/failure.ts";
import { decodedRequests } from "../../../test/golden/responses/decode-request.ts";
import { decodedStreams } from "../../../test/golden/responses/decode-stream.ts";
import { broken, fault } from "../../../test/golden/responses/broken.ts";
import { answerContext, modelRequest, openaiOrigin } from "../../../test/golden/responses/fixtures.ts";
import { expectWellFormed } from "../../../test/golden/responses/stream-contract.ts";
import { readStream, streamText } from "../../../test/golden/responses/stream-text.ts";
import { responsesTranslator } from "./translator.ts";

const runs = { seed: 20_261_130, numRuns: 500 };
function failureOf(act: () => unknown): Failure | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

test("a request with one wrong value is read, or refused with a 400", () => {
  fc.assert(
    fc.property(fc.constantFrom(...decodedRequests), fault, ({ wire }, mistake) => {
      const text = JSON.stringify(broken({ model: "m", ...wire }, mistake));
      const failure = failureOf(() => responsesTranslator.decodeRequest(modelRequest(text)));
      if (failure !== undefined) expect([failure.status, failure.origin]).toEqual([400, "request"]);
    }),
    runs,
  );
});

test("a stream with one wrong value is read, or a 502 that names the provider", () => {
  fc.assert(
    fc.property(fc.constantFrom(...decodedStreams), fault, ({ wire, terminal }, mistake) => {
      const end = terminal ?? { type: "response.completed", response: {} };
      const list = broken([...wire, end], mistake);
      const text = streamText(
        (Array.isArray(list) ? list : []).filter((one) => typeof one === "object" && one !== null),
      );
      const given: StreamEvent[] = [];
      const failure = failureOf(() => {
        const decoder = responsesTranslator.createDecoder(openaiOrigin);
        decoder.push(new TextEncoder().encode(text), given);
        decoder.finish(given);
      });
      const events = plainEvents(given);
      if (failure !== undefined) expect([failure.status, failure.message.includes("first")]).toEqual([502, true]);
      expect(events.filter(({ kind }) => kind === "start").length).toBeLessThanOrEqual(1);
      expect(events.filter(({ kind }) => kind === "finish").length).toBeLessThanOrEqual(1);
      // The numbers of calls have no gaps.
      const calls = events.flatMap((event) => (event.kind === "tool-call" ? [event.call] : []));
      expect(calls).toEqual(calls.map((_call, index) => index));
    }),
    runs,
  );
});

const piece = fc.constantFrom("", "a", '{"a":1}', "{", "}", "é");
const call = fc.integer({ min: 0, max: 2 });
const state = fc.constantFrom(
  { issuer: "anthropic", kind: "signature", value: "S" } as const,
  { issuer: "openai", kind: "encrypted", value: "E" } as const,
);
const chaos: fc.Arbitrary<ChatEvent> = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), choice: fc.constantFrom(0, 0, 1), text: piece }),
  fc.record({ kind: fc.constant("refusal" as const), choice: fc.constant(0), text: piece }),
  fc.record({ kind: fc.constant("reasoning" as const), choice: fc.constant(0), text: piece }),
  fc.record({ kind: fc.constant("end-of-reasoning" as const), choice: fc.constant(0), state }),
  fc.record({ kind: fc.constant("text-state" as const), choice: fc.constant(0), state }),
  fc.record({ kind: fc.constant("tool-arguments" as const), choice: fc.constant(0), call, text: piece }),
  fc.record({
    kind: fc.constant("tool-call" as const),
    choice: fc.constant(0),
    call,
    id: fc.constantFrom("", "c1", "c2"),
    name: fc.constantFrom("f", "sql"),
    toolKind: fc.constantFrom("function" as const, "custom" as const),
  }),
  fc.record({
    kind: fc.constant("annotation" as const),
    choice: fc.constant(0),
    annotation: fc.constant({ kind: "url", url: "https://x.test/", raw: { dialect: "messages", value: {} } } as const),
  }),
  fc.record({
    kind: fc.constant("finish" as const),
    choice: fc.constant(0),
    finish: fc.constantFrom({ reason: "stop" } as const, { reason: "length" } as const),
  }),
);

describe("events in any order", () => {
  const request = { tools: [{ kind: "custom", name: "sql" }] } as const;

  test("make a well-formed stream that ends once", () => {
    fc.assert(
      fc.property(fc.array(chaos, { maxLength: 20 }), (list) => {
        const stream = responsesTranslator.createEncoder(answerContext(request));
        const pieces = list.flatMap((event) => stream.encode([event]) ?? []);
        const { events, done } = readStream([...pieces, stream.finish()]);
        expectWellFormed(events);
        expect(done).toBe(true);
      }),
      runs,
    );
  });

  test("can break off anywhere", () => {
    fc.assert(
      fc.property(fc.array(chaos, { minLength: 1, maxLength: 20 }), (list) => {
        const stream = responsesTranslator.createEncoder(answerContext(request));
        const pieces = list.flatMap((event) => stream.encode([event]) ?? []);
        const { events } = readStream([...pieces, stream.breakOff("it broke", "stream_incomplete")]);
        expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
        expect(events.slice(-2).map(({ type }) => type)).toEqual(["error", "response.failed"]);
        expect(events.filter(({ type }) => type === "response.completed")).toEqual([]);
      }),
      runs,
    );
  });
});
