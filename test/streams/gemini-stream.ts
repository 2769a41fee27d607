// Streams that a Gemini server might send, made up and damaged, and the rules that whatever is read from them keeps.

import fc from "fast-check";
import { Buffer } from "node:buffer";
import type { ChatEvent } from "../../src/core/chat-answer.ts";
import { createGeminiStreamReader } from "../../src/dialects/gemini/stream-reader.ts";
import { geminiTranslator } from "../../src/dialects/gemini/translator.ts";

const words = fc.oneof(fc.string({ unit: "grapheme", maxLength: 12 }), fc.constantFrom("", "data: x\n\n", "\u2028"));

const part = fc.oneof(
  fc.record({ text: words }),
  fc.record({ text: words, thought: fc.constant(true) }),
  fc.record({ text: words, thoughtSignature: fc.constant("c2ln") }),
  fc.record({
    functionCall: fc.record(
      { id: fc.constantFrom("", "a", "b"), name: words, args: fc.dictionary(words, fc.jsonValue({ maxDepth: 2 })) },
      { requiredKeys: ["name"] },
    ),
  }),
  fc.constantFrom<object>(
    { inlineData: { mimeType: "image/png", data: "AA==" } },
    { inlineData: { mimeType: "audio/wav", data: "AA==" } },
    { executableCode: { language: "PYTHON", code: "1" } },
    { thoughtSignature: "c2ln" },
    { hologram: 1 },
    {},
  ),
);

const candidate = fc.record(
  {
    index: fc.nat({ max: 2 }),
    content: fc.record({ parts: fc.array(part, { maxLength: 4 }) }),
    finishReason: fc.constantFrom("STOP", "MAX_TOKENS", "SAFETY", "OTHER", "MALFORMED_FUNCTION_CALL", "NEW", ""),
    groundingMetadata: fc.constant({ groundingChunks: [{ web: { uri: "https://a" } }] }),
  },
  { requiredKeys: [] },
);

const response = fc.oneof(
  { weight: 8, arbitrary: fc.record({ candidates: fc.array(candidate, { maxLength: 2 }) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      { usageMetadata: { promptTokenCount: 2, totalTokenCount: 2 } },
      { promptFeedback: { blockReason: "SAFETY" } },
      { error: { code: 503, message: "busy", status: "UNAVAILABLE" } },
      { candidates: [{ content: { parts: [{ functionCall: { name: 7 } }] } }] },
      {},
      null,
    ),
  },
);

/** Bytes, and where they are cut into pieces. */
export interface MadeStream {
  readonly bytes: Uint8Array;
  readonly cuts: readonly number[];
}

export const madeStream: fc.Arbitrary<MadeStream> = fc
  .record({
    responses: fc.array(response, { maxLength: 6 }),
    lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
    ending: fc.constantFrom("", "data: [DONE]\n\n", ": bye\n\n", "data: {"),
    damage: fc.option(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) }), { freq: 3, nil: undefined }),
    lost: fc.constantFrom(0, 0, 0, 1, 2, 7, 40),
    cuts: fc.array(fc.nat(), { maxLength: 4 }),
  })
  .map(({ responses, lineEnd, ending, damage, lost, cuts }) => {
    const text = responses.map((value) => `data: ${JSON.stringify(value)}${lineEnd}${lineEnd}`).join("") + ending;
    const whole = Buffer.from(text);
    const bytes = new Uint8Array(whole.subarray(0, Math.max(0, whole.length - lost)));
    if (damage !== undefined && bytes.length > 0) bytes[damage.at % bytes.length] = damage.byte;
    return { bytes, cuts: cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b) };
  });

export interface ReadStream {
  readonly outcome: "complete" | "failed";
  readonly message: string | undefined;
  /** Generated ids are left out: they are never the same twice. */
  readonly events: readonly ChatEvent[];
}

/** Throws an `Error` that says which rule was broken. */
export function readMadeStream({ bytes, cuts }: MadeStream): ReadStream {
  const reader = createGeminiStreamReader({ providerName: "google" });
  const decoder = geminiTranslator.createDecoder({ providerName: "google", providerType: "gemini", issuer: "google" });
  const events: ChatEvent[] = [];
  let ends = 0;
  let last: { readonly complete: boolean; readonly failure: Error | undefined } = {
    complete: false,
    failure: undefined,
  };
  const pieces = [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
  for (const step of [...pieces.map((piece) => () => reader.push(piece.slice())), () => reader.end()]) {
    const { relay, complete, failure, brokenBytes = 0 } = step();
    const isEnd = complete || failure !== undefined;
    if (ends > 0 && relay !== undefined) throw new Error("something was relayed behind the end");
    if (complete && failure !== undefined) throw new Error("complete and failed at once");
    if (isEnd) ends++;
    if (relay !== undefined) decoder.push(relay.subarray(0, relay.length - brokenBytes), events);
    last = { complete, failure };
  }
  if (!last.complete && last.failure === undefined) throw new Error("no end");
  decoder.finish(events);
  checkOrder(events, last.complete);
  return {
    outcome: last.complete ? "complete" : "failed",
    message: last.failure?.message,
    events: events.map((event) =>
      event.kind === "tool-call" && event.id.startsWith("call_") ? { ...event, id: "" } : event,
    ),
  };
}

/** The grammar of `ChatEvent`. */
function checkOrder(events: readonly ChatEvent[], isComplete: boolean): void {
  const calls = new Map<number, number>();
  const finished = new Set<number>();
  const reasoning = new Set<number>();
  for (const [position, event] of events.entries()) {
    if ((event.kind === "start") !== (position === 0)) throw new Error("the start is not the first");
    if (event.kind === "start" || event.kind === "usage") continue;
    if (finished.has(event.choice)) throw new Error(`${event.kind} behind the finish of its choice`);
    if (event.kind === "reasoning") reasoning.add(event.choice);
    else if (event.kind === "end-of-reasoning") reasoning.delete(event.choice);
    else if (reasoning.has(event.choice)) throw new Error(`${event.kind} inside of reasoning`);
    const count = calls.get(event.choice) ?? 0;
    if (event.kind === "tool-call") {
      if (event.call !== count || event.id === "") throw new Error("a call without its number or id");
      calls.set(event.choice, count + 1);
    }
    if (event.kind === "tool-arguments" && event.call !== count - 1) throw new Error("arguments of no open call");
    if (event.kind === "finish") finished.add(event.choice);
  }
  if (isComplete && finished.size === 0) throw new Error("complete without a finish");
}
