// What Responses can say in full comes back as it went out: requests, answers, streams, and answers that become history.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatAnswer, StreamEvent } from "../../../src/core/chat-answer.ts";
import { plainEvents } from "../../../src/dialects/hub/plain-events.ts";
import type { AssistantPart } from "../../../src/core/chat-request.ts";
import { responsesTranslator } from "../../../src/dialects/responses/translator.ts";
import { answerContext, modelRequest, openaiOrigin, openaiTarget } from "./fixtures.ts";
import { answers, foreignParts, requests } from "./generated.ts";
import { eventsOf, partsOf } from "./part-events.ts";
import { readStream } from "./stream-text.ts";

const runs = { seed: 20_261_130, numRuns: 300 };
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const size = fc.integer({ min: 1, max: 20 });

test("a request that is encoded and decoded is the same", () => {
  fc.assert(
    fc.property(requests, (request) => {
      const text = responsesTranslator.encodeRequest(request, openaiTarget({ model: request.model }));
      const again = { ...modelRequest(text), model: request.model, stream: request.stream };
      expect(plain(responsesTranslator.decodeRequest(again))).toEqual(plain(request));
    }),
    runs,
  );
});

test("an answer that is encoded and decoded is the same", () => {
  fc.assert(
    fc.property(answers, (answer) => {
      const bytes = responsesTranslator.encodeAnswer(answer, answerContext({}));
      const { usage, ...again } = responsesTranslator.decodeAnswer(bytes, openaiOrigin);
      expect(usage).toMatchObject({ inputTokens: 0, outputTokens: 0 });
      expect(plain(again)).toEqual(plain(answer));
    }),
    runs,
  );
});

/** The one choice's parts that have events, without the ids of reasoning items: in a stream those are made before the state is known. */
function streamedParts(answer: ChatAnswer): readonly AssistantPart[] {
  return (answer.choices[0]?.parts ?? []).flatMap((part) => (part.kind === "opaque" ? [] : [withoutStateId(part)]));
}

function withoutStateId(part: AssistantPart): AssistantPart {
  if (part.kind !== "reasoning" || part.state === undefined) return part;
  const { id: _id, ...state } = part.state;
  return { ...part, state };
}

/** Two runs of the same kind in a row are one run of a stream. */
function oneRunEach(parts: readonly AssistantPart[]): boolean {
  return parts.every(
    (part, index) => part.kind === "tool-call" || part.kind === "reasoning" || parts[index - 1]?.kind !== part.kind,
  );
}

test("a stream that is encoded and decoded says the same, numbers its events without gaps and ends once", () => {
  fc.assert(
    fc.property(answers, size, (answer, pieceSize) => {
      const parts = streamedParts(answer);
      fc.pre(oneRunEach(parts));
      const finish = answer.choices[0]?.finish ?? { reason: "stop" };
      const stream = responsesTranslator.createEncoder(answerContext({}));
      const pieces = [...eventsOf(parts, pieceSize), { kind: "finish", choice: 0, finish } as const].map((event) =>
        stream.encode([event]),
      );
      const bytes = [...pieces.filter((piece) => piece !== undefined), stream.finish()];
      const { events, done } = readStream(bytes);
      expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
      expect(events.filter(({ type }) => /^response\.(completed|incomplete|failed)$/.test(type))).toHaveLength(1);
      expect(done).toBe(true);

      const decoder = responsesTranslator.createDecoder(openaiOrigin);
      const given: StreamEvent[] = [];
      for (const piece of bytes) decoder.push(piece, given);
      decoder.finish(given);
      const decoded = plainEvents(given);
      expect(plain(partsOf(decoded).map(withoutStateId))).toEqual(plain(parts));
      expect(decoded.find(({ kind }) => kind === "finish")).toMatchObject({ finish });
    }),
    runs,
  );
});

test("an answer of another provider comes back as history with all its state, whole or streamed", () => {
  fc.assert(
    fc.property(foreignParts, size, (parts, pieceSize) => {
      const choice = { index: 0, parts, finish: { reason: "stop" } } as const;
      const whole = responsesTranslator.encodeAnswer({ choices: [choice] }, answerContext({}));
      const { output } = JSON.parse(new TextDecoder().decode(whole));
      expect(historyOf(output)).toEqual(plain([...parts]));

      const stream = responsesTranslator.createEncoder(answerContext({}));
      const begun = stream.encode(eventsOf(parts, pieceSize)) ?? new Uint8Array(0);
      const { events } = readStream([begun, stream.finish()]);
      // Codex keeps the items in the order in which they end.
      const items = events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
      expect(historyOf(items)).toEqual(plain([...parts]));
      // Clients that know no `extra_content` send the encrypted content back all the same.
      expect(historyOf(items.map(withoutExtraContent))).toEqual(plain([...parts]));
    }),
    runs,
  );
});

function historyOf(output: unknown): unknown {
  const { messages } = responsesTranslator.decodeRequest(modelRequest(JSON.stringify({ model: "m", input: output })));
  expect(messages).toHaveLength(1);
  return plain(messages[0]?.parts);
}

function withoutExtraContent(item: unknown): unknown {
  const { extra_content: _extra, ...rest } = item as Record<string, unknown>;
  return rest;
}
