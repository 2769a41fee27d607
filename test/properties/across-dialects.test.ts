// What two dialects can both say is the same after a way through either, and what a provider wants back comes back to it.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { plainEvents } from "../../src/dialects/hub/plain-events.ts";
import type { ChatRequest } from "../../src/core/chat-request.ts";
import type { AnswerContext } from "../../src/core/translation.ts";
import { clientTranslator } from "../../src/providers/call-plan.ts";
import { foreignParts } from "../golden/responses/generated.ts";
import { eventsOf } from "../golden/responses/part-events.ts";
import { targets } from "../golden/pairs/pair.ts";
import { callerRequest, type CallerDialect } from "../support/translated-exchange.ts";
import { sharedParts, sharedRequest } from "./shared-requests.ts";

const dialects: readonly CallerDialect[] = ["chat-completions", "responses", "messages"];
const ways = dialects.flatMap((from) => dialects.filter((to) => to !== from).map((to) => [from, to] as const));

/** To the wire of `dialect` and back; a model of nobody's, so that no habit of one gets in the way. */
function through(dialect: CallerDialect, request: ChatRequest): ChatRequest {
  const target = { ...targets[dialect], model: "m", dropped: () => {} };
  const text = clientTranslator(dialect).encodeRequest(request, target);
  return clientTranslator(dialect).decodeRequest({
    ...callerRequest(dialect, { model: "m" }),
    stream: request.stream,
    body: new TextEncoder().encode(text),
  });
}

describe.each(ways)("a request of %s", (from, to) => {
  test(`is the same after a way through ${to}, and again after the way back`, () => {
    fc.assert(
      fc.property(sharedRequest(from), (request) => {
        const there = through(to, request);
        expect(sharedParts(there)).toEqual(sharedParts(request));
        expect(sharedParts(through(from, there))).toEqual(sharedParts(request));
      }),
      { numRuns: 300, seed: 8 },
    );
  });
});

let ids = 0;
const context = (caller: CallerDialect): AnswerContext => ({
  request: through(caller, {
    dialect: caller,
    model: "m",
    stream: false,
    wantsStreamUsage: false,
    messages: [{ role: "user", parts: [{ kind: "text", text: "Hi" }] }],
    tools: [],
    maxTokens: 50,
    own: [],
    unknown: {},
  }),
  providerType: "other",
  issuer: "other",
  newId: () => String(++ids).padStart(24, "0"),
  now: 1,
  estimateInputTokens: () => 1,
});

interface WholeAnswer {
  readonly choices?: readonly { readonly message: unknown }[];
  readonly output?: readonly unknown[];
  readonly content?: unknown;
}

/** The answer as its caller sends it back with the next request. */
function historyOf(caller: CallerDialect, body: Uint8Array): ChatRequest["messages"] {
  const { choices, output, content }: WholeAnswer = JSON.parse(new TextDecoder().decode(body));
  const members = {
    "chat-completions": { messages: [choices?.[0]?.message] },
    responses: { input: output },
    messages: { max_tokens: 50, messages: [{ role: "assistant", content }] },
  }[caller];
  return clientTranslator(caller).decodeRequest(callerRequest(caller, { model: "m", ...members })).messages;
}

describe.each(dialects.map((caller) => [caller] as const))("an answer with state of others, for %s", (caller) => {
  test("comes back in the history with what was said, called and thought", () => {
    fc.assert(
      fc.property(foreignParts, (parts) => {
        const choice = { index: 0, parts, finish: { reason: "stop" } } as const;
        const body = clientTranslator(caller).encodeAnswer({ choices: [choice] }, context(caller));
        const [message] = historyOf(caller, body);
        expect(factsOf(message?.parts ?? [])).toEqual(factsOf(parts));
      }),
      { numRuns: 300, seed: 9 },
    );
  });

  test("is streamed as one answer that ends once, whatever is in it", () => {
    fc.assert(
      fc.property(foreignParts, fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const encoder = clientTranslator(caller).createEncoder(context(caller));
        const decoder = clientTranslator(caller).createDecoder({
          providerName: "up",
          providerType: "up",
          issuer: "up",
        });
        const given: Parameters<typeof decoder.push>[1] = [];
        for (const event of eventsOf(parts, size)) {
          const bytes = encoder.encode([event]);
          if (bytes !== undefined) decoder.push(bytes, given);
        }
        decoder.push(encoder.finish(), given);
        decoder.finish(given);
        const events = plainEvents(given);
        const said = (kind: "text" | "tool-arguments") =>
          events.map((event) => (event.kind === kind ? event.text : "")).join("");
        const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
        expect(said("text")).toBe(text);
        const calls = parts.map((part) => (part.kind === "tool-call" ? part.arguments : "")).join("");
        expect(said("tool-arguments")).toBe(calls);
        expect(events.filter(({ kind }) => kind === "finish")).toHaveLength(1);
      }),
      { numRuns: 200, seed: 10 },
    );
  });
});

/** What was said in one text, the calls in order with their state, and the state of thoughts; nobody keeps the order of all three. */
function factsOf(parts: ChatRequest["messages"][number]["parts"]): unknown {
  const facts = {
    said: parts.map((part) => (part.kind === "text" ? part.text : "")).join(""),
    calls: parts.flatMap((part) =>
      part.kind === "tool-call" ? [{ id: part.id, name: part.name, arguments: part.arguments, state: part.state }] : [],
    ),
    thoughts: parts.flatMap((part) => (part.kind === "reasoning" && part.state !== undefined ? [part.state] : [])),
  };
  return JSON.parse(JSON.stringify(facts));
}
