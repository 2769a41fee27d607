// Recorded-style Responses streams cut at every byte, split at every byte, and damaged by chance: a whole answer or one failure, and never a byte after.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { createResponsesStreamReader } from "./stream-reader.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function event(type: string, number: number, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number, ...members })}\n\n`;
}

/** The events of https://platform.openai.com/docs/api-reference/responses-streaming for an answer of one text and one call. */
function answer(ending: "completed" | "failed" | "error"): string {
  const response = { id: "resp_1", object: "response", created_at: 1, model: "m", status: "in_progress", output: [] };
  const at = { item_id: "msg_1", output_index: 0, content_index: 0 };
  const part = { type: "output_text", text: "héllo 🥝", annotations: [] };
  const message = { id: "msg_1", type: "message", status: "completed", role: "assistant", content: [part] };
  const call = { id: "fc_1", type: "function_call", call_id: "call_1", name: "f", arguments: '{"a":1}' };
  const bodies: [string, object][] = [
    ["response.created", { response }],
    ["response.in_progress", { response }],
    ["response.output_item.added", { output_index: 0, item: { ...message, content: [] } }],
    ["response.content_part.added", { ...at, part: { ...part, text: "" } }],
    ["response.output_text.delta", { ...at, delta: "héllo " }],
    ["response.output_text.delta", { ...at, delta: "🥝" }],
    ["response.output_text.done", { ...at, text: part.text }],
    ["response.content_part.done", { ...at, part }],
    ["response.output_item.done", { output_index: 0, item: message }],
    ["response.output_item.added", { output_index: 1, item: { ...call, arguments: "" } }],
    ["response.function_call_arguments.delta", { item_id: "fc_1", output_index: 1, delta: '{"a":1}' }],
    ["response.output_item.done", { output_index: 1, item: call }],
  ];
  const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
  const error = { code: "server_error", message: "né" };
  if (ending === "completed") {
    bodies.push([
      "response.completed",
      { response: { ...response, status: "completed", output: [message, call], usage } },
    ]);
  } else {
    if (ending === "error")
      bodies.push(["error", { ...error, param: null, error: { type: "server_error", ...error } }]);
    bodies.push(["response.failed", { response: { ...response, status: "failed", error } }]);
  }
  return bodies.map(([type, members], number) => event(type, number, members)).join("");
}

/** What the caller gets of an upstream that sends these pieces and ends. */
function deliver(pieces: readonly Uint8Array[], skipMalformed = false) {
  const reader = createResponsesStreamReader({ providerName: "up", skipMalformed });
  const relays: Uint8Array[] = [];
  let started = false;
  for (const piece of [...pieces, undefined]) {
    const step = piece === undefined ? reader.end() : reader.push(piece.slice());
    if (step.relay !== undefined) relays.push(step.relay.slice());
    if (step.events > 0) started = true;
    if (!step.complete && step.failure === undefined) continue;
    if (step.failure !== undefined && !started) {
      expect(relays).toEqual([]);
      return { text: "", complete: false, refused: true };
    }
    if (step.failure !== undefined && !step.inBand) {
      relays.push(reader.breakOff?.(step.failure.message, "stream_incomplete") ?? new Uint8Array(0));
    }
    expect(reader.push(encoder.encode(answer("completed"))).relay).toBeUndefined();
    expect(reader.end().relay).toBeUndefined();
    return { text: decoder.decode(Buffer.concat(relays)), complete: step.complete, refused: false };
  }
  throw new Error("a reader comes to a conclusion at the end");
}

interface Got {
  readonly type: string;
  readonly sequence_number: number;
}

function eventsOf(text: string): readonly (Got | undefined)[] {
  expect(text).toEndWith("\n\n");
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => parse(block.slice(block.indexOf("data: ") + 6)));
}

function parse(json: string): Got | undefined {
  try {
    return JSON.parse(json) as Got;
  } catch {
    return undefined;
  }
}

/** Gapless, and one terminal, or `error` and `response.failed` as one. */
function judge(text: string, complete: boolean): void {
  const events = eventsOf(text);
  const types = events.map((each) => each?.type ?? "malformed");
  expect(events.map((each) => each?.sequence_number)).toEqual(events.map((_, index) => index));
  const terminals = types.filter((type) => /^(?:error|response\.(?:completed|failed))$/.test(type));
  expect(terminals).toEqual(complete ? ["response.completed"] : ["error", "response.failed"]);
  expect(types.slice(-terminals.length)).toEqual(terminals);
}

test.each(["completed", "error", "failed"] as const)("%s, cut at every byte", (ending) => {
  const stream = answer(ending);
  const bytes = encoder.encode(stream);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { text, complete, refused } = deliver([bytes.subarray(0, cut)]);
    if (refused) expect(cut).toBeLessThan(stream.indexOf("\n\n") + 2);
    else judge(text, complete);
    // The last blank line may be missing.
    expect(complete).toBe(ending === "completed" && cut >= bytes.length - 2);
    if (complete) expect(text).toBe(stream);
  }
});

test.each(["completed", "error", "failed"] as const)("%s, split at every byte", (ending) => {
  const stream = answer(ending);
  const bytes = encoder.encode(stream);
  for (let at = 1; at < bytes.length; at++) {
    const { text, complete } = deliver([bytes.subarray(0, at), bytes.subarray(at)]);
    judge(text, complete);
    if (ending === "completed") expect(text).toBe(stream);
  }
  const { text, complete } = deliver(Array.from(bytes, (byte) => new Uint8Array([byte])));
  judge(text, complete);
});

test.each([
  ["with CRLF", answer("completed").replaceAll("\n", "\r\n")],
  ["without event lines", answer("completed").replaceAll(/event: .*\n/g, "")],
  ["without numbers", answer("completed").replaceAll(/"sequence_number":\d+,/g, "")],
  ["with spaces", answer("completed").replaceAll(/"(type|sequence_number)":/g, '"$1": ')],
  ["with the type last", answer("completed").replaceAll(/\{("type":"[^"]*"),(.*)\}\n/g, "{$2,$1}\n")],
])("%s, split and cut at every byte", (_, stream) => {
  const bytes = encoder.encode(stream);
  for (let at = 1; at < bytes.length; at++) {
    const split = deliver([bytes.subarray(0, at), bytes.subarray(at)]);
    expect({ text: split.text, complete: split.complete }).toEqual({ text: stream, complete: true });
    const { text, complete, refused } = deliver([bytes.subarray(0, at)]);
    if (refused || complete) continue;
    const events = eventsOf(text.replaceAll(/\r\n?/g, "\n"));
    expect(events.map((each) => each?.type).slice(-2)).toEqual(["error", "response.failed"]);
    expect(events.at(-1)?.sequence_number).toBe(events.length - 1);
  }
});

test("3000 damaged streams end in one terminal or are refused, without a gap where malformed events are left out", () => {
  const bytes = encoder.encode(answer("completed"));
  const damages = fc.array(
    fc.record({ at: fc.nat(bytes.length), take: fc.nat(40), put: fc.uint8Array({ maxLength: 6 }) }),
    { minLength: 1, maxLength: 3 },
  );
  let whole = 0;
  let broken = 0;
  fc.assert(
    fc.property(damages, fc.nat(60), fc.boolean(), (list, size, skipMalformed) => {
      let damaged = Buffer.from(bytes);
      for (const { at, take, put } of list) {
        damaged = Buffer.concat([damaged.subarray(0, at), put, damaged.subarray(at + take)]);
      }
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < damaged.length; at += size + 1) pieces.push(damaged.subarray(at, at + size + 1));
      const { text, complete, refused } = deliver(pieces, skipMalformed);
      if (refused) return;
      if (complete) whole++;
      else broken++;
      const failed = text.match(/"type":"response\.failed"/g) ?? [];
      expect(failed.length).toBe(complete ? 0 : 1);
      if (!complete)
        expect(text).toContain('\n\nevent: response.failed\ndata: {"type":"response.failed","sequence_number":');
    }),
    { numRuns: 3000, seed: 6 },
  );
  expect(whole).toBeGreaterThan(100);
  expect(broken).toBeGreaterThan(100);
});
