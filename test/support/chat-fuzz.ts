// Streams as no provider should send them, and what has to be true of whatever becomes of them.

import { expect } from "bun:test";
import type { ChatEvent, StreamEvent } from "../../src/core/chat-answer.ts";
import { plainEvents } from "../../src/dialects/hub/plain-events.ts";
import { Failure } from "../../src/core/failure.ts";
import { chatCompletionsTranslator } from "../../src/dialects/chat-completions/translator.ts";
import { drawFrom } from "./seeded-random.ts";

const { createDecoder, createEncoder } = chatCompletionsTranslator;

export interface FuzzVerdict {
  /** refused: a known member had another type than it may have. */
  readonly outcome: "whole" | "refused";
  readonly events: number;
}

type Random = () => number;

/** Throws when a rule is broken; the same seed makes the same stream. */
export function judgeFuzzedStream(seed: number): FuzzVerdict {
  const random = randomFrom(seed);
  const chunks = chunksOf(random);
  const count = chunks.length;
  const text = `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
  const bytes = new TextEncoder().encode(text);
  const cut = Math.floor(random() * bytes.length);
  const whole = decode([bytes]);
  expect(decode([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
  if (whole.failure !== undefined) return { outcome: "refused", events: count };
  checkEvents(whole.events);
  checkStream(encode(whole.events));
  return { outcome: "whole", events: count };
}

/** The chunks of one stream, without its terminal. */
export function fuzzedChunks(seed: number): unknown[] {
  return chunksOf(randomFrom(seed));
}

function randomFrom(seed: number): Random {
  const draw = drawFrom(seed);
  return () => draw(1 << 24) / (1 << 24);
}

function chunksOf(random: Random): unknown[] {
  const count = 1 + Math.floor(random() * 12);
  return Array.from({ length: count }, () => chunkOf(random));
}

function decode(pieces: readonly Uint8Array[]): {
  readonly events: readonly ChatEvent[];
  readonly failure: string | undefined;
} {
  const decoder = createDecoder({ providerName: "eu", providerType: "openrouter", issuer: "openrouter" });
  const events: StreamEvent[] = [];
  try {
    for (const piece of pieces) decoder.push(piece, events);
    decoder.finish(events);
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 502) throw error;
    return { events: plainEvents(events), failure: error.message };
  }
  return { events: plainEvents(events), failure: undefined };
}

/** One start, first; dense calls, each begun before its pieces; one finish for each choice. */
function checkEvents(events: readonly ChatEvent[]): void {
  expect(events.findLastIndex(({ kind }) => kind === "start")).toBe(0);
  const calls = new Map<number, number>();
  const finishes = new Map<number, number>();
  const choices = new Set<number>();
  for (const event of events) {
    if (event.kind === "start" || event.kind === "usage") continue;
    choices.add(event.choice);
    const begun = calls.get(event.choice) ?? 0;
    if (event.kind === "tool-call") {
      expect(event.call).toBe(begun);
      calls.set(event.choice, begun + 1);
    } else if (event.kind === "tool-arguments") expect(event.call).toBeLessThan(begun);
    else if (event.kind === "finish") finishes.set(event.choice, (finishes.get(event.choice) ?? 0) + 1);
  }
  expect(new Set(finishes.keys())).toEqual(choices);
  expect(new Set(finishes.values())).toEqual(new Set([1]));
}

function encode(events: readonly ChatEvent[]): string {
  const encoder = createEncoder({
    request: {
      dialect: "chat-completions",
      model: "m",
      stream: true,
      wantsStreamUsage: true,
      messages: [],
      tools: [],
      own: [],
      unknown: {},
    },
    providerType: "x",
    issuer: "x",
    newId: () => "new",
    now: 1,
    estimateInputTokens: () => 0,
  });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return decoder.decode(encoder.encode(events)) + decoder.decode(encoder.finish());
}

/** Every event is a chunk with all that clients ask for; each choice has its role first and one end; the terminal is last. */
function checkStream(stream: string): void {
  const blocks = stream.split("\n\n");
  expect(blocks.splice(-2)).toEqual(["data: [DONE]", ""]);
  const ends = new Map<unknown, number>();
  for (const block of blocks) {
    const chunk: {
      id: unknown;
      object: unknown;
      model: unknown;
      created: unknown;
      choices: Record<string, unknown>[];
    } = JSON.parse(block.slice("data: ".length));
    expect(chunk.object).toBe("chat.completion.chunk");
    expect([typeof chunk.id, typeof chunk.model, typeof chunk.created]).toEqual(["string", "string", "number"]);
    for (const { index, finish_reason: reason } of chunk.choices) {
      if (!ends.has(index)) expect(block).toContain('"role":"assistant"');
      ends.set(index, (ends.get(index) ?? 0) + (reason === null ? 0 : 1));
    }
  }
  expect(new Set(ends.values())).toEqual(new Set([1]));
}

function chunkOf(random: Random): unknown {
  const pick = <Value>(...values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const often = <Value>(value: Value, chance: number): Value | undefined => (random() < chance ? value : undefined);
  const odd = (): unknown => pick<unknown>(7, "x", [], {}, true, [7], { a: 1 });
  const said = (): string => pick("a", "é😀", "", "\n\n", "data: [DONE]", '"', "{}", "\u2028");
  const call = (): unknown =>
    random() < 0.02
      ? odd()
      : {
          index: often(pick<unknown>(0, 1, 5), 0.8),
          id: often(pick("a", "b", "", " "), 0.5),
          type: often(pick("function", "custom"), 0.3),
          function: often(
            {
              name: often(pick("f", "g", ""), 0.5),
              arguments: often(pick<unknown>("{}", '{"x"', ":1}", "", { a: 1 }), 0.7),
            },
            0.8,
          ),
          extra_content: often({ google: { thought_signature: "S" } }, 0.1),
        };
  const delta = {
    role: often("assistant", 0.2),
    content: often(
      pick<unknown>(said(), said(), null, [
        { type: "text", text: said() },
        { type: "thinking", thinking: said() },
      ]),
      0.6,
    ),
    reasoning_content: often(pick<unknown>(said(), null, 7), 0.15),
    reasoning: often(said(), 0.1),
    reasoning_details: often(
      pick<unknown>(
        [{ type: "reasoning.text", text: said(), index: pick(0, 1) }],
        [{ type: "reasoning.text", signature: "s" }],
        [{ type: "reasoning.encrypted", data: "e" }],
        odd(),
      ),
      0.1,
    ),
    refusal: often(said(), 0.05),
    tool_calls: often(pick<unknown>([call()], [call(), call()], []), 0.4),
    function_call: often({ name: often("f", 0.5), arguments: said() }, 0.05),
    annotations: often(pick<unknown>([odd()], odd()), 0.05),
    audio: often(odd(), 0.05),
    extra_content: often(
      pick<unknown>(
        { anthropic: { thinking_blocks: [{ type: "thinking", thinking: said(), signature: "s" }] } },
        odd(),
      ),
      0.1,
    ),
  };
  const choice = () => ({
    index: often(pick<unknown>(0, 0, 0, 1), 0.9),
    delta: random() < 0.01 ? odd() : delta,
    finish_reason: often(pick<unknown>("stop", "tool_calls", "new", "", null, 7), 0.25),
    logprobs: often(pick<unknown>(null, { content: [{ token: "a" }] }, odd()), 0.1),
  });
  return {
    id: often("c1", 0.9),
    model: often("m", 0.9),
    created: often(pick<unknown>(1, "1"), 0.9),
    choices: random() < 0.01 ? odd() : pick([choice()], [choice()], [choice(), choice()], []),
    usage: often(pick<unknown>({ prompt_tokens: 1, completion_tokens: 2 }, null, odd()), 0.2),
    new_member: often(odd(), 0.1),
  };
}
