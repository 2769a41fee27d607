// Runs the Messages translator on plain values, so that golden cases need to hold nothing else.

import type { ChatAnswer, ChatEvent, StreamEvent } from "../../../src/core/chat-answer.ts";
import { plainEvents } from "../../../src/dialects/hub/plain-events.ts";
import type { ChatRequest } from "../../../src/core/chat-request.ts";
import type { ModelRequest, Operation } from "../../../src/core/model-request.ts";
import type { AnswerContext, AnswerOrigin, TranslationTarget } from "../../../src/core/translation.ts";
import { messagesTranslator } from "../../../src/dialects/messages/translator.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (written: Uint8Array | undefined): string => new TextDecoder().decode(written);

export const origin: AnswerOrigin = { providerName: "claude", providerType: "anthropic", issuer: "anthropic" };

/** As a caller without system prompt or anything else; cases name what differs. */
export const plainRequest: ChatRequest = {
  dialect: "chat-completions",
  model: "claude-sonnet-4-5",
  stream: false,
  wantsStreamUsage: false,
  messages: [{ role: "user", parts: [{ kind: "text", text: "Hi" }] }],
  tools: [],
  own: [],
  unknown: {},
};

function targetFor(model: string, dropped: string[], changes: Partial<TranslationTarget> = {}): TranslationTarget {
  return {
    providerName: "claude",
    providerType: "anthropic",
    model,
    issuer: "anthropic",
    accepts: { files: true, customTools: false, mediaInToolResults: true, reasoningContent: false },
    defaultMaxTokens: 4096,
    dropped: (field) => void dropped.push(field),
    ...changes,
  };
}

export function contextOf(changes: Partial<AnswerContext> = {}): AnswerContext {
  return {
    request: { ...plainRequest, dialect: "messages" },
    providerType: "openai",
    issuer: "openai",
    newId: () => "a1b2c3d4e5f6a1b2c3d4e5f6",
    now: 1_700_000_000,
    estimateInputTokens: () => 42,
    ...changes,
  };
}

export const golden = {
  decodeRequest(wire: object): ChatRequest {
    return golden.decodeText(JSON.stringify(wire));
  },

  decodeText(body: string, operation: Operation = "messages"): ChatRequest {
    const { model } = JSON.parse(body) as { model: string };
    const request = { operation, model, body: bytes(body), members: [] };
    return messagesTranslator.decodeRequest(request as unknown as ModelRequest);
  },

  encodeRequest(request: ChatRequest, model: string, changes: Partial<TranslationTarget> = {}) {
    const dropped: string[] = [];
    const body = messagesTranslator.encodeRequest(request, targetFor(model, dropped, changes));
    return { wire: JSON.parse(body) as Record<string, unknown>, dropped };
  },

  decodeAnswer(wire: object): ChatAnswer {
    return messagesTranslator.decodeAnswer(bytes(JSON.stringify(wire)), origin);
  },

  encodeAnswer(answer: ChatAnswer, changes: Partial<AnswerContext> = {}): Record<string, unknown> {
    return JSON.parse(text(messagesTranslator.encodeAnswer(answer, contextOf(changes)))) as Record<string, unknown>;
  },

  /** `pieces`: of the stream's bytes. */
  decodeStream(pieces: readonly Uint8Array[]): readonly ChatEvent[] {
    const decoder = messagesTranslator.createDecoder(origin);
    const events: StreamEvent[] = [];
    for (const piece of pieces) decoder.push(piece, events);
    decoder.finish(events);
    return plainEvents(events);
  },

  /** One call of `encode` for each event. */
  encodeStream(events: readonly ChatEvent[], changes: Partial<AnswerContext> = {}): string {
    const encoder = messagesTranslator.createEncoder(contextOf(changes));
    const written = events.map((event) => text(encoder.encode([event])));
    return written.join("") + text(encoder.finish());
  },
};

/** The bytes of a stream of these events. */
export function streamOf(events: readonly { readonly type: string }[]): Uint8Array {
  return bytes(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}

/** The events in a written stream; each has to have its name in front. */
export function eventsIn(stream: string): Record<string, unknown>[] {
  return stream
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const [name, data, ...rest] = block.split("\n");
      const event = JSON.parse(data?.slice("data: ".length) ?? "") as Record<string, unknown>;
      if (rest.length > 0 || name !== `event: ${String(event.type)}`)
        throw new Error(`no event of this dialect: ${block}`);
      return event;
    });
}
