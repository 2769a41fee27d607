// Takes the request of a pair to its provider and the answer back, on plain values.

import type { ReadStep } from "../../../src/core/provider.ts";
import { answerReader, callerRequest, translated, type Exchange } from "../../support/translated-exchange.ts";
import { asked, estimate, newId, now, targets, type Json, type Pair } from "./pair.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

function exchangeOf(pair: Pair, stream: boolean): Exchange {
  return {
    caller: pair.caller,
    provider: pair.provider,
    target: { ...targets[pair.provider], ...pair.target },
    request: callerRequest(pair.caller, { model: asked, ...pair.request, ...(stream ? { stream: true } : {}) }),
    madeUp: { newId: () => newId, now, inputTokens: estimate },
  };
}

/** What the provider is asked. */
export function askedUpstream(
  pair: Pair,
  stream = false,
): { readonly body: Json; readonly dropped: readonly string[] } {
  const { body, dropped } = translated(exchangeOf(pair, stream));
  return { body: JSON.parse(body) as Json, dropped };
}

/** What the caller gets for the provider's whole answer. */
export function givenFor(pair: Pair): Json {
  const reader = answerReader(exchangeOf(pair, false));
  return JSON.parse(relayedOf([reader.push(encoder.encode(JSON.stringify(pair.answer))), reader.end()])) as Json;
}

/** What the caller gets for the provider's stream, its bytes cut into pieces of this length. */
export function streamedFor(pair: Pair, pieceLength: number): readonly (Json | string)[] {
  const reader = answerReader(exchangeOf(pair, true));
  const bytes = encoder.encode(eventTexts(pair).join(""));
  const steps: ReadStep[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) steps.push(reader.push(bytes.slice(at, at + pieceLength)));
  const isComplete = steps.some(({ complete }) => complete);
  return eventsIn(pair, relayedOf(isComplete ? steps : [...steps, reader.end()]));
}

function relayedOf(steps: readonly ReadStep[]): string {
  const failure = steps.find((step) => step.failure !== undefined)?.failure;
  if (failure !== undefined) throw failure;
  return steps.map(({ relay }) => decoder.decode(relay)).join("");
}

/** Anthropic and OpenAI's Responses name their events, the others only have data. */
export function eventTexts({ provider, stream }: Pick<Pair, "provider" | "stream">): string[] {
  const named = provider === "messages" || provider === "responses";
  return stream.map((event) => {
    if (typeof event === "string") return `data: ${event}\n\n`;
    return `${named ? `event: ${String(event.type)}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
  });
}

function eventsIn({ caller }: Pair, text: string): readonly (Json | string)[] {
  const named = caller === "messages" || caller === "responses";
  if (!text.endsWith("\n\n")) throw new Error("the last event has no end");
  return text
    .slice(0, -2)
    .split("\n\n")
    .map((block) => {
      const lines = block.split("\n");
      const data = lines.at(-1)?.slice("data: ".length) ?? "";
      if (data === "[DONE]") return data;
      const event = JSON.parse(data) as Json;
      const expected = named ? [`event: ${String(event.type)}`, `data: ${data}`] : [`data: ${data}`];
      if (lines.join("\n") !== expected.join("\n")) throw new Error(`no event of ${caller}: ${block}`);
      return event;
    });
}
