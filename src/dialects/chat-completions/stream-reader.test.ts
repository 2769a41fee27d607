// What the reader relays and concludes: rule by rule, then recorded streams cut and split at every byte.

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import { createStreamReader } from "./stream-reader.ts";
import type { StreamReaderOptions } from "./stream-reader.ts";

const done = "data: [DONE]\n\n";
const decoder = new TextDecoder();

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function text(content: string, index = 0): string {
  return event({ choices: [{ index, delta: { content }, finish_reason: null }] });
}

function finish(reason: unknown = "stop", index = 0): string {
  return event({ choices: [{ index, delta: {}, finish_reason: reason }] });
}

const usageEvent = event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } });

interface Outcome {
  readonly relay: string;
  readonly events: number;
  readonly finished: boolean;
  readonly complete: boolean;
  readonly failure: Failure | undefined;
  readonly inBand: boolean;
  readonly facts: AnswerFacts;
}

/** Reads as the gateway does: until the reader has come to a conclusion or the body is at its end. */
function read(chunks: readonly (string | Uint8Array)[], options: Partial<StreamReaderOptions> = {}): Outcome {
  const reader = createStreamReader({ cutUsageEvent: false, providerName: "up", ...options });
  let relay = "";
  let events = 0;
  for (const chunk of [...chunks, undefined]) {
    const step =
      chunk === undefined ? reader.end() : reader.push(typeof chunk === "string" ? bytesOf(chunk) : chunk.slice());
    if (step.relay !== undefined) relay += Buffer.from(step.relay).toString("latin1");
    events += step.events;
    if (step.complete || step.failure !== undefined || chunk === undefined) {
      const { finished, complete, failure, inBand } = step;
      const utf8 = decoder.decode(Buffer.from(relay, "latin1"));
      return { relay: utf8, events, finished, complete, failure, inBand, facts: reader.facts() };
    }
  }
  throw new Error("the loop above always ends");
}

describe("relay", () => {
  test("a chunk of whole events is handed on as it is, without a copy", () => {
    const reader = createStreamReader({ cutUsageEvent: true, providerName: "up" });
    const chunk = bytesOf(text("a") + text("b"));
    expect(reader.push(chunk)).toEqual({
      relay: chunk,
      events: 2,
      finished: false,
      complete: false,
      failure: undefined,
      inBand: false,
    });
    const partly = bytesOf(`${text("c")}data: {"x"`);
    expect(reader.push(partly).relay).toEqual(bytesOf(text("c")));
  });

  test("the tail waits for the rest of its event", () => {
    const reader = createStreamReader({ cutUsageEvent: false, providerName: "up" });
    const whole = text("é");
    expect(reader.push(bytesOf(whole).subarray(0, 50))).toMatchObject({ relay: undefined, events: 0 });
    expect(decoder.decode(reader.push(bytesOf(whole).subarray(50)).relay)).toBe(whole);
  });

  test("comments before the first event are dropped and count as nothing, later ones pass", () => {
    const reader = createStreamReader({ cutUsageEvent: false, providerName: "up" });
    expect(reader.push(bytesOf(": OPENROUTER PROCESSING\n\n: x\n\n"))).toMatchObject({ relay: undefined, events: 0 });
    const step = reader.push(bytesOf(`: x\n\n${text("a")}: y\n\n`));
    expect([step.events, decoder.decode(step.relay)]).toEqual([1, `${text("a")}: y\n\n`]);
    expect(reader.push(bytesOf(": z\n\n"))).toMatchObject({ events: 0, relay: bytesOf(": z\n\n") });
  });

  test("endless comments before the first event take no memory", () => {
    const reader = createStreamReader({ cutUsageEvent: false, providerName: "up" });
    const comments = bytesOf(`: ${"c".repeat(1000)}\n\n`.repeat(100));
    for (let count = 0; count < 500; count++) expect(reader.push(comments).failure).toBeUndefined();
  });

  test("an event with empty data is left out, wherever it is", () => {
    expect(read([`data:\n\n${text("a")}data: \n\ndata\n\n${finish()}`, done])).toMatchObject({
      relay: text("a") + finish() + done,
      events: 3,
      complete: true,
    });
    expect(read(["data:\n\n"])).toMatchObject({ relay: "", events: 0, failure: { status: 502 } });
  });

  test("bytes that are no UTF-8 pass as they are", () => {
    const reader = createStreamReader({ cutUsageEvent: false, providerName: "up" });
    const chunk = new Uint8Array([...bytesOf('data: {"a":"'), 0xff, 0xc3, ...bytesOf('"}\n\n')]);
    expect(reader.push(chunk).relay).toEqual(chunk);
  });

  test("an event of 10 MB is relayed, and usage in one of 1 MB is found", () => {
    const large = text("x".repeat(10_000_000));
    const last = event({ choices: [], pad: "y".repeat(1_000_000), usage: { prompt_tokens: 1, completion_tokens: 2 } });
    const outcome = read([large.slice(0, 5_000_000), large.slice(5_000_000), finish() + last, done]);
    expect(outcome.relay.length).toBe((large + finish() + last + done).length);
    expect(outcome.facts.usage?.totalTokens).toBe(3);
  });

  test("an event that grows beyond 32 MB is a failure", () => {
    const piece = new Uint8Array(8 * 1024 * 1024).fill(0x61);
    expect(read([text("a"), "data: {", piece, piece, piece, piece])).toMatchObject({
      relay: text("a"),
      failure: {
        origin: "answer",
        status: 502,
        code: "stream_incomplete",
        message: "provider up sent an event of more than 32 MB",
      },
    });
  });
});

describe("the terminal", () => {
  test.each([
    ["as usual", done, done],
    ["without the space", "data:[DONE]\n\n", "data:[DONE]\n\n"],
    ["with a space too many", "data:  [DONE]\n\n", done],
    ["with a space behind", "data: [DONE] \n\n", done],
    ["in CRLF", "data: [DONE]\r\n\r\n", "data: [DONE]\r\n\r\n"],
    ["over two lines", "data:\ndata: [DONE]\n\n", done],
    ["without its blank line", "data: [DONE]\n", done],
    ["without any line end", "data: [DONE]", done],
  ])("%s completes the stream", (_name, terminal, relayed) => {
    const outcome = read([text("a") + finish() + terminal]);
    expect(outcome).toMatchObject({
      relay: text("a") + finish() + relayed,
      events: 3,
      complete: true,
      failure: undefined,
    });
  });

  test("whatever follows it is cut off, and nothing is said after it", () => {
    const reader = createStreamReader({ cutUsageEvent: false, providerName: "up" });
    const step = reader.push(bytesOf(`${text("a")}${done}${text("b")}${done}: c\n\n`));
    expect([step.complete, decoder.decode(step.relay)]).toEqual([true, text("a") + done]);
    expect(reader.push(bytesOf(text("c")))).toMatchObject({ relay: undefined, events: 0, complete: true });
    expect(reader.end()).toMatchObject({ relay: undefined, complete: true, failure: undefined });
  });

  test("a finish reason alone is enough, and the missing terminal is added", () => {
    expect(read([text("a"), finish()])).toMatchObject({
      relay: text("a") + finish() + done,
      complete: true,
      finished: true,
    });
  });

  test("the terminal alone is enough", () => {
    expect(read([text("a"), done])).toMatchObject({ relay: text("a") + done, complete: true, finished: false });
  });

  test.each([
    ["the finish reason", finish()],
    ["usage", finish() + usageEvent],
  ])("a last event with %s needs no blank line", (_name, stream) => {
    for (const ending of ["", "\n"]) {
      const outcome = read([text("a") + stream.slice(0, -2) + ending]);
      expect(outcome).toMatchObject({ relay: text("a") + stream + done, complete: true });
    }
    expect(read([(text("a") + stream).slice(0, -2).replaceAll("\n\n", "\r\r") + "\r"]).complete).toBe(true);
  });

  test("a tail that is cut or ends nothing is dropped", () => {
    expect(read([text("a") + finish() + usageEvent.slice(0, -20)])).toMatchObject({
      relay: text("a") + finish() + done,
      complete: true,
      facts: { usage: undefined },
    });
    expect(read([text("a") + text("b").slice(0, -2)])).toMatchObject({ relay: text("a"), complete: false });
  });

  test("a terminal with nothing before it is an empty stream", () => {
    expect(read([done])).toMatchObject({
      relay: "",
      events: 0,
      failure: { message: "provider returned an empty stream" },
    });
    expect(read([": x\n\ndata: [DONE]"])).toMatchObject({ relay: "", failure: { status: 502 } });
  });
});

describe("the finish reason", () => {
  test.each([
    ['{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}', true],
    ['{"choices":[{"index":0,"delta":{},"finish_reason" : "stop"}]}', true],
    ['{"choices":[{"finish_reason":\t"length","index":0}], "usage": null}', true],
    ['{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}', true],
    ['{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"content_filter"}]}', true],
    ['{"choices":[{"index":0,"delta":{},"finish_reason":null}]}', false],
    ['{"choices":[{"index":0,"delta":{},"finish_reason" :\tnull}]}', false],
    ['{"choices":[{"index":0,"delta":{},"finish_reason":""}]}', false],
    ['{"choices":[{"index":0,"finish_reason":""}],"usage":{"prompt_tokens":1}}', false],
    ['{"choices":[{"index":0,"delta":{"content":"\\"finish_reason\\":\\"stop\\""},"finish_reason":null}]}', false],
    ['{"choices":[{"index":0,"delta":{"content":"finish_reason"},"finish_reason":null}]}', false],
    ['{"choices":[{"index":0,"delta":{"meta":{"finish_reason":"stop"}},"finish_reason":null}]}', false],
    ['{"finish_reason":"stop","choices":[{"index":0,"delta":{}}]}', false],
    ['{"choices":[{"index":0,"finish_reason":"stop"]}}', false],
    ['{"choices":{"finish_reason":"stop"}}', false],
  ])("%s", (json, finished) => {
    expect(read([text("a"), `data: ${json}\n\n`]).finished).toBe(finished);
  });

  test("of several choices, every one that was seen has to finish", () => {
    const started = text("a", 0) + text("b", 1);
    expect(read([started + finish("stop", 0)])).toMatchObject({
      complete: false,
      failure: { code: "stream_incomplete" },
    });
    expect(read([started + finish("stop", 1)])).toMatchObject({ complete: false });
    expect(read([started + finish("stop", 1) + text("c", 0) + finish("stop", 0)])).toMatchObject({ complete: true });
    const both = event({
      choices: [
        { index: 0, finish_reason: "stop" },
        { index: 1, finish_reason: "length" },
      ],
    });
    expect(read([started + both])).toMatchObject({ complete: true });
    expect(read([text("a", 10) + finish("stop", 0)])).toMatchObject({ complete: false });
  });

  test("the indexes of tool calls are no choices, in whatever order the keys come", () => {
    const usual = event({
      choices: [{ index: 0, delta: { tool_calls: [{ index: 3, id: "c" }] }, finish_reason: null }],
    });
    const other = event({
      choices: [{ delta: { tool_calls: [{ id: "c", index: 3 }] }, finish_reason: null, index: 0 }],
    });
    expect(read([usual + other + finish("tool_calls")])).toMatchObject({ complete: true, events: 3 });
  });

  test("with one choice asked for, the others are not looked for", () => {
    const outcome = read([text("a", 0) + text("b", 1) + finish("stop", 0)], { severalChoices: false });
    expect(outcome.complete).toBe(true);
  });
});

describe("errors in the stream", () => {
  const cases: [string, unknown, Partial<Failure>][] = [
    [
      "an object",
      { error: { message: "m", code: 429, param: "p" } },
      { status: 429, type: "rate_limit_error", message: "m", code: 429, param: "p" },
    ],
    [
      "a numeric string",
      { error: { message: "m", code: "400" } },
      { status: 400, type: "invalid_request_error", code: "400" },
    ],
    ["a status member", { error: { message: "m", status: 503 } }, { status: 503 }],
    ["another code", { error: { message: "m", code: "server_error" } }, { status: 502, code: "server_error" }],
    ["text", { error: "boom" }, { status: 502, message: "boom" }],
    ["beside choices", { choices: [], error: { message: "m" } }, { status: 502, message: "m" }],
    [
      "beside a finish reason",
      { error: { message: "m" }, choices: [{ index: 0, finish_reason: "error" }] },
      { message: "m" },
    ],
    ["vLLM's own object", { object: "error", message: "too long", code: 400 }, { status: 400, message: "too long" }],
  ];

  test.each(cases)("%s as the first event is the attempt's failure", (_name, value, failure) => {
    expect(read([`: x\n\n${event(value)}${done}`])).toMatchObject({
      relay: "",
      events: 0,
      inBand: false,
      complete: false,
      failure: { origin: "status", ...failure },
    });
  });

  test.each(cases)("%s later on ends the relay with that event", (_name, value, failure) => {
    const stream = text("a") + event(value) + text("b") + done;
    for (const chunks of [[stream], [text("a"), stream.slice(text("a").length)]]) {
      expect(read(chunks)).toMatchObject({
        relay: text("a") + event(value),
        events: 1,
        inBand: true,
        failure: { origin: "status", ...failure },
      });
    }
  });

  test("an error without its blank line is still one", () => {
    const error = event({ error: { message: "m", code: 503 } });
    expect(read([error.slice(0, -2)])).toMatchObject({ relay: "", failure: { status: 503, message: "m" } });
    expect(read([text("a") + error.slice(0, -1)])).toMatchObject({ relay: text("a") + error, inBand: true });
  });

  test.each([
    { error: null, choices: [{ index: 0, delta: { content: "x" } }] },
    { choices: [{ index: 0, delta: { content: "error" } }] },
    { choices: [{ index: 0, delta: { content: '{"error":{"message":"m"}}' } }] },
    { choices: [{ index: 0, delta: { error: { message: "inside" } } }] },
    { choices: [{ index: 0, delta: { content: "event: error\ndata: [DONE]\n\n" } }] },
  ])("%j is no error", (value) => {
    expect(read([event(value) + finish()])).toMatchObject({ complete: true, events: 2, failure: undefined });
  });

  test("the finish reason `error` without an error is a failure that still has to be told", () => {
    expect(read([text("a") + finish("error") + done])).toMatchObject({
      relay: text("a") + finish("error"),
      complete: false,
      finished: false,
      inBand: false,
      failure: { origin: "status", status: 502 },
    });
    expect(read([finish("error")])).toMatchObject({ relay: "", events: 0, failure: { status: 502 } });
  });

  test("headers of the answer go with an error", () => {
    const outcome = read([event({ error: { message: "m", code: 429 } })], {
      errorHeaders: [["retry-after", "3"]],
      retryAfterMs: 3000,
    });
    expect(outcome.failure).toMatchObject({ headers: [["retry-after", "3"]], retryAfterMs: 3000 });
  });
});

describe("broken streams", () => {
  test("no event at all is an empty stream", () => {
    for (const chunks of [[], [""], [": x\n\n"], ["\n\n"], ["data: {"], [text("a").slice(0, -2)]]) {
      expect(read(chunks)).toMatchObject({
        relay: "",
        events: 0,
        failure: { origin: "answer", status: 502, message: "provider returned an empty stream" },
      });
    }
  });

  test.each(["x", "[1]", "null"])(
    "malformed data %j as the first event is a 502 without the code of a broken stream",
    (data) => {
      expect(read([`data: ${data}\n\n`, text("b")])).toMatchObject({
        relay: "",
        failure: {
          origin: "answer",
          status: 502,
          code: null,
          message: "provider up sent a malformed event in its stream",
        },
      });
    },
  );

  test("a first event named error is that error, although its data does not say so", () => {
    for (const name of ["event: error\n", "event:error\r\n", "id: 1\nevent: error\n"]) {
      expect(read([`${name}data: {"message":"too many","code":429}\n\n`])).toMatchObject({
        relay: "",
        failure: { origin: "status", status: 429, code: 429, message: "too many" },
      });
    }
    expect(read(['event: errors\ndata: {"message":"m","code":429}\n\n', text("a"), done])).toMatchObject({
      complete: true,
    });
  });

  test("an event named error in the middle is relayed and needs one of ours behind it: clients read only its data", () => {
    const named = 'event: error\ndata: {"message":"too many","code":429}\n\n';
    expect(read([text("a") + named + text("b")])).toMatchObject({
      relay: text("a") + named,
      inBand: false,
      failure: { status: 429, message: "too many" },
    });
  });

  test("an end before the finish reason is told", () => {
    expect(read([text("a") + text("b")])).toMatchObject({
      relay: text("a") + text("b"),
      inBand: false,
      failure: {
        origin: "answer",
        status: 502,
        code: "stream_incomplete",
        message: "provider up ended the stream before the answer was complete",
      },
    });
  });

  test.each(["x", "{", '{"a":1', '"a":1}', "[1]", "[DONE", "null", "[DONE] {}"])("malformed data %j", (data) => {
    const broken = `data: ${data}\n\n`;
    const failure = { origin: "answer", status: 502, code: "stream_incomplete" };
    expect(read([text("a") + broken + text("b")])).toMatchObject({
      relay: text("a") + broken,
      events: 1,
      inBand: false,
      failure,
    });
    expect(read([broken + text("b")])).toMatchObject({ relay: "", events: 0, failure: { ...failure, code: null } });
  });

  test("space around the data is allowed", () => {
    expect(read(['data:   {"a":1} \t\n\n', finish()])).toMatchObject({ complete: true });
  });
});

describe("usage", () => {
  test("the event that was not asked for is cut out, and its numbers are kept", () => {
    const stream = text("a") + finish() + usageEvent + done;
    const cut = read([stream], { cutUsageEvent: true });
    expect(cut).toMatchObject({ relay: text("a") + finish() + done, events: 3, complete: true });
    expect(cut.facts.usage).toMatchObject({ inputTokens: 3, outputTokens: 4, totalTokens: 7 });
    expect(read([stream])).toMatchObject({ relay: stream, events: 4 });
  });

  test("a cut usage event alone commits to nothing", () => {
    const reader = createStreamReader({ cutUsageEvent: true, providerName: "up" });
    expect(reader.push(bytesOf(usageEvent))).toMatchObject({ relay: undefined, events: 0 });
    expect(reader.end().failure?.message).toBe("provider returned an empty stream");
  });

  test("an event with usage and a choice is left as it is", () => {
    const both = event({
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    });
    const outcome = read([text("a") + both + done], { cutUsageEvent: true });
    expect([outcome.relay, outcome.facts.usage?.totalTokens]).toEqual([text("a") + both + done, 2]);
  });

  test("the last one that is not null wins", () => {
    const first = event({
      choices: [{ index: 0, delta: { content: "x" } }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    });
    const none = event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: null });
    expect(read([first + usageEvent + none + done]).facts.usage?.totalTokens).toBe(7);
  });

  test("it is undefined when it never came, and told apart when it is all zero", () => {
    expect(read([text("a") + finish()]).facts).toEqual({ usage: undefined, emptyReason: undefined });
    const zero = event({ choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } });
    expect(read([text("a") + finish() + zero + done]).facts.emptyReason).toBe("no_usage");
  });

  test("what was used before an error is kept", () => {
    const outcome = read([text("a") + usageEvent + event({ error: { message: "m" } })]);
    expect(outcome.facts.usage?.totalTokens).toBe(7);
  });
});

describe("recordings", () => {
  const folder = path.join(import.meta.dir, "../../../test/recordings");
  const recordings = readdirSync(folder)
    .filter((name) => name.endsWith(".sse"))
    .map((name) => [name, new Uint8Array(readFileSync(path.join(folder, name)))] as const);
  const failing = new Set(["openrouter-error-first.sse", "openrouter-error-mid-stream.sse", "vllm-error-first.sse"]);

  test("are all there", () => {
    expect(recordings.length).toBe(18);
  });

  test.each(recordings)("%s ends as it should", (name, stream) => {
    const outcome = read([stream]);
    expect(outcome.complete).toBe(!failing.has(name));
    if (outcome.complete) {
      expect(outcome.relay.replace(/[\r\n]+$/, "").endsWith("[DONE]")).toBe(true);
      expect(outcome.finished).toBe(true);
    }
  });

  test("usage is read from each provider's own place", () => {
    const usages = Object.fromEntries(
      recordings.map(([name, stream]) => [name, read([stream], { cutUsageEvent: true }).facts.usage?.totalTokens]),
    );
    expect(usages).toMatchObject({
      "openai-text.sse": undefined,
      "openai-usage.sse": 29,
      "openai-parallel-tools.sse": 67,
      "azure-content-filter.sse": 15,
      "deepseek-reasoning.sse": 41,
      "openrouter-reasoning.sse": 40,
      "groq-usage.sse": 22,
      "vllm-spaces.sse": 34,
      "crlf.sse": 29,
      "cr.sse": 29,
    });
  });

  test.each(recordings)("%s gives the same whatever two pieces it comes in", (_name, stream) => {
    const whole = read([stream], { cutUsageEvent: true });
    for (let at = 1; at < stream.length; at++) {
      const split = read([stream.subarray(0, at), stream.subarray(at)], { cutUsageEvent: true });
      const isSame =
        split.relay === whole.relay &&
        split.events === whole.events &&
        split.finished === whole.finished &&
        split.complete === whole.complete &&
        split.inBand === whole.inBand &&
        split.failure?.message === whole.failure?.message &&
        split.facts.usage?.totalTokens === whole.facts.usage?.totalTokens;
      if (!isSame) throw new Error(`split at ${at}: ${JSON.stringify(split)} instead of ${JSON.stringify(whole)}`);
    }
  });

  test.each(recordings)("%s gives the same in single bytes", (_name, stream) => {
    const whole = read([stream]);
    const bytes = read(Array.from(stream, (byte) => new Uint8Array([byte])));
    expect({ ...bytes, failure: bytes.failure?.message }).toEqual({ ...whole, failure: whole.failure?.message });
  });

  test.each(recordings)("%s cut at any byte is whole or has one failure, and nothing is made up", (name, stream) => {
    const whole = read([stream]);
    let completeFrom: number | undefined;
    for (let length = 0; length <= stream.length; length++) {
      const cut = read([stream.subarray(0, length)]);
      if (cut.complete === (cut.failure !== undefined)) throw new Error(`cut at ${length}: neither whole nor failed`);
      if (cut.complete) completeFrom ??= length;
      else if (completeFrom !== undefined && !failing.has(name))
        throw new Error(`cut at ${length}: whole before, failed now`);
      // What is added at most: line ends that were cut off, and the terminal.
      const original = cut.complete
        ? cut.relay.replace(/(\r\n|\r|\n)*(data: \[DONE\]\n\n)?$/, "")
        : cut.relay.replace(/[\r\n]+$/, "");
      if (!whole.relay.startsWith(original)) throw new Error(`cut at ${length}: ${cut.relay}`);
    }
    if (!failing.has(name)) {
      const finishAt = ['"finish_reason":"', '"finish_reason": "'].map((key) => Buffer.from(stream).lastIndexOf(key));
      expect(completeFrom).toBeGreaterThan(Math.max(...finishAt));
    }
  });
});
