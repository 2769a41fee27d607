// What chat completions can say survives the way out and back, for made-up requests, answers and streams.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chatAnswer, chatEvents, chatRequest } from "../../../test/support/chat-arbitraries.ts";
import { judgeFuzzedStream } from "../../../test/support/chat-fuzz.ts";
import { Cancellation } from "../../core/cancellation.ts";
import type { StreamEvent } from "../../core/chat-answer.ts";
import { plainEvents } from "../hub/plain-events.ts";
import { Failure } from "../../core/failure.ts";
import type { ChatRequest } from "../../core/chat-request.ts";
import type { AnswerContext } from "../../core/translation.ts";
import type { Usage } from "../../core/usage.ts";
import { chatCompletionsTranslator } from "./translator.ts";

const { decodeRequest, encodeRequest, decodeAnswer, encodeAnswer, createDecoder, createEncoder } =
  chatCompletionsTranslator;
const origin = { providerName: "eu", providerType: "openai", issuer: "openai" };

const request: ChatRequest = {
  dialect: "chat-completions",
  model: "m",
  stream: true,
  wantsStreamUsage: true,
  messages: [],
  tools: [],
  own: [],
  unknown: {},
};
const context: AnswerContext = {
  request,
  providerType: "openai",
  issuer: "openai",
  newId: () => "new",
  now: 1,
  estimateInputTokens: () => 0,
};

/** What the provider itself wrote is the one thing that is not the same afterwards. */
function withoutRaw(usage: Usage | undefined): object {
  return usage === undefined ? {} : { usage: { ...usage, raw: {} } };
}

function read(text: string, stream: boolean): ChatRequest {
  return decodeRequest({
    id: "r",
    operation: "chat-completions",
    model: "m",
    providerHint: undefined,
    stream,
    body: new TextEncoder().encode(text),
    members: [],
    wantsStreamUsage: stream,
    idempotencyKey: undefined,
    cancellation: new Cancellation(),
    deadline: undefined,
  });
}

describe("a request that is written and read is the same", () => {
  test.each(["openai", "anthropic", "google", "openrouter"])("for the state of %s", (issuer) => {
    fc.assert(
      fc.property(chatRequest(issuer), (hub) => {
        const text = encodeRequest(hub, {
          providerName: "eu",
          providerType: issuer,
          model: "m",
          issuer,
          accepts: { files: true, customTools: true, mediaInToolResults: true, reasoningContent: true },
          defaultMaxTokens: 1,
          dropped: (field) => {
            throw new Error(`${field} was left out`);
          },
        });
        expect(read(text, hub.stream)).toEqual(hub);
      }),
      { numRuns: 300, seed: 21 },
    );
  });
});

describe("a request of another dialect is a good chat request for a target that takes little, or a 400", () => {
  test.each(["messages", "responses"] as const)("%s", (dialect) => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(chatRequest("anthropic"), (hub) => {
        const outcome = writeForeign({ ...hub, dialect });
        outcomes.add(outcome);
      }),
      { numRuns: 500, seed: 24 },
    );
    expect(outcomes).toEqual(new Set(["good", "refused"]));
  });

  function writeForeign(hub: ChatRequest): "good" | "refused" {
    let text: string;
    try {
      text = encodeRequest(hub, {
        providerName: "groq-eu",
        providerType: "groq",
        model: "m",
        issuer: "groq",
        accepts: { files: false, customTools: false, mediaInToolResults: false, reasoningContent: false },
        defaultMaxTokens: 1,
        dropped: () => {},
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      expect([error.status, error.param, error.message.includes("groq-eu")]).toEqual([400, "messages", true]);
      return "refused";
    }
    const { messages, tools } = read(text, hub.stream);
    // Nothing of anybody's state, no custom tools, and every result has its call in the message of the assistant before it.
    expect(text).not.toMatch(/extra_content|reasoning_content|reasoning_details|"custom"/);
    expect(tools.every(({ kind }) => kind === "function")).toBe(true);
    for (const [index, message] of messages.entries()) {
      if (message.role !== "tool") continue;
      const before = messages.slice(0, index).findLast(({ role }) => role === "assistant");
      const ids =
        before?.role === "assistant" ? before.parts.map((part) => (part.kind === "tool-call" ? part.id : "")) : [];
      expect(ids).toContain(message.callId);
    }
    return "good";
  }
});

test("an answer that is written and read is the same", () => {
  fc.assert(
    fc.property(chatAnswer, (hub) => {
      const answer = decodeAnswer(encodeAnswer(hub, context), origin);
      expect({ ...answer, ...withoutRaw(answer.usage) }).toEqual(hub);
    }),
    { numRuns: 1000, seed: 22 },
  );
});

test("a stream that is written and read is the same, wherever it is cut", () => {
  fc.assert(
    fc.property(chatEvents, fc.integer({ min: 1, max: 200 }), (hub, size) => {
      const encoder = createEncoder(context);
      const pieces = [...hub.map((event) => encoder.encode([event])), encoder.finish()];
      const bytes = Buffer.concat(pieces.filter((piece) => piece !== undefined));
      const decoder = createDecoder(origin);
      const events: StreamEvent[] = [];
      for (let at = 0; at < bytes.length; at += size) decoder.push(bytes.subarray(at, at + size), events);
      decoder.finish(events);
      expect(
        plainEvents(events).map((event) => (event.kind === "usage" ? { ...event, ...withoutRaw(event.usage) } : event)),
      ).toEqual([...hub]);
    }),
    { numRuns: 500, seed: 23 },
  );
});

test("20,000 made-up events of providers end in one terminal or one error, however they are cut", () => {
  const outcomes = new Set<string>();
  let events = 0;
  for (let seed = 1; events < 20_000; seed++) {
    const verdict = judgeFuzzedStream(seed);
    outcomes.add(verdict.outcome);
    events += verdict.events;
  }
  expect(outcomes).toEqual(new Set(["whole", "refused"]));
});
