// A stream read for a caller who wants one piece.

import { describe, expect, test } from "bun:test";
import { createCollectingReader } from "./collecting-reader.ts";

const text = (value: string) => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: value, annotations: [] }],
});
const head = { id: "resp_1", object: "response", model: "m", output: [] };
const events: readonly Readonly<Record<string, unknown>>[] = [
  { type: "response.created", sequence_number: 0, response: { ...head, status: "in_progress" } },
  { type: "response.output_item.done", sequence_number: 1, output_index: 1, item: { id: "b", ...text("zwei 🌍") } },
  { type: "response.output_item.done", sequence_number: 2, output_index: 0, item: { id: "a", ...text("eins") } },
  {
    type: "response.completed",
    sequence_number: 3,
    response: { ...head, status: "completed", usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } },
  },
];
const bytesOf = (list: readonly unknown[]): Uint8Array =>
  new TextEncoder().encode(list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));

/** The one body that comes of it, in pieces of `size` bytes. */
function collected(bytes: Uint8Array, size: number): readonly unknown[] {
  const reader = createCollectingReader({ providerName: "p" });
  const bodies: unknown[] = [];
  const take = ({ relay, complete, events: count, failure }: ReturnType<typeof reader.push>): void => {
    if (failure !== undefined) throw failure;
    expect(count).toBe(complete && relay !== undefined ? 1 : 0);
    if (relay !== undefined) bodies.push(JSON.parse(new TextDecoder().decode(relay)));
  };
  for (let at = 0; at < bytes.length; at += size) take(reader.push(bytes.slice(at, at + size)));
  take(reader.end());
  expect(reader.facts().usage).toMatchObject({ inputTokens: 1, outputTokens: 2 });
  return bodies;
}

describe("a response whose terminal leaves out the items", () => {
  const whole = {
    ...head,
    status: "completed",
    output: [
      { id: "a", ...text("eins") },
      { id: "b", ...text("zwei 🌍") },
    ],
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  };

  test.each([1, 2, 3, 7, 64, 4096])("has them in their order, given once, in pieces of %d bytes", (size) => {
    expect(collected(bytesOf(events), size)).toEqual([whole]);
  });

  test("has those of the terminal where it tells them", () => {
    const [created, , , last] = events;
    const told = { ...head, status: "completed", output: [{ id: "z", ...text("drei") }] };
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
    const bytes = bytesOf([created, events[1], { ...last, response: { ...told, usage } }]);
    expect(collected(bytes, 4096)).toEqual([{ ...told, usage }]);
  });
});

test.each([
  [0, "empty"],
  [1, "cut after its first event"],
  [3, "cut before its terminal"],
])("a stream of %d events is %s: a failure, and no byte goes out", (count) => {
  const reader = createCollectingReader({ providerName: "p" });
  const step = reader.push(bytesOf(events.slice(0, count)));
  expect(step).toMatchObject({ complete: false, events: 0 });
  expect(step.relay).toBeUndefined();
  const end = reader.end();
  expect(end).toMatchObject({ complete: false, inBand: false, failure: { status: 502, origin: "answer" } });
  expect(end.relay).toBeUndefined();
});
