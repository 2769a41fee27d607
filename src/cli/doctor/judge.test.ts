import { describe, expect, test } from "bun:test";
import { answerText } from "../../upstream-simulator/answer-text.ts";
import type { FaultDescription } from "../../upstream-simulator/fault.ts";
import { findFault } from "../../upstream-simulator/faults.ts";
import { type Evidence, judge } from "./judge.ts";

const first = { providerName: "a", model: "one" };
const second = { providerName: "b", model: "two" };
const oneText = answerText("one");

const event = (value: unknown): string => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const delta = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] });
const document = (content: string): string => JSON.stringify({ choices: [{ index: 0, message: { content } }] });
const envelope = (code: string | null) => ({ error: { message: "broke", type: "provider_error", param: null, code } });
const done = event("[DONE]");
const speaks = () => "chat-completions" as const;

function faultNamed(name: string): FaultDescription {
  const found = findFault(name);
  if (found === undefined) throw new Error(`there is no fault ${name}`);
  return found.fault;
}

function judged(
  body: string,
  change: Partial<Omit<Evidence, "seen">> & { status?: number; left?: boolean; trouble?: string; type?: string } = {},
) {
  const { status = 200, left = false, trouble, ...rest } = change;
  const mode = rest.mode ?? "stream";
  const type = rest.type ?? (mode === "stream" && status === 200 ? "text/event-stream" : "application/json");
  const last = (rest.calls ?? [first]).at(-1) ?? first;
  const headers = new Headers({
    "content-type": type,
    "x-gomodel-provider": last.providerName,
    "x-gomodel-model": last.model,
  });
  const fault = faultNamed("cut-after");
  const seen = { status, headers, body, ms: 7000, left, trouble };
  return judge({ mode, seen, calls: [first], faulty: [first], fault, speaks, bugs: [], ...rest });
}

describe("a stream", () => {
  test("with every word and [DONE] is whole, and names who gave it", () => {
    expect(judged(`${delta(answerText("two"))}${done}`, { calls: [first, second] })).toEqual({
      kind: "whole",
      from: "b/two",
      begunBy: undefined,
      attempts: 2,
      ms: 7000,
    });
  });

  test("that was continued by another target tells both", () => {
    const headers = new Headers({
      "content-type": "text/event-stream",
      "x-gomodel-provider": "a",
      "x-gomodel-model": "one",
    });
    const seen = { status: 200, headers, body: `${delta(oneText)}${done}`, ms: 1, left: false, trouble: undefined };
    const fault = faultNamed("cut-after");
    const calls = [first, second];
    expect(judge({ mode: "stream", seen, calls, faulty: [first], fault, speaks, bugs: [] })).toMatchObject({
      kind: "whole",
      from: "b/two",
      begunBy: "a/one",
    });
  });

  test("that ends in stream_incomplete was cut and says so", () => {
    const body = `${delta(oneText.slice(0, 10))}${event(envelope("stream_incomplete"))}`;
    expect(judged(body)).toMatchObject({ kind: "cut", code: "stream_incomplete", message: "broke" });
  });

  test("that ends in the provider's own error was cut and says so", () => {
    expect(judged(`${delta("")}${event({ error: "overloaded" })}`)).toMatchObject({
      kind: "cut",
      code: null,
      message: "overloaded",
    });
  });

  test("that still shows signs of life when the caller leaves is endless", () => {
    expect(judged(`${delta("")}: heartbeat\n\n`, { left: true })).toMatchObject({ kind: "endless", begun: true });
  });

  test.each([
    ["stops without an end", delta(oneText.slice(0, 10)), "BROKEN SILENTLY: the stream ends as if it were whole"],
    ["lacks words before [DONE]", `${delta(oneText.slice(0, 10))}${done}`, "BROKEN SILENTLY: passed off as whole"],
    ["says nothing before [DONE]", done, "BROKEN SILENTLY: passed off as whole, the answer says nothing"],
    ["repeats words", `${delta(oneText)}${delta(oneText)}${done}`, "BROKEN SILENTLY: passed off as whole"],
    ["goes on after [DONE]", `${delta(oneText)}${done}${delta("x")}`, "events after the end"],
    ["has two ends", `${delta(oneText)}${done}${done}`, "events after the end"],
    ["goes on after its error", `${event(envelope(null))}${delta("x")}`, "events after the error"],
    ["has an end after its error", `${event(envelope(null))}${done}`, "events after the error"],
    ["has half an event at its end", `${delta(oneText)}${done}data: {`, "bytes after the last event"],
    ["altered words before its error", `${delta("hello")}${event(envelope(null))}`, "ALTERED"],
  ])("that %s is wrong", (_, body, why) => {
    const outcome = judged(body);
    expect(outcome).toMatchObject({ kind: "wrong", why: expect.stringContaining(why) });
  });

  test("of a healthy shape with words of its own is taken at its word", () => {
    const fault = faultNamed("tools");
    expect(judged(`${delta("")}${done}`, { fault }).kind).toBe("whole");
    // But not when the healthy target gave it.
    expect(judged(`${delta("")}${done}`, { fault, calls: [first, second] }).kind).toBe("wrong");
  });
});

describe("a buffered answer", () => {
  test("with every word is whole", () => {
    expect(judged(document(oneText), { mode: "buffered" })).toMatchObject({ kind: "whole", from: "a/one" });
  });

  test("without a word is right from a provider of Messages that has none, and from nobody else", () => {
    const empty = { mode: "buffered", fault: faultNamed("choices-empty") } as const;
    expect(judged(document(""), { ...empty, speaks: () => "messages" })).toMatchObject({
      kind: "whole",
      from: "a/one",
    });
    expect(judged(document(""), empty)).toMatchObject({ kind: "wrong" });
    const calls = [first, second];
    expect(judged(document(""), { ...empty, calls, speaks: () => "messages" })).toMatchObject({ kind: "wrong" });
  });

  test.each([
    ["no JSON", "hello", "a body that is no answer"],
    ["an error", JSON.stringify(envelope(null)), "a body that is no answer"],
    ["half of the words", document(oneText.slice(0, 20)), "BROKEN SILENTLY"],
  ])("of status 200 with %s is wrong", (_, body, why) => {
    expect(judged(body, { mode: "buffered" })).toMatchObject({ kind: "wrong", why: expect.stringContaining(why) });
  });

  test("of status 200 under another content-type is wrong", () => {
    const outcome = judged(document(oneText), { mode: "buffered", type: "text/html" });
    expect(outcome).toMatchObject({ kind: "wrong", why: 'status 200 with the content-type "text/html"' });
  });
});

describe("a status", () => {
  test("with the envelope is an honest error", () => {
    expect(judged(JSON.stringify(envelope("x")), { status: 502 })).toEqual({
      kind: "error",
      status: 502,
      type: "provider_error",
      code: "x",
      message: "broke",
      retryAfter: undefined,
      attempts: 1,
      ms: 7000,
    });
  });

  test.each([
    ["no JSON", "<html>"],
    ["an error without its members", '{"error":{"message":"broke"}}'],
    ["no message", '{"error":{"message":"","type":"x","param":null,"code":null}}'],
  ])("with %s is wrong", (_, body) => {
    expect(judged(body, { status: 502 })).toMatchObject({ kind: "wrong", why: "status 502 without an error" });
  });
});

test("no answer until the caller leaves is endless", () => {
  const seen = { status: undefined, headers: undefined, body: "", ms: 1, left: true, trouble: undefined };
  const fault = faultNamed("hang-before-answer");
  const evidence = { mode: "stream", seen, calls: [first], faulty: [first], fault, speaks, bugs: [] } as const;
  expect(judge(evidence)).toMatchObject({ kind: "endless", begun: false });
});

test("a connection that the gateway breaks is wrong, and so is an error of its own", () => {
  expect(judged("", { trouble: "socket closed" })).toMatchObject({
    kind: "wrong",
    why: "the gateway broke the connection: socket closed",
  });
  expect(judged(`${delta(oneText)}${done}`, { bugs: ["unexpected error: x"] }).kind).toBe("wrong");
});
