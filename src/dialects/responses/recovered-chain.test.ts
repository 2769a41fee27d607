// Answers at the hands of several targets that break, differ, fail or call tools: whatever comes, the caller has a sound stream and every character once.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { drawFrom, type Draw } from "../../../test/support/seeded-random.ts";
import {
  messageEvents,
  numberEvents,
  parseEvents,
  type ResponseEvent,
  responsesRequest,
  textOfEvents,
  writeEvents,
} from "../../../test/support/responses-events.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import { responsesClientDialect } from "./client-dialect.ts";
import { createResponsesStreamReader } from "./stream-reader.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const behaviours = ["whole", "cut", "failed", "malformed", "differs", "reasons", "calls"] as const;
type Behaviour = (typeof behaviours)[number];

const call = { type: "function_call", id: "fc_1", call_id: "c", name: "f", arguments: "{}" };

function send(behaviour: Behaviour, name: string, text: string, draw: Draw): Uint8Array {
  const said = behaviour === "differs" && text !== "" ? `${text.slice(0, -1)}#` : text;
  const pieces = said.match(/[^]{1,4}/gu) ?? [];
  const usage = { input_tokens: 5, output_tokens: pieces.length, total_tokens: 5 + pieces.length };
  const reasons = behaviour === "reasons";
  const events = messageEvents({ name, pieces, usage }).map((event) =>
    reasons && event["output_index"] === 0 ? { ...event, output_index: 1 } : event,
  );
  const middle = draw(events.length);
  if (behaviour === "failed") events.splice(middle, 0, { type: "error", code: "server_error", message: "oh" });
  if (reasons) {
    events.splice(2, 0, { type: "response.output_item.added", output_index: 0, item: { type: "reasoning", id: "rs" } });
  }
  if (behaviour === "calls") {
    events.splice(
      -1,
      0,
      { type: "response.output_item.added", output_index: 1, item: { ...call, arguments: "" } },
      { type: "response.function_call_arguments.delta", output_index: 1, item_id: "fc_1", delta: "{}" },
      { type: "response.output_item.done", output_index: 1, item: call },
    );
  }
  let stream = writeEvents(numberEvents(events));
  if (behaviour === "malformed") {
    const at = stream.indexOf("\n\n", draw(stream.length)) + 2;
    stream = `${stream.slice(0, at)}data: {oops\n\n${stream.slice(at)}`;
  }
  const bytes = encoder.encode(stream);
  return behaviour === "cut" ? bytes.subarray(0, draw(bytes.length)) : bytes;
}

/** Every step of a reader until it has come to a conclusion. */
function* stepsOf(reader: AnswerReader, bytes: Uint8Array, draw: Draw): Generator<ReadStep> {
  for (let at = 0; ;) {
    const size = 1 + draw(300);
    const step = at < bytes.length ? reader.push(bytes.slice(at, at + size)) : reader.end();
    yield step;
    if (step.complete || step.failure !== undefined) return;
    at += size;
  }
}

interface Told {
  readonly events: readonly ResponseEvent[];
  readonly outcome: string;
}

function recover(text: string, seed: number): Told {
  const draw = drawFrom(seed);
  const delivered = responsesClientDialect.followStream(responsesRequest({ model: "m", input: "x" }));
  const pieces: Uint8Array[] = [];
  let reader: AnswerReader = createResponsesStreamReader({ providerName: "first" });
  let behaviour: Behaviour = draw(3) === 0 ? "failed" : "cut";
  let stream = send(behaviour, "first", text, draw);
  for (let turn = 1; ; turn++) {
    for (const step of stepsOf(reader, stream, draw)) {
      const good = step.relay?.subarray(0, step.relay.length - (step.brokenBytes ?? 0));
      if (good !== undefined && good.length > 0) {
        pieces.push(good.slice());
        delivered.took(good);
      }
      if (step.complete) return { events: eventsOf(pieces), outcome: turn === 1 ? "unbroken" : "going-on" };
    }
    if (pieces.length === 0) return { events: [], outcome: "refused" };
    const obstacle = delivered.obstacle();
    const state = "state" in reader ? String(reader.state) : "";
    if (obstacle !== undefined || turn === 4 || state === "diverged") {
      pieces.push(reader.breakOff?.("cut", "stream_incomplete") ?? new Uint8Array(0));
      return { events: eventsOf(pieces), outcome: obstacle ?? (state === "diverged" ? "diverged" : "given-up") };
    }
    const got = textOfEvents(eventsOf(pieces));
    const asks = draw(2) === 0 && delivered.continuation() !== undefined;
    behaviour = behaviours[draw(behaviours.length)] ?? "whole";
    stream = send(behaviour, `next-${turn}`, asks ? text.slice(got.length) : text, draw);
    const next = createResponsesStreamReader({ providerName: "next", skipMalformed: draw(2) === 0 });
    reader = delivered.resume(next, asks ? "prefill" : "fresh", { usage: undefined, emptyReason: undefined });
  }
}

function eventsOf(pieces: readonly Uint8Array[]): readonly ResponseEvent[] {
  return parseEvents(decoder.decode(Buffer.concat(pieces)));
}

/** The rules that a client's state machine relies on. */
function judge(events: readonly ResponseEvent[]): void {
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  const open = new Map<unknown, unknown>();
  for (const { type, output_index: index, item_id: id, item } of events) {
    const itemId = (item as { readonly id?: unknown } | undefined)?.id;
    if (type === "response.output_item.added") {
      expect(open.has(index)).toBe(false);
      open.set(index, itemId);
    } else if (itemId !== undefined) expect(open.get(index)).toBe(itemId);
    if (id !== undefined) expect(open.get(index)).toBe(id);
  }
  const ends = events.map(({ type }) => type).filter((type) => /^(?:error|response\.(?:completed|failed))$/.test(type));
  expect(events.slice(-ends.length).map(({ type }) => type)).toEqual(ends);
  expect([["response.completed"], ["error", "response.failed"]]).toContainEqual(ends);
}

test("3000 chains of up to four targets", () => {
  const outcomes: Record<string, number> = {};
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), fc.nat(), (text, seed) => {
      const { events, outcome } = recover(text, seed);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (outcome === "refused") return;
      judge(events);
      const shown = textOfEvents(events);
      const last = events.at(-1);
      if (last?.type !== "response.completed") return;
      const response = last["response"] as { readonly id: string; readonly output: readonly unknown[] };
      expect(response.id).toBe("resp_first");
      // A target that differs in its last character may say so where nobody could know it.
      expect(shown.slice(0, -1)).toBe(text.slice(0, Math.max(0, shown.length - 1)));
      expect(response.output[0]).toMatchObject({ type: "message", content: [{ text: shown }] });
      for (const event of events) if (event.type === "response.output_text.done") expect(event["text"]).toBe(shown);
    }),
    { numRuns: 3000, seed: 8 },
  );
  for (const outcome of ["going-on", "diverged", "given-up", "finished", "refused"]) {
    expect(outcomes[outcome] ?? 0).toBeGreaterThan(10);
  }
});
