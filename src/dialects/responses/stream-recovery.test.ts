// Broken Responses streams gone on with: what is an obstacle, what is asked for, and that the caller has every character once.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import OpenAI from "openai";
import {
  messageEvents,
  numberEvents,
  parseEvents,
  type ResponseEvent,
  responsesRequest,
  textOfEvents,
  writeEvents,
} from "../../../test/support/responses-events.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader } from "../../core/provider.ts";
import type { ResumeRule } from "../../core/resume-rule.ts";
import type { DeliveredStream, ResumedReader } from "../../core/stream-recovery.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { maxJsonDepth, scanObject } from "../json/scan-object.ts";
import { responsesClientDialect } from "./client-dialect.ts";
import { createResponsesStreamReader } from "./stream-reader.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const request = responsesRequest({ model: "m", input: "hi", stream: true });

const firstUsage = { input_tokens: 10, output_tokens: 4, total_tokens: 14 };
const nextUsage = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 2 },
  output_tokens: 6,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 18,
};
const noFacts: AnswerFacts = { usage: undefined, emptyReason: undefined };

function deliver(text: string, of = request): { readonly delivered: DeliveredStream; readonly text: string } {
  const delivered = responsesClientDialect.followStream(of);
  const reader = createResponsesStreamReader({ providerName: "first" });
  const step = reader.push(encoder.encode(text));
  const relay = step.relay?.subarray(0, step.relay.length - (step.brokenBytes ?? 0)) ?? new Uint8Array(0);
  delivered.took(relay);
  return { delivered, text: decoder.decode(relay) };
}

interface Rest {
  readonly text: string;
  readonly complete: boolean;
  readonly code: string | undefined;
  readonly resumed: ResumedReader;
}

/** Gives the next answer to the reader, in pieces of `size` bytes. */
function resume(
  delivered: DeliveredStream,
  rule: ResumeRule,
  stream: string,
  size = 50,
  broken: AnswerFacts = noFacts,
): Rest {
  const next: AnswerReader = createResponsesStreamReader({ providerName: "next" });
  const resumed = delivered.resume(next, rule, broken);
  const bytes = encoder.encode(stream);
  const relays: Uint8Array[] = [];
  for (let at = 0; ; at += size) {
    const step = at < bytes.length ? resumed.push(bytes.slice(at, at + size)) : resumed.end();
    expect(step.inBand).toBe(false);
    if (step.relay !== undefined) {
      relays.push(step.relay);
      delivered.took(step.relay);
    }
    if (!step.complete && step.failure === undefined) continue;
    const text = decoder.decode(Buffer.concat(relays));
    return { text, complete: step.complete, code: step.failure?.code?.toString(), resumed };
  }
}

/** What a whole stream has to be, whoever sent which part of it. */
function expectWhole(stream: string, text: string, name = "first"): readonly ResponseEvent[] {
  const events = parseEvents(stream);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  expect(textOfEvents(events)).toBe(text);
  const types = events.map(({ type }) => type).filter((type) => type !== "response.output_text.delta");
  expect(types).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  const part = { type: "output_text", text, annotations: [] };
  const item = { id: `msg_${name}`, type: "message", status: "completed", role: "assistant", content: [part] };
  const at = { item_id: item.id, output_index: 0, content_index: 0 };
  const [textDone, partDone, itemDone, completed] = events.slice(-4);
  expect(textDone).toMatchObject({ ...at, text });
  expect(partDone).toMatchObject({ ...at, part });
  expect(itemDone).toMatchObject({ output_index: 0, item });
  expect(completed).toMatchObject({
    response: { id: `resp_${name}`, created_at: name.length, model: name, status: "completed", output: [item] },
  });
  for (const event of events) if (event["item_id"] !== undefined) expect(event).toMatchObject(at);
  return events;
}

const first = messageEvents({ name: "first", pieces: ["Hé", "llo ", "wor", "ld"], usage: firstUsage });
const cut = writeEvents(first.slice(0, 6));

describe("an answer that broke in its text", () => {
  test("is gone on with by one that repeats it to the letter", () => {
    const { delivered, text } = deliver(cut);
    const next = messageEvents({ name: "next", pieces: ["Héll", "o world", "!"], usage: nextUsage });
    const rest = resume(delivered, "fresh", writeEvents(next), 50, { ...noFacts, usage: undefined });
    expect(rest).toMatchObject({ complete: true, code: undefined });
    const events = expectWhole(text + rest.text, "Héllo world!");
    expect(textOfEvents(parseEvents(rest.text))).toBe("world!");
    // The first part is estimated: its prompt as the next counted it, and a token for each of its two pieces.
    expect(events.at(-1)?.["response"]).toMatchObject({
      usage: { input_tokens: 24, output_tokens: 8, total_tokens: 32, estimated: true },
    });
    expect(delivered.brokenParts()[0]?.usage).toMatchObject({ inputTokens: 12, outputTokens: 2 });
    expect(delivered.obstacle()).toBe("finished");
  });

  test("is gone on with by one that was asked to, and usage that was told is added up", () => {
    const { delivered, text } = deliver(writeEvents(first.slice(0, 5)));
    const next = messageEvents({ name: "next", pieces: ["llo", " world"], usage: nextUsage });
    const usage = createFacts(firstUsage);
    const rest = resume(delivered, "prefill", writeEvents(next), 7, usage);
    const events = expectWhole(text + rest.text, "Héllo world");
    expect(events.at(-1)?.["response"]).toMatchObject({
      usage: { input_tokens: 22, input_tokens_details: { cached_tokens: 2 }, output_tokens: 10, total_tokens: 32 },
    });
  });

  test("is gone on with by a translated one, which ends with [DONE] behind its terminal", () => {
    const { delivered } = deliver(cut);
    const end = "data: [DONE]\n\n";
    const whole = writeEvents(messageEvents({ name: "next", pieces: ["Héllo world"], usage: nextUsage })) + end;
    const next: AnswerReader = {
      contentType: "text/event-stream",
      push: (relay) => ({ relay, events: 10, finished: true, complete: true, failure: undefined, inBand: false }),
      end: () => ({ relay: undefined, events: 0, finished: true, complete: true, failure: undefined, inBand: false }),
      facts: () => noFacts,
    };
    const step = delivered.resume(next, "fresh", noFacts).push(encoder.encode(whole));
    expect(step).toMatchObject({ complete: true, failure: undefined });
    const relay = decoder.decode(step.relay);
    expect(relay).toEndWith(`\n\n${end}`);
    expect(relay.match(/^event: (?:response\.completed|error)$/gm)).toEqual(["event: response.completed"]);
  });

  test("is gone on with a second time where that one breaks, too", () => {
    const { delivered, text } = deliver(cut);
    const second = messageEvents({ name: "second", pieces: ["Héllo w", "or"] });
    const middle = resume(delivered, "fresh", writeEvents(second.slice(0, 6)));
    expect(middle).toMatchObject({ complete: false, code: "stream_incomplete" });
    expect(delivered.obstacle()).toBeUndefined();
    const rest = resume(delivered, "fresh", writeEvents(messageEvents({ name: "third", pieces: ["Héllo world"] })));
    expectWhole(text + middle.text + rest.text, "Héllo world");
    expect(delivered.brokenParts()).toHaveLength(2);
  });

  test("begins anew where only its first events were delivered", () => {
    for (const count of [1, 2, 3, 4]) {
      const { delivered, text } = deliver(writeEvents(first.slice(0, count)));
      const rest = resume(delivered, "fresh", writeEvents(messageEvents({ name: "next", pieces: ["Other", " text"] })));
      const events = parseEvents(text + rest.text);
      expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
      expect(textOfEvents(events)).toBe("Other text");
      expect(events.filter(({ type }) => type === "response.created")).toHaveLength(1);
      const names = new Set(events.map((event) => event["item_id"]).filter((id) => id !== undefined));
      expect([...names]).toEqual([count < 3 ? "msg_next" : "msg_first"]);
      expect(events.at(-1)?.["response"]).toMatchObject({ id: "resp_first", model: "first" });
    }
  });

  test("differs: nothing of the other answer is used, and the end is numbered on", () => {
    const { delivered, text } = deliver(cut);
    const rest = resume(delivered, "fresh", writeEvents(messageEvents({ name: "next", pieces: ["Good day"] })));
    expect(rest).toMatchObject({ text: "", complete: false, code: "stream_incomplete" });
    expect(rest.resumed.state).toBe("diverged");
    expectBroken(text, rest, "in_progress");
  });

  test.each(["He", "Hé"])("differs when the other answer ends early, after %s", (shorter) => {
    const { delivered } = deliver(cut);
    const rest = resume(delivered, "fresh", writeEvents(messageEvents({ name: "next", pieces: [shorter] })));
    expect(rest).toMatchObject({ text: "", complete: false });
    expect(rest.resumed.state).toBe("diverged");
  });

  test("differs when the other answer reasons or calls a tool first", () => {
    for (const type of ["reasoning", "function_call", "refusal"]) {
      const { delivered } = deliver(cut);
      const next: readonly ResponseEvent[] = [
        { type: "response.output_item.added", output_index: 0, item: { type, id: "x" } },
        ...messageEvents({ name: "next", pieces: ["Héllo world"] }),
      ];
      expect(resume(delivered, "fresh", writeEvents(numberEvents(next))).resumed.state).toBe("diverged");
    }
  });

  test("repeats the whole text though it was asked to go on: a fresh start tells", () => {
    const { delivered } = deliver(writeEvents(first.slice(0, 5)));
    const rest = resume(delivered, "prefill", writeEvents(messageEvents({ name: "next", pieces: ["H", "é", "llo"] })));
    expect({ text: rest.text, state: rest.resumed.state }).toEqual({ text: "", state: "repeats-prefill" });
  });

  test("was whole already for one that was asked to go on and has nothing to add", () => {
    const { delivered, text } = deliver(writeEvents(first.slice(0, 5)));
    const [created, , , , , , , completed] = messageEvents({ name: "next", pieces: [] });
    const empty = {
      ...completed,
      type: "response.completed",
      response: { ...(completed?.["response"] as object), output: [] },
    };
    const rest = resume(delivered, "prefill", writeEvents(numberEvents([created as ResponseEvent, empty])));
    expectWhole(text + rest.text, "Hé");
  });

  test("goes on with a tool call behind the text", () => {
    const call = { type: "function_call", id: "fc_1", call_id: "c", name: "f", arguments: "{}" };
    const [created, , , , , , , completed] = messageEvents({ name: "next", pieces: [] });
    const response = { ...(completed?.["response"] as object), output: [call] };
    const next: readonly ResponseEvent[] = [
      created as ResponseEvent,
      { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } },
      { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 0, delta: "{}" },
      { type: "response.output_item.done", output_index: 0, item: call },
      { type: "response.completed", response },
    ];
    const { delivered, text } = deliver(writeEvents(first.slice(0, 5)));
    const rest = resume(delivered, "prefill", writeEvents(numberEvents(next)));
    const events = parseEvents(text + rest.text);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type, output_index: index }) => `${type} ${String(index)}`).slice(5)).toEqual([
      "response.output_text.done 0",
      "response.content_part.done 0",
      "response.output_item.done 0",
      "response.output_item.added 1",
      "response.function_call_arguments.delta 1",
      "response.output_item.done 1",
      "response.completed undefined",
    ]);
    expect(events.at(-1)?.["response"]).toMatchObject({ output: [{ id: "msg_first" }, { id: "fc_1" }] });
  });

  test("breaks again behind a piece: the end is numbered on", () => {
    const { delivered, text } = deliver(cut);
    const next = messageEvents({ name: "next", pieces: ["Héllo w", "orld"] });
    const rest = resume(delivered, "fresh", writeEvents(next.slice(0, 6)));
    expectBroken(text, rest, "in_progress");
    expect(textOfEvents(parseEvents(rest.text))).toBe("world");
  });

  test("an error of the other answer is not relayed: the failure says it", () => {
    const { delivered } = deliver(cut);
    const next = messageEvents({ name: "next", pieces: ["Héllo w"] }).slice(0, 5);
    const error = { type: "error", code: "server_error", message: "oh" };
    const rest = resume(delivered, "fresh", writeEvents(numberEvents([...next, error])));
    expect(parseEvents(rest.text).map(({ type }) => type)).toEqual(["response.output_text.delta"]);
    expect(rest.code).toBe("server_error");
  });

  test("without numbers goes on without numbers", () => {
    const { delivered } = deliver(writeEvents(first.slice(0, 6)).replaceAll(/,"sequence_number":\d+/g, ""));
    const rest = resume(delivered, "fresh", writeEvents(messageEvents({ name: "next", pieces: ["Héllo world"] })));
    expect(rest.complete).toBe(true);
    expect(rest.text).not.toContain("sequence_number");
  });
});

function createFacts(usage: JsonObject): AnswerFacts {
  const reader = createResponsesStreamReader({ providerName: "x" });
  reader.push(encoder.encode(writeEvents([{ type: "response.completed", response: { usage } }])));
  return reader.facts();
}

function expectBroken(text: string, rest: Rest, status: string): void {
  expect(text).toContain(`"status":"${status}"`);
  const end = decoder.decode(rest.resumed.breakOff?.("cut", "stream_incomplete"));
  const events = parseEvents(text + rest.text + end);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  expect(events.slice(-2)).toMatchObject([
    { type: "error", code: "stream_incomplete" },
    { type: "response.failed", response: { id: "resp_first", status: "failed", output: [] } },
  ]);
}

describe("an obstacle is", () => {
  const at = { item_id: "msg_first", output_index: 0, content_index: 0 };
  test.each([
    ["finished", first],
    ["finished", first.slice(0, 9)],
    ["tool-calls", [{ type: "response.output_item.added", output_index: 1, item: { type: "function_call" } }]],
    ["tool-calls", [{ type: "response.output_item.added", output_index: 1, item: { type: "web_search_call" } }]],
    ["tool-calls", [{ type: "response.function_call_arguments.delta", delta: "{" }]],
    ["reasoning", [{ type: "response.output_item.added", output_index: 1, item: { type: "reasoning" } }]],
    ["reasoning", [{ type: "response.reasoning_summary_text.delta", delta: "hm" }]],
    ["refusal", [{ type: "response.refusal.delta", delta: "no" }]],
    ["refusal", [{ type: "response.content_part.added", ...at, part: { type: "refusal" } }]],
    ["logprobs", [{ type: "response.output_text.delta", ...at, delta: "x", logprobs: [{}] }]],
    ["other-content", [{ type: "response.output_text.annotation.added", annotation: {} }]],
    ["other-content", [{ type: "response.output_item.added", output_index: 1, item: { type: "message", id: "m2" } }]],
    ["other-content", [{ type: "response.output_text.delta", ...at, content_index: 1, delta: "x" }]],
    ["unreadable", [{ type: "response.output_text.delta", ...at, delta: 5 }]],
    ["unreadable", [{ type: "response.failed", response: {} }]],
    ["unreadable", [{ type: "error", message: "x" }]],
  ] as const)("%s: %j", (obstacle, events) => {
    const delivered = responsesClientDialect.followStream(request);
    if (!(events as readonly ResponseEvent[]).some(({ type }) => type === "response.created")) {
      delivered.took(encoder.encode(cut));
      expect(delivered.obstacle()).toBeUndefined();
    }
    delivered.took(encoder.encode(writeEvents(events)));
    expect(delivered.obstacle()).toBe(obstacle);
    expect(delivered.continuation()).toBeUndefined();
    expect(() => delivered.resume(createResponsesStreamReader({ providerName: "x" }), "fresh", noFacts)).toThrow(
      obstacle,
    );
  });

  test("unreadable: half an event, or none", () => {
    for (const bytes of [cut.slice(0, -9), `${cut}data: x\n\n`]) {
      const delivered = responsesClientDialect.followStream(request);
      delivered.took(encoder.encode(bytes));
      expect(delivered.obstacle()).toBe("unreadable");
    }
  });

  test("too-long: more than four million units", () => {
    const delivered = responsesClientDialect.followStream(request);
    delivered.took(encoder.encode(writeEvents([{ type: "response.output_text.delta", delta: "x".repeat(4_000_001) }])));
    expect(delivered.obstacle()).toBe("too-long");
  });

  test("no comment, no keepalive and no long stream of small pieces", () => {
    const delivered = responsesClientDialect.followStream(request);
    delivered.took(encoder.encode(cut));
    for (let count = 0; count < 2000; count++) {
      delivered.took(encoder.encode(`: hi\n\n${writeEvents([{ type: "keepalive" }])}`));
      delivered.took(
        encoder.encode(writeEvents([{ type: "response.output_text.delta", item_id: "msg_first", delta: "x" }])),
      );
    }
    expect(delivered.obstacle()).toBeUndefined();
  });
});

describe("the request that asks to go on", () => {
  const said = { type: "message", role: "assistant", content: "Hé" };
  const start = writeEvents(first.slice(0, 5));

  function continued(body: JsonObject): unknown {
    const of = responsesRequest(body);
    const continuation = deliver(start, of).delivered.continuation();
    if (continuation === undefined) return undefined;
    expect(continuation.continues).toBe(true);
    expect(scanObject(continuation.body, maxJsonDepth)).toEqual([...continuation.members]);
    return JSON.parse(decoder.decode(continuation.body));
  }

  test("has the text behind a list", () => {
    const user = { role: "user", content: "hi" };
    expect(continued({ input: [user], model: "m" })).toEqual({ input: [user, said], model: "m" });
    const output = { type: "function_call_output", call_id: "c", output: "1" };
    expect(continued({ input: [output], model: "m" })).toEqual({ input: [output, said], model: "m" });
  });

  test("makes a list of an input that is a text", () => {
    const user = { type: "message", role: "user", content: 'say "hé"' };
    expect(continued({ model: "m", input: 'say "hé"', stream: true })).toEqual({
      model: "m",
      input: [user, said],
      stream: true,
    });
  });

  test.each([
    [{ model: "m" }],
    [{ model: "m", input: 5 }],
    [{ model: "m", input: [] }],
    [{ model: "m", input: [{ role: "assistant", content: "x" }] }],
    [{ model: "m", input: [{ type: "function_call", call_id: "c" }] }],
    [{ model: "m", input: [{ type: "item_reference", id: "x" }] }],
  ])("is none for %j", (body) => {
    expect(continued(body)).toBeUndefined();
  });

  test("is none without text or behind white space", () => {
    expect(deliver(writeEvents(first.slice(0, 4))).delivered.continuation()).toBeUndefined();
    expect(deliver(cut).delivered.continuation()).toBeUndefined();
  });
});

test("the helper of the openai package takes two parts for one answer", async () => {
  const { delivered, text } = deliver(cut);
  const rest = resume(
    delivered,
    "fresh",
    writeEvents(messageEvents({ name: "next", pieces: ["Héllo world"], usage: nextUsage })),
  );
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(text + rest.text, { headers: { "content-type": "text/event-stream" } }),
  });
  const client = new OpenAI({ apiKey: "k", baseURL: `http://127.0.0.1:${server.port}/v1`, maxRetries: 0 });
  const stream = client.responses.stream({ model: "m", input: "x" });
  let shown = "";
  stream.on("response.output_text.delta", ({ delta }) => (shown += delta));
  const response = await stream.finalResponse();
  expect({ shown, id: response.id, text: response.output_text }).toEqual({
    shown: "Héllo world",
    id: "resp_first",
    text: "Héllo world",
  });
});

test("an answer cut at every byte and gone on with is whole, with every character once", () => {
  const stream = writeEvents(first);
  const bytes = encoder.encode(stream);
  const next = writeEvents(messageEvents({ name: "next", pieces: ["Héllo", " ", "world"], usage: nextUsage }));
  let recovered = 0;
  for (let end = stream.indexOf("\n\n") + 3; end < bytes.length; end++) {
    const { delivered, text } = deliver(decoder.decode(bytes.subarray(0, end)));
    if (delivered.obstacle() !== undefined) continue;
    const rest = resume(delivered, "fresh", next, 1 + (end % 97));
    expect(rest.complete).toBe(true);
    const events = parseEvents(text + rest.text);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(textOfEvents(events)).toBe("Héllo world");
    expect(events.at(-1)).toMatchObject({
      type: "response.completed",
      response: { id: "resp_first", output: [{ content: [{ text: "Héllo world" }] }] },
    });
    recovered++;
  }
  expect(recovered).toBeGreaterThan(500);
});

test("of 2000 answers in any pieces the caller has the whole text once, or what was good of it", () => {
  const texts = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });
  const outcomes: Record<string, number> = {};
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(200), fc.boolean(), fc.nat(12), (pieces, at, size, asks, differs) => {
      const text = pieces.join("");
      const keep = 4 + (at % (pieces.length + 1));
      const { delivered, text: had } = deliver(writeEvents(messageEvents({ name: "first", pieces }).slice(0, keep)));
      const got = pieces.slice(0, keep - 4).join("");
      const isAsked = asks && delivered.continuation() !== undefined;
      const repeated = isAsked ? text.slice(got.length) : differs === 0 ? `#${text}` : text;
      const again = repeated.match(/[^]{1,5}/g) ?? [];
      const rest = resume(
        delivered,
        isAsked ? "prefill" : "fresh",
        writeEvents(messageEvents({ name: "next", pieces: again })),
        size + 1,
      );
      const { state } = rest.resumed;
      outcomes[state] = (outcomes[state] ?? 0) + 1;
      if (rest.complete) expectWhole(had + rest.text, got === "" ? repeated : text);
      else expect(rest.text).toBe("");
    }),
    { numRuns: 2000, seed: 4 },
  );
  expect(Object.keys(outcomes).toSorted()).toEqual(["diverged", "going-on"]);
});
