// Answers and streams as the documentation writes them, through the dialect's own readers into the hub.

import { describe, expect, test } from "bun:test";
import { answers } from "../../../test/golden/gemini/answers.ts";
import { streams } from "../../../test/golden/gemini/streams.ts";
import type { ChatEvent } from "../../core/chat-answer.ts";
import { joinBytes } from "../../core/byte-pieces.ts";
import { createGeminiBufferedReader } from "./buffered-reader.ts";
import { decodeGeminiAnswer } from "./decode-answer.ts";
import { createGeminiDecoder } from "./stream-decoder.ts";
import { createGeminiStreamReader } from "./stream-reader.ts";

const origin = { providerName: "google", providerType: "gemini", issuer: "google" };
const encoder = new TextEncoder();

function counter(): () => string {
  let next = 1;
  return () => `new-${next++}`;
}

describe("whole answers", () => {
  for (const { name, body, expected } of answers) {
    test(name, () => {
      const reader = createGeminiBufferedReader({ providerName: "google" });
      reader.push(encoder.encode(JSON.stringify(body)));
      const { relay, failure } = reader.end();
      expect(failure).toBeUndefined();
      expect(decodeGeminiAnswer(relay ?? new Uint8Array(), origin, counter())).toEqual(expected);
    });
  }
});

function decode(pieces: readonly Uint8Array[]): readonly ChatEvent[] {
  const reader = createGeminiStreamReader({ providerName: "google" });
  const decoder = createGeminiDecoder(origin, counter());
  const events: ChatEvent[] = [];
  for (const piece of pieces) {
    const { relay } = reader.push(piece.slice());
    if (relay !== undefined) decoder.push(relay, events);
  }
  const { relay, complete } = reader.end();
  if (relay !== undefined) decoder.push(relay, events);
  expect(complete).toBe(true);
  decoder.finish(events);
  return events;
}

const written = (events: readonly unknown[], lineEnd = "\r\n") =>
  encoder.encode(events.map((data) => `data: ${JSON.stringify(data)}${lineEnd}${lineEnd}`).join(""));

describe("streams", () => {
  for (const { name, events, expected } of streams) {
    test(name, () => {
      expect(decode([written(events)])).toEqual([...expected]);
    });
  }

  test("cut at any byte, with either line end, without the last blank line: the same events", () => {
    for (const { events, expected } of streams) {
      const whole = written(events, events.length % 2 === 0 ? "\n" : "\r\n");
      if (whole.length > 10_000) continue;
      for (let at = 0; at <= whole.length; at++) {
        expect(decode([whole.slice(0, at), whole.slice(at)])).toEqual([...expected]);
      }
      const unended = whole.slice(0, -2);
      expect(decode([unended])).toEqual([...expected]);
      expect(decode([...unended].map((byte) => Uint8Array.of(byte)))).toEqual([...expected]);
    }
  });

  test("one that broke has no finish, but its thoughts and usage are told", () => {
    const decoder = createGeminiDecoder(origin, counter());
    const events: ChatEvent[] = [];
    const thinking = { candidates: [{ content: { parts: [{ text: "Hm", thought: true }] } }], usageMetadata: {} };
    decoder.push(written([thinking]), events);
    decoder.push(written([{ usageMetadata: { promptTokenCount: 1 } }]), events);
    decoder.finish(events);
    expect(events.map(({ kind }) => kind)).toEqual(["start", "reasoning", "end-of-reasoning", "usage"]);
  });

  test("numbers in arguments come out as they were written", () => {
    const args = '{"n":12345678901234567890.10,"__proto__":{"x":1e400}}';
    const event = `data: {"candidates":[{"content":{"parts":[{"functionCall":{"id":"a","name":"f","args":${args}}}]},"finishReason":"STOP"}]}\n\n`;
    const [, , piece] = decode([encoder.encode(event)]);
    expect(piece).toEqual({ kind: "tool-arguments", choice: 0, call: 0, text: args });
    const body = encoder.encode(event.slice("data: ".length));
    const [choice] = decodeGeminiAnswer(joinBytes([body]), origin, counter()).choices;
    expect(choice?.parts).toMatchObject([{ kind: "tool-call", arguments: args }]);
  });
});
