// Malformed events left out of a stream that may be recovered, and the end of a broken stream told apart from what is good of it.

import { describe, expect, test } from "bun:test";
import { emulateStop } from "./stop-emulation.ts";
import { createStreamReader } from "./stream-reader.ts";

const done = "data: [DONE]\n\n";
const decoder = new TextDecoder();

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function text(content: string): string {
  return event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
}

function finish(reason = "stop"): string {
  return event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
}

const usageEvent = event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } });

interface Outcome {
  readonly good: string;
  readonly broken: string;
  readonly events: number;
  readonly complete: boolean;
  readonly message: string | undefined;
  readonly skipped: number | undefined;
}

function read(chunks: readonly string[], options: { skipMalformed?: boolean; stop?: readonly string[] } = {}): Outcome {
  const { skipMalformed = false, stop = [] } = options;
  const plain = createStreamReader({ cutUsageEvent: false, providerName: "up", skipMalformed });
  const reader = stop.length === 0 ? plain : emulateStop(plain, stop);
  let good = "";
  let events = 0;
  for (const chunk of [...chunks, undefined]) {
    const step = chunk === undefined ? reader.end() : reader.push(bytesOf(chunk));
    events += step.events;
    const relay = decoder.decode(step.relay);
    const goodLength = relay.length - (step.brokenBytes ?? 0);
    good += relay.slice(0, goodLength);
    if (step.complete || step.failure !== undefined) {
      const { complete, failure } = step;
      const skipped = reader.facts().skippedEvents;
      return { good, broken: relay.slice(goodLength), events, complete, message: failure?.message, skipped };
    }
    expect(step.brokenBytes).toBeUndefined();
  }
  throw new Error("a stream always ends");
}

function skip(...chunks: readonly string[]): Outcome {
  return read(chunks, { skipMalformed: true });
}

const malformed = [
  "x",
  "<html>",
  '{"choices":[',
  '{"choices":[{"delta":{"content":}}]}',
  '{"a":1}{"b":2}',
  "[1]",
  "null",
  '"text"',
  "[DONE",
];

describe("with malformed events left out", () => {
  test.each(malformed)("%s is left out before, between and behind the others, and counted", (data) => {
    const bad = `data: ${data}\n\n`;
    const whole = text("a") + text("b") + finish() + usageEvent + done;
    expect(skip(bad + text("a") + bad, text("b") + bad + finish() + bad + usageEvent, bad + done)).toEqual({
      good: whole,
      broken: "",
      events: 5,
      complete: true,
      message: undefined,
      skipped: 5,
    });
  });

  test("usage and finish reasons behind one are read as ever", () => {
    const reader = createStreamReader({ cutUsageEvent: true, providerName: "up", skipMalformed: true });
    const step = reader.push(bytesOf(`${text("a")}data: {"x\n\n${finish()}${usageEvent}`));
    expect([decoder.decode(step.relay), step.finished]).toEqual([text("a") + finish(), true]);
    expect(reader.facts()).toMatchObject({ usage: { inputTokens: 3, outputTokens: 4 }, skippedEvents: 1 });
  });

  test("a whole stream without any says nothing about it", () => {
    expect(skip(text("a") + finish() + done)).toMatchObject({ complete: true, skipped: undefined });
  });

  test("a malformed terminal is a cut", () => {
    const outcome = skip(text("a"), "data: [DONE\n\n");
    expect(outcome).toMatchObject({ good: text("a"), broken: "", complete: false, skipped: 1 });
    expect(outcome.message).toBe("provider up ended the stream before the answer was complete");
    expect(skip(text("a"), 'data: {"choices":[{"finish_reason":"stop"\n\n')).toMatchObject({ complete: false });
  });

  test("behind the finish reason a malformed terminal takes nothing away", () => {
    expect(skip(text("a") + finish(), "data: [DONE\n\n")).toMatchObject({
      good: text("a") + finish() + done,
      complete: true,
    });
  });

  test("a stream of nothing else is malformed and not empty", () => {
    expect(skip("data: x\n\ndata: y\n\n")).toMatchObject({
      good: "",
      events: 0,
      message: "provider up sent a malformed event in its stream",
      skipped: 2,
    });
  });

  test("the eleventh ends the stream: a provider that sends nothing else would never", () => {
    const bad = "data: x\n\n";
    expect(skip(text("a") + bad.repeat(10) + finish() + done)).toMatchObject({ complete: true, skipped: 10 });
    expect(skip(text("a") + bad.repeat(11) + finish() + done)).toEqual({
      good: text("a"),
      broken: bad,
      events: 1,
      complete: false,
      message: "provider up sent a malformed event in its stream",
      skipped: 10,
    });
  });

  test("an event that calls itself an error is one, however malformed its data", () => {
    for (const data of ["overloaded", '{"message":']) {
      const error = `event: error\ndata: ${data}\n\n`;
      expect(skip(text("a") + error + done)).toMatchObject({ good: text("a"), broken: error, complete: false });
      expect(skip(error + done)).toMatchObject({ good: "", broken: "", complete: false });
    }
  });
});

describe("what belongs to the break", () => {
  test.each([
    ["an error event", event({ error: { message: "m", code: 503 } })],
    ["an event named error", 'event: error\ndata: {"message":"m"}\n\n'],
    ["the finish reason error", finish("error")],
    ["a malformed event", "data: x\n\n"],
    ["an error in CRLF", 'data: {"error":"m"}\r\n\r\n'],
  ])("is %s", (_name, bad) => {
    for (const chunks of [[text("a") + bad + text("b")], [text("a"), bad]]) {
      expect(read(chunks)).toMatchObject({ good: text("a"), broken: bad, complete: false });
    }
  });

  test("is an error without its blank line, with the line ends that were added", () => {
    const bad = event({ error: { message: "m" } });
    expect(read([text("a") + bad.slice(0, -2)])).toMatchObject({ good: text("a"), broken: bad });
    expect(read([text("a") + bad.slice(0, -1)])).toMatchObject({ good: text("a"), broken: bad });
  });

  test("is nothing when the stream was cut or had not begun", () => {
    expect(read([text("a")])).toMatchObject({ good: text("a"), broken: "" });
    expect(read([event({ error: "m" })])).toMatchObject({ good: "", broken: "" });
  });

  test("is also the text that was held back for a stop sequence: somebody who goes on writes it again", () => {
    const stop = ["STOP"];
    const error = event({ error: { message: "m" } });
    const withText = event({ choices: [{ index: 0, delta: { content: "ST" }, finish_reason: "error" }] });
    for (const [bad, broken] of [
      ["", text("ST")],
      [error, error],
      [finish("error"), withText],
      ["data: x\n\n", `data: x\n\n${text("ST")}`],
    ] as const) {
      expect(read([text("one"), text(" ST"), bad], { stop })).toMatchObject({ good: text("one") + text(" "), broken });
    }
  });
});
