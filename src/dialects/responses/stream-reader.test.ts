// What the reader of Responses streams relays and concludes, rule by rule.

import { describe, expect, test } from "bun:test";
import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import { createResponsesStreamReader } from "./stream-reader.ts";
import type { ResponsesStreamOptions } from "./stream-reader.ts";

const decoder = new TextDecoder();

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function event(type: string, number: number | undefined, members: object = {}): string {
  const sequence = number === undefined ? {} : { sequence_number: number };
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...sequence, ...members })}\n\n`;
}

const response = { id: "resp_1", object: "response", created_at: 17, model: "m", status: "in_progress", output: [] };
const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
const message = { type: "message", id: "msg_1", status: "completed", content: [{ type: "output_text", text: "hé" }] };

function created(number: number | "none" = 0): string {
  return event("response.created", number === "none" ? undefined : number, { response });
}

function text(number: number | undefined, delta = "hé"): string {
  return event("response.output_text.delta", number, { item_id: "msg_1", output_index: 0, content_index: 0, delta });
}

function itemDone(number: number | undefined): string {
  return event("response.output_item.done", number, { output_index: 0, item: message });
}

function completed(number: number | undefined, members: object = {}): string {
  const whole = { ...response, status: "completed", output: [message], usage, ...members };
  return event("response.completed", number, { response: whole });
}

function failed(number: number | undefined, error: unknown): string {
  return event("response.failed", number, { response: { ...response, status: "failed", error } });
}

interface Outcome {
  readonly relay: string;
  readonly events: number;
  readonly complete: boolean;
  readonly failure: Failure | undefined;
  readonly inBand: boolean;
  readonly brokenBytes: number | undefined;
  readonly facts: AnswerFacts;
  /** What the caller has in the end, a failure's events included. */
  readonly whole: string;
}

function read(chunks: readonly (string | Uint8Array)[], options: Partial<ResponsesStreamOptions> = {}): Outcome {
  const reader = createResponsesStreamReader({ providerName: "up", ...options });
  const relays: Uint8Array[] = [];
  let events = 0;
  for (const chunk of [...chunks, undefined]) {
    const step =
      chunk === undefined ? reader.end() : reader.push(typeof chunk === "string" ? bytesOf(chunk) : chunk.slice());
    if (step.relay !== undefined) relays.push(step.relay.slice());
    events += step.events;
    if (!step.complete && step.failure === undefined) continue;
    expect(reader.push(bytesOf(text(99))).relay).toBeUndefined();
    expect(reader.end().relay).toBeUndefined();
    const { complete, failure, inBand, brokenBytes } = step;
    const relay = decoder.decode(Buffer.concat(relays));
    const breaks = failure !== undefined && relay !== "" && !inBand;
    const last = breaks ? decoder.decode(reader.breakOff?.(failure.message, "stream_incomplete")) : "";
    return { relay, events, complete, failure, inBand, brokenBytes, facts: reader.facts(), whole: relay + last };
  }
  throw new Error("the loop above always ends");
}

interface ParsedEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [key: string]: unknown;
}

function parse(stream: string): readonly ParsedEvent[] {
  return stream
    .split("\n\n")
    .filter((block) => block !== "" && !block.startsWith(":"))
    .map((block) => JSON.parse(block.slice(block.indexOf("data: ") + 6)) as ParsedEvent);
}

function typesOf(stream: string): readonly string[] {
  return parse(stream).map(({ type }) => type);
}

function numbersOf(stream: string): readonly number[] {
  return parse(stream).map((each) => each.sequence_number);
}

const whole = created() + text(1) + itemDone(2) + completed(3);

describe("a whole answer", () => {
  test("goes out byte for byte, with its usage", () => {
    expect(read([whole])).toMatchObject({
      relay: whole,
      events: 4,
      complete: true,
      failure: undefined,
      facts: { usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 }, emptyReason: undefined },
    });
  });

  test.each(["response.incomplete", "response.cancelled"])("is one that ends in %s", (type) => {
    const stream = created() + event(type, 1, { response: { ...response, output: [message], usage } });
    expect(read([stream])).toMatchObject({ relay: stream, complete: true, failure: undefined });
  });

  test("is one without numbers and without event lines", () => {
    const stream = (created("none") + text(undefined) + completed(undefined)).replaceAll(/event: .*\n/g, "");
    expect(read([stream])).toMatchObject({ relay: stream, complete: true, events: 3 });
  });

  test("is one whose members come in another order and with spaces", () => {
    const stream = `data: {"sequence_number": 0, "type": "response.completed", "response": {"output": [{}]}}\n\n`;
    expect(read([stream])).toMatchObject({ relay: stream, complete: true });
  });

  test("is one whose type stands in the event line only", () => {
    const stream = `event: response.completed\ndata: {"response":{"output":[{}]}}\n\n`;
    expect(read([stream])).toMatchObject({ relay: stream, complete: true });
  });

  test("ends at its terminal, whatever follows, [DONE] too", () => {
    expect(read([`${whole}data: [DONE]\n\n${text(4)}`])).toMatchObject({ relay: whole, complete: true });
  });

  test.each(["", "\n"])("may lack the last blank line (%j is there)", (rest) => {
    const stream = whole.slice(0, -2) + rest;
    expect(read([stream])).toMatchObject({ relay: whole, complete: true, events: 4 });
  });

  test("loses comments before the first event and empty data anywhere, and keeps later comments", () => {
    const stream = `: hi\n\n${created()}data:\n\n: there\n\n${completed(1)}`;
    expect(read([stream]).relay).toBe(`${created()}: there\n\n${completed(1)}`);
  });

  test.each([
    ["no_output", completed(1, { output: [] })],
    ["no_usage", completed(1, { usage: undefined })],
    ["no_usage", completed(1, { usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } })],
  ])("is reported as %s", (reason, last) => {
    expect(read([created() + last]).facts.emptyReason).toBe(reason as "no_output");
  });

  test("has output when its items came before a terminal without any", () => {
    expect(read([created() + itemDone(1) + completed(2, { output: [] })]).facts.emptyReason).toBeUndefined();
  });
});

describe("a failure as the first event", () => {
  test.each([
    ["rate_limit_exceeded", 429],
    ["insufficient_quota", 429],
    ["server_error", 500],
    ["server_is_overloaded", 503],
    ["slow_down", 503],
    ["invalid_prompt", 400],
    ["context_length_exceeded", 400],
    ["nobody_knows", 502],
    ["418", 418],
    [529, 529],
  ])("with the code %p has status %d", (code, status) => {
    for (const stream of [
      failed(0, { code, message: "né" }),
      event("error", 0, { code, message: "né", param: null }),
      event("error", 0, { error: { code, message: "né", param: null } }),
    ]) {
      const { relay, events, failure } = read([`: comment\n\n${stream}`]);
      expect({ relay, events }).toEqual({ relay: "", events: 0 });
      expect(failure).toMatchObject({ origin: "status", status, message: "né", code });
    }
  });

  test("and only as the first one: behind events that say the answer is under way it has begun, in one chunk or in several", () => {
    const start = created() + event("response.in_progress", 1, { response });
    const end = failed(2, { code: "server_error", message: "m" });
    for (const chunks of [[start + end], [start, end]]) {
      const { relay, failure, inBand } = read(chunks);
      expect({ status: failure?.status, inBand }).toEqual({ status: 500, inBand: true });
      expect(relay).toStartWith(start);
    }
  });

  test("has the status of its type when the code says nothing", () => {
    const { failure } = read([event("error", 0, { error: { type: "invalid_request_error", message: "no" } })]);
    expect(failure?.status).toBe(400);
  });

  test("carries the wish and headers of the answer", () => {
    const options = { errorHeaders: [["retry-after", "3"]] as const, retryAfterMs: 3000 };
    const { failure } = read([failed(0, { code: "rate_limit_exceeded", message: "wait" })], options);
    expect(failure).toMatchObject({ headers: [["retry-after", "3"]], retryAfterMs: 3000 });
  });

  test("without any word says so", () => {
    expect(read([failed(0, null)]).failure).toMatchObject({
      status: 502,
      message: "provider up ended the response as failed without saying why",
    });
  });
});

describe("a failure later", () => {
  const both = { type: "server_error", code: "server_error", message: "oh", param: null };

  test("in both events passes byte for byte", () => {
    const error = event("error", 2, { ...both, type: "error", error: both });
    const stream = created() + text(1) + error + failed(3, { code: "server_error", message: "oh" });
    const { relay, inBand, brokenBytes, failure } = read([stream]);
    expect({ relay, inBand, status: failure?.status }).toEqual({ relay: stream, inBand: true, status: 500 });
    expect(brokenBytes).toBe(stream.length - (created() + text(1)).length);
  });

  test.each([
    ["at the end of the body", ""],
    ["with something else behind it", text(3)],
  ])("in an error event alone, %s, gets its response.failed", (_, rest) => {
    const { relay, inBand } = read([created() + itemDone(1) + event("error", 2, { code: "x", message: "é" }) + rest]);
    expect(typesOf(relay)).toEqual(["response.created", "response.output_item.done", "error", "response.failed"]);
    expect(numbersOf(relay)).toEqual([0, 1, 2, 3]);
    expect(inBand).toBe(true);
    const [, , error, last] = parse(relay);
    expect(error).toMatchObject({
      code: "x",
      message: "é",
      error: { type: "provider_error", code: "x", message: "é" },
    });
    expect(last?.["response"]).toEqual({
      ...response,
      status: "failed",
      output: [message],
      error: { code: "x", message: "é" },
    });
  });

  test("in an error event whose response.failed comes in a later chunk gets one all the same, once", () => {
    const error = event("error", 1, { ...both, type: "error", error: both });
    const { relay } = read([created(), error, failed(2, both)]);
    expect(typesOf(relay)).toEqual(["response.created", "error", "response.failed"]);
  });

  test("in response.failed alone gets an error event before it, which takes its number", () => {
    const { relay, inBand } = read([created(), failed(1, { code: "server_error", message: "oh" })]);
    expect(typesOf(relay)).toEqual(["response.created", "error", "response.failed"]);
    expect(numbersOf(relay)).toEqual([0, 1, 2]);
    expect(inBand).toBe(true);
  });

  test("in the form of chat completions is completed", () => {
    const { relay } = read([created(), `data: {"error":{"message":"busy","code":503,"extra":1}}\n\n`]);
    expect(typesOf(relay)).toEqual(["response.created", "error", "response.failed"]);
    expect(parse(relay)[1]).toMatchObject({ message: "busy", code: "503", error: { message: "busy", extra: 1 } });
  });

  test.each(['{"type":"server_error","message":"busy"}', '{"message":"busy"}', '{"code":"x", "message":"busy"}'])(
    "whose event is named error is one, whatever its data: %s",
    (data) => {
      const { relay, inBand } = read([created(), `event: error\ndata: ${data}\n\n`]);
      expect({ types: typesOf(relay), inBand }).toEqual({
        types: ["response.created", "error", "response.failed"],
        inBand: true,
      });
      expect(parse(relay)[1]).toMatchObject({ message: "busy", error: { message: "busy" } });
      expect(read([`event: error\ndata: ${data}\n\n`]).failure).toMatchObject({ message: "busy" });
    },
  );

  test("is one whose type is error, whatever its event line says", () => {
    const stream = `event: message\ndata: {"message":"busy","type":"error"}\n\n`;
    expect(typesOf(read([created(), stream]).relay)).toEqual(["response.created", "error", "response.failed"]);
  });

  test("is no event of another type, which passes", () => {
    const stream = created() + event("keepalive", 1) + completed(2);
    expect(read([stream])).toMatchObject({ relay: stream, complete: true });
  });

  test("of an overload says server_error in response.failed, so that Codex tries again", () => {
    const { relay } = read([created(), event("error", 1, { code: "server_is_overloaded", message: "full" })]);
    const [, error, last] = parse(relay);
    expect(error).toMatchObject({ code: "server_is_overloaded" });
    expect(last).toMatchObject({ response: { error: { code: "server_error" } } });
  });

  test("in a stream without numbers is numbered by what came before it", () => {
    const { relay } = read([created("none") + text(undefined) + event("error", undefined, { message: "m" })]);
    expect(numbersOf(relay).slice(2)).toEqual([2, 3]);
  });

  test("behind events that have no number, unlike the others, is numbered on from these", () => {
    const keepalive = event("keepalive", undefined);
    for (const chunks of [[created() + keepalive, keepalive + text(1), keepalive], [created() + text(1) + keepalive]]) {
      const { relay } = read([...chunks, event("error", undefined, { message: "m" })]);
      expect(numbersOf(relay).slice(-2)).toEqual([2, 3]);
    }
  });

  test("whose event lacks the blank line is told all the same", () => {
    const { relay, inBand } = read([created(), event("error", 1, { message: "m" }).slice(0, -2)]);
    expect(typesOf(relay)).toEqual(["response.created", "error", "response.failed"]);
    expect(inBand).toBe(true);
  });
});

describe("a stream that breaks", () => {
  test("before its first event is empty", () => {
    for (const stream of ["", ": comment\n\n", "data:\n\n", "data: [DONE]\n\n", created().slice(0, 40)]) {
      expect(read([stream]).failure?.message).toBe("provider returned an empty stream");
    }
  });

  test("after it ends in both events, numbered on, with what is whole of the response", () => {
    const { whole: got, failure } = read([created() + text(1) + itemDone(2) + text(3).slice(0, -9)]);
    expect(failure).toMatchObject({ code: "stream_incomplete", status: 502 });
    expect(typesOf(got).slice(3)).toEqual(["error", "response.failed"]);
    expect(numbersOf(got)).toEqual([0, 1, 2, 3, 4]);
    expect(parse(got)[3]).toMatchObject({
      code: "stream_incomplete",
      param: null,
      error: { type: "provider_error", code: "stream_incomplete", param: null },
    });
    expect(parse(got)[4]?.["response"]).toMatchObject({
      id: "resp_1",
      model: "m",
      created_at: 17,
      status: "failed",
      output: [message],
      error: { code: "stream_incomplete" },
    });
  });

  test("at [DONE] without a terminal is not whole", () => {
    const { whole: got } = read([`${created()}data: [DONE]\n\n`]);
    expect(typesOf(got)).toEqual(["response.created", "error", "response.failed"]);
  });

  test("can be asked for its end before anything was delivered", () => {
    const reader = createResponsesStreamReader({ providerName: "up" });
    expect(numbersOf(decoder.decode(reader.breakOff?.("m", "c")))).toEqual([0, 1]);
  });

  test.each(['{"type":"response.completed",', "text", '{"type":"response.completed","response":{,}}'])(
    "in the malformed event %s relays it and ends",
    (data) => {
      const { relay, failure, brokenBytes, inBand, facts } = read([`${created()}data: ${data}\n\n${text(2)}`]);
      expect(relay).toBe(`${created()}data: ${data}\n\n`);
      expect({ code: failure?.code, brokenBytes, inBand }).toEqual({
        code: "stream_incomplete",
        brokenBytes: data.length + 8,
        inBand: false,
      });
      expect(facts.skippedEvents).toBeUndefined();
    },
  );

  test("in a malformed first event relays nothing", () => {
    const { relay, failure } = read(["data: {oops\n\n"]);
    expect({ relay, code: failure?.code, status: failure?.status }).toEqual({ relay: "", code: null, status: 502 });
  });

  test("for an event of more than 32 MB says so", () => {
    const reader = createResponsesStreamReader({ providerName: "up" });
    const { failure } = reader.push(bytesOf(`data: ${"x".repeat(33 * 1024 * 1024)}`));
    expect(failure?.message).toBe("provider up sent an event of more than 32 MB");
  });
});

describe("with skipMalformed", () => {
  const skipMalformed = true;

  test("a malformed event is left out, and the numbers close the gap", () => {
    const stream = `${created()}data: {"type":"response.output_text.delta","sequence_number":1,\n\n${text(2)}${completed(3)}`;
    const { relay, complete, facts } = read([stream], { skipMalformed });
    expect({ complete, skipped: facts.skippedEvents }).toEqual({ complete: true, skipped: 1 });
    expect(numbersOf(relay)).toEqual([0, 1, 2]);
    expect(relay).toBe(created() + text(1) + completed(2));
  });

  test("one that took no number leaves the others as they are", () => {
    const { relay } = read([`${created()}data: oops\n\n${text(1)}${completed(2)}`], { skipMalformed });
    expect(relay).toBe(created() + text(1) + completed(2));
  });

  test("a failure after a gap is numbered on", () => {
    const { relay } = read([`${created()}data: oops\n\n${text(2)}`, failed(3, { message: "m" })], { skipMalformed });
    expect(numbersOf(relay)).toEqual([0, 1, 2, 3]);
  });

  test("the eleventh ends the stream, and so does one named error", () => {
    expect(read([created() + "data: oops\n\n".repeat(11)], { skipMalformed }).failure?.code).toBe("stream_incomplete");
    expect(read([`${created()}event: error\ndata: oops\n\n`], { skipMalformed }).failure?.code).toBe(
      "stream_incomplete",
    );
  });

  test("a stream of nothing else is malformed, not empty", () => {
    expect(read(["data: oops\n\n"], { skipMalformed }).failure?.message).toContain("malformed");
  });
});
