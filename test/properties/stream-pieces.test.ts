// Pieces of text that go on as bytes say what they would say had each been read and written again.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatEvent, StreamEvent } from "../../src/core/chat-answer.ts";
import type { AnswerContext } from "../../src/core/translation.ts";
import { plainEvents } from "../../src/dialects/hub/plain-events.ts";
import { clientTranslator } from "../../src/providers/call-plan.ts";
import { callerRequest, type CallerDialect } from "../support/translated-exchange.ts";

const dialects: readonly CallerDialect[] = ["chat-completions", "responses", "messages"];
const ways = dialects.flatMap((from) => dialects.map((to) => [from, to] as const));

const messages = [{ role: "user", content: "Hi" }];
const asked: Readonly<Record<CallerDialect, Readonly<Record<string, unknown>>>> = {
  "chat-completions": { messages },
  responses: { input: messages },
  messages: { messages, max_tokens: 50 },
};

function context(caller: CallerDialect): AnswerContext {
  let ids = 0;
  const request = callerRequest(caller, { model: "m", stream: true, ...asked[caller] });
  return {
    request: clientTranslator(caller).decodeRequest(request),
    providerType: "up",
    issuer: "up",
    newId: () => String(ids++).padStart(24, "0"),
    now: 1,
    estimateInputTokens: () => 1,
  };
}

/** Half a character cannot be written alone by every dialect. */
const text = fc.string({
  unit: fc.constantFrom("a", " ", '"', "\\", "\n", "\u0001", "ü", "🙂", "\u2028"),
  maxLength: 6,
});
const pieces = fc.array(text, { minLength: 1, maxLength: 8 });
const run = fc.oneof(
  pieces.map((texts) => texts.map((said): ChatEvent => ({ kind: "text", choice: 0, text: said }))),
  pieces.map((texts): readonly ChatEvent[] => [
    ...texts.map((said) => ({ kind: "reasoning", choice: 0, text: said }) as const),
    { kind: "end-of-reasoning", choice: 0 },
  ]),
  pieces.map((texts): readonly ChatEvent[] => [
    { kind: "tool-call", choice: 0, call: 0, id: "call_1", name: "look", toolKind: "function" },
    ...texts.map((said) => ({ kind: "tool-arguments", choice: 0, call: 0, text: said }) as const),
  ]),
);
/** Calls are numbered in their order, each with an id of its own. */
const answers = fc.array(run, { minLength: 1, maxLength: 5 }).map((runs): readonly ChatEvent[] => {
  let calls = 0;
  return runs.flatMap((events) => {
    const call = events[0]?.kind === "tool-call" ? calls++ : 0;
    return events.map((event) => {
      if (event.kind === "tool-call") return { ...event, call, id: `call_${call}` };
      return event.kind === "tool-arguments" ? { ...event, call } : event;
    });
  });
});

function written(dialect: CallerDialect, events: readonly ChatEvent[]): readonly Uint8Array[] {
  const encoder = clientTranslator(dialect).createEncoder(context(dialect));
  const steps = [{ kind: "start" } as const, ...events].map((event) => encoder.encode([event]));
  const finish: ChatEvent = { kind: "finish", choice: 0, finish: { reason: "stop" } };
  return [...steps.filter((step) => step !== undefined), encoder.finish([finish])];
}

/** The parsed events of what an encoder makes of `steps`. */
function read(dialect: CallerDialect, steps: readonly (readonly StreamEvent[])[]): readonly unknown[] {
  const encoder = clientTranslator(dialect).createEncoder(context(dialect));
  const parts = [...steps.map((events) => encoder.encode(events)), encoder.finish()];
  const said = new TextDecoder("utf-8", { fatal: true }).decode(
    Buffer.concat(parts.filter((part) => part !== undefined)),
  );
  return said
    .split("\n\n")
    .slice(0, -1)
    .map((block) => block.replace(/data: (.*)$/, (_line, data: string) => `data: ${normal(data)}`));
}

function normal(data: string): string {
  return data === "[DONE]" ? data : JSON.stringify(JSON.parse(data));
}

describe.each(ways)("a stream of %s", (from, to) => {
  test(`is the same for a caller of ${to}, event by event`, () => {
    let runs = 0;
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 30 }), (answer, together) => {
        const events = written(from, answer);
        const decoder = clientTranslator(from).createDecoder({ providerName: "up", providerType: "up", issuer: "up" });
        const steps: StreamEvent[][] = [];
        for (let at = 0; at < events.length; at += together) {
          const step: StreamEvent[] = [];
          decoder.push(Buffer.concat(events.slice(at, at + together)), step);
          if (at + together >= events.length) decoder.finish(step);
          steps.push(step);
        }
        runs += steps.flat().filter(({ kind }) => kind === "pieces").length;
        expect(read(to, steps)).toEqual(read(to, steps.map(plainEvents)));
      }),
      { numRuns: 150, seed: 20_261_130 },
    );
    expect(runs).toBeGreaterThan(100);
  });
});
