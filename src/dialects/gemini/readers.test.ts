// Which answers the readers refuse, and what they say of them.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ReadStep } from "../../core/provider.ts";
import { joinBytes } from "../../core/byte-pieces.ts";
import type { ReaderOptions } from "../reader-options.ts";
import { createGeminiBufferedReader } from "./buffered-reader.ts";
import { createGeminiStreamReader } from "./stream-reader.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const text = (words: string) => ({ candidates: [{ content: { parts: [{ text: words }] } }] });
const finish = (reason: string) => ({ candidates: [{ finishReason: reason }] });
const unavailable = { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } };

function readBody(body: string, options: Partial<ReaderOptions> = {}): ReadStep {
  const reader = createGeminiBufferedReader({ providerName: "google", ...options });
  reader.push(encoder.encode(body));
  return reader.end();
}

interface WholeRead {
  readonly relayed: string;
  readonly last: ReadStep;
  readonly steps: readonly ReadStep[];
}

function readStream(pieces: readonly (string | Uint8Array)[], options: Partial<ReaderOptions> = {}): WholeRead {
  const reader = createGeminiStreamReader({ providerName: "google", ...options });
  const steps = pieces.map((piece) => reader.push(typeof piece === "string" ? encoder.encode(piece) : piece.slice()));
  const last = reader.end();
  steps.push(last);
  const relayed = joinBytes(steps.map(({ relay }) => relay ?? new Uint8Array()));
  return { relayed: decoder.decode(relayed), last, steps };
}

const event = (data: unknown) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

describe("a whole body", () => {
  test.each([
    ["nothing", "", 502, "provider returned empty response: google"],
    ["no JSON", "<html>", 502, "provider returned empty response: google"],
    ["a list", "[1,2]", 502, "provider returned empty response: google"],
    ["no candidates", '{"usageMetadata":{}}', 502, "provider returned no choices"],
    ["an empty list of candidates", '{"candidates":[]}', 502, "provider returned no choices"],
    ["an error", JSON.stringify(unavailable), 503, "The model is overloaded."],
    ["an error in a list", JSON.stringify([unavailable]), 503, "The model is overloaded."],
    ["an error without a number", '{"error":{"status":"RESOURCE_EXHAUSTED","message":"Quota"}}', 429, "Quota"],
    ["an error of a bad argument", '{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"No"}}', 400, "No"],
    [
      "candidates of another type",
      '{"candidates":{}}',
      502,
      "failed to unmarshal response: candidates is not an array (provider google)",
    ],
    [
      "a text of another type",
      '{"candidates":[{"content":{"parts":[{"text":7}]}}]}',
      502,
      "failed to unmarshal response: candidates[0].content.parts[0].text is not a string (provider google)",
    ],
    [
      "arguments of another type",
      '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":"{}"}}]}}]}',
      502,
      "failed to unmarshal response: candidates[0].content.parts[0].functionCall.args is not an object (provider google)",
    ],
    [
      "usage of another type",
      '{"candidates":[{}],"usageMetadata":5}',
      502,
      "failed to unmarshal response: usageMetadata is not an object (provider google)",
    ],
    [
      "a count of another type",
      '{"candidates":[{}],"usageMetadata":{"promptTokenCount":"11"}}',
      502,
      "failed to unmarshal response: usageMetadata.promptTokenCount is not a number (provider google)",
    ],
    [
      "an unknown member of 100,000 levels",
      `{"candidates":[{}],"extra":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
      502,
      "failed to unmarshal response: nested deeper than 256 levels (provider google)",
    ],
    [
      "a broken call and nothing else",
      '{"candidates":[{"content":{"parts":[{"text":"hm","thought":true}]},"finishReason":"MALFORMED_FUNCTION_CALL"}]}',
      502,
      'provider google ended the answer with the finish reason "MALFORMED_FUNCTION_CALL" and without content',
    ],
    [
      "no content for another reason",
      '{"candidates":[{"finishReason":"OTHER"}]}',
      502,
      'provider google ended the answer with the finish reason "OTHER" and without content',
    ],
  ])("%s is refused", (_name, body, status, message) => {
    const { relay, complete, failure } = readBody(body);
    expect({ relay, complete }).toEqual({ relay: undefined, complete: false });
    expect(failure).toMatchObject({ status, message });
  });

  test("bytes that are no UTF-8 are refused", () => {
    const reader = createGeminiBufferedReader({ providerName: "google" });
    const body = encoder.encode('{"candidates":[{"content":{"parts":[{"text":"?"}]},"finishReason":"STOP"}]}');
    body[body.indexOf(0x3f)] = 0xbf;
    reader.push(body);
    expect(reader.end().failure).toMatchObject({ status: 502, message: "provider returned empty response: google" });
  });

  test("no candidates are the label no_choices", () => {
    expect(readBody("{}").failure?.emptyReason).toBe("no_choices");
  });

  test("a blocked prompt is an answer, with or without an empty list", () => {
    for (const body of [
      '{"promptFeedback":{"blockReason":"SAFETY"}}',
      '{"candidates":[],"promptFeedback":{"blockReason":"OTHER"}}',
    ]) {
      expect(readBody(body)).toMatchObject({ complete: true, failure: undefined, events: 1 });
    }
  });

  test("an error asks for the wait that it names, unless the headers do", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" }];
    const body = JSON.stringify({ error: { code: 429, message: "Quota", details } });
    expect(readBody(body).failure?.retryAfterMs).toBe(34_070);
    expect(readBody(body, { retryAfterMs: 500 }).failure?.retryAfterMs).toBe(500);
  });

  test("usage is told, and zeros are as good as none", () => {
    const reader = createGeminiBufferedReader({ providerName: "google" });
    reader.push(encoder.encode('{"candidates":[{}],"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3}}'));
    reader.end();
    expect(reader.facts()).toMatchObject({ usage: { inputTokens: 3 }, emptyReason: undefined });
    const silent = createGeminiBufferedReader({ providerName: "google" });
    silent.push(encoder.encode('{"candidates":[{}]}'));
    silent.end();
    expect(silent.facts()).toEqual({ usage: undefined, emptyReason: "no_usage" });
  });

  test("an answer of more than 32 MB is refused", () => {
    const reader = createGeminiBufferedReader({ providerName: "google" });
    const piece = new Uint8Array(9 * 1024 * 1024);
    const failures = [0, 1, 2, 3].map(() => reader.push(piece).failure);
    expect(failures.map((failure) => failure?.message)).toEqual([
      undefined,
      undefined,
      undefined,
      "provider google sent an answer of more than 32 MB",
    ]);
  });
});

describe("a stream", () => {
  test("ends with the body, whatever comes after the finish", () => {
    const { steps, relayed } = readStream([
      event(text("Hi")),
      event(finish("STOP")),
      event({ usageMetadata: { promptTokenCount: 1 } }),
    ]);
    expect(steps.map(({ finished, complete, events }) => ({ finished, complete, events }))).toEqual([
      { finished: false, complete: false, events: 1 },
      { finished: true, complete: false, events: 1 },
      { finished: true, complete: false, events: 1 },
      { finished: true, complete: true, events: 0 },
    ]);
    expect(relayed.match(/data: /g)).toHaveLength(3);
  });

  test("is finished when every candidate is", () => {
    const one = { candidates: [{ index: 0, finishReason: "STOP" }] };
    const two = { candidates: [{ index: 1, finishReason: "STOP" }] };
    const both = { candidates: [{ index: 0 }, { index: 1 }] };
    const { steps } = readStream([event(both), event(one), event(two)]);
    expect(steps.map(({ finished }) => finished)).toEqual([false, false, true, true]);
  });

  test("leaves out comments, empty data and a terminal that is not Google's", () => {
    const { relayed, last } = readStream([`: hello\n\n${event("")}${event(finish("STOP"))}${event("[DONE]")}`]);
    expect(relayed).toBe(event(finish("STOP")));
    expect(last).toMatchObject({ complete: true, failure: undefined });
  });

  test.each([
    ["nothing", [], 502, "provider returned an empty stream"],
    ["comments only", [": a\n\n"], 502, "provider returned an empty stream"],
    ["a terminal only", [event("[DONE]")], 502, "provider returned an empty stream"],
    ["no JSON", [event("{oops")], 502, "provider google sent a malformed event in its stream"],
    ["an error", [event(unavailable)], 503, "The model is overloaded."],
    ["an error without a number", [event({ error: { status: "RESOURCE_EXHAUSTED", message: "Quota" } })], 429, "Quota"],
    [
      "a broken call",
      [event(finish("MALFORMED_FUNCTION_CALL"))],
      502,
      'provider google ended the answer with the finish reason "MALFORMED_FUNCTION_CALL" and without content',
    ],
  ])("%s as the first thing fails before anything is relayed", (_name, pieces, status, message) => {
    const { relayed, last } = readStream(pieces);
    expect(relayed).toBe("");
    expect(last).toMatchObject({ complete: false, inBand: false });
    expect(last.failure).toMatchObject({ status, message });
  });

  test("cut after an event is incomplete", () => {
    const { relayed, last } = readStream([event(text("Hi")), 'data: {"candidates":[{"con']);
    expect(relayed).toBe(event(text("Hi")));
    expect(last.failure).toMatchObject({ status: 502, code: "stream_incomplete" });
  });

  test("an error in its middle is relayed as the bytes of the break", () => {
    const { relayed, steps } = readStream([event(text("Hi")) + event(unavailable) + event(text("more"))]);
    const [step] = steps;
    expect(relayed).toBe(event(text("Hi")) + event(unavailable));
    expect(step).toMatchObject({ inBand: true, events: 1, brokenBytes: event(unavailable).length });
    expect(step?.failure).toMatchObject({ origin: "status", status: 503 });
  });

  test("what an error says is read in its own characters", () => {
    const error = { error: { code: 503, message: "überlastet 🥝", status: "UNAVAILABLE" } };
    for (const pieces of [[event(error)], [event(text("Hé")) + event(error)]]) {
      expect(readStream(pieces).last.failure?.message).toContain("überlastet 🥝");
    }
  });

  test("a byte order mark before the data of an event is passed over", () => {
    const { relayed, last } = readStream([event(text("Hi")), `data: \u{FEFF}${JSON.stringify(finish("STOP"))}\n\n`]);
    expect(relayed).toContain("STOP");
    expect(last).toMatchObject({ complete: true, failure: undefined });
  });

  test("a malformed event in its middle ends it, or is left out and counted", () => {
    const pieces = [event(text("Hi")), event("{oops"), event(finish("STOP"))];
    expect(readStream(pieces).last.failure).toMatchObject({ code: "stream_incomplete" });
    const reader = createGeminiStreamReader({ providerName: "google", skipMalformed: true });
    for (const piece of pieces) reader.push(encoder.encode(piece));
    expect(reader.end()).toMatchObject({ complete: true, failure: undefined });
    expect(reader.facts().skippedEvents).toBe(1);
  });

  test("the eleventh malformed event ends it", () => {
    const { last } = readStream([event(text("Hi")) + event("{oops").repeat(11)], { skipMalformed: true });
    expect(last.failure).toMatchObject({ code: "stream_incomplete" });
  });

  test("an event of more than 32 MB ends it", () => {
    const { last } = readStream([event(text("Hi")), new Uint8Array(33 * 1024 * 1024).fill(0x61)]);
    expect(last.failure?.message).toBe("provider google sent an event of more than 32 MB");
  });
});

const anyEvent = fc.oneof(
  fc.string().map(text),
  fc.constantFrom("STOP", "MAX_TOKENS", "OTHER", "NEW").map(finish),
  fc.constantFrom(
    unavailable,
    { promptFeedback: { blockReason: "SAFETY" } },
    { usageMetadata: { promptTokenCount: 1 } },
    { candidates: [{ content: { parts: [{ functionCall: { name: "f", args: {} } }] } }] },
    { candidates: 5 },
    {},
  ),
  fc.constantFrom("[DONE]", "{oops", ""),
);

test("whatever comes, cut wherever: one end, the same one, and nothing after it", () => {
  fc.assert(
    fc.property(
      fc.array(anyEvent, { maxLength: 6 }),
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      (events, cut, damage, isDamaged) => {
        const bytes = encoder.encode(events.map(event).join(""));
        if (isDamaged && bytes.length > 0) bytes[damage % bytes.length] = damage % 256;
        const at = bytes.length === 0 ? 0 : cut % bytes.length;
        const whole = readStream([bytes]);
        const halves = readStream([bytes.slice(0, at), bytes.slice(at)]);
        expect(halves.relayed).toBe(whole.relayed);
        for (const { steps, last } of [whole, halves]) {
          expect(last.complete).toBe(last.failure === undefined);
          const firstEnd = steps.findIndex(({ complete, failure }) => complete || failure !== undefined);
          for (const { relay, complete, failure } of steps.slice(firstEnd + 1)) {
            expect({ relay, complete, failure }).toEqual({
              relay: undefined,
              complete: last.complete,
              failure: last.failure,
            });
          }
        }
        expect(halves.last.failure).toEqual(whole.last.failure);
      },
    ),
    { numRuns: 3000, seed: 11 },
  );
});
