// What goes to the wire in this dialect and comes back is the same, for values that nobody thought of.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { eventsIn, golden, plainRequest } from "../../../test/golden/messages/run-golden.ts";
import type { ChatAnswer, ChatEvent } from "../../core/chat-answer.ts";
import type { AssistantPart, ChatMessage, ChatRequest, ContentPart } from "../../core/chat-request.ts";
import type { Usage } from "../../core/usage.ts";

const anthropic = { providerType: "anthropic", issuer: "anthropic" };
const runs = { numRuns: 300, seed: 6 };

/** As JSON has it: no -0, no undefined. */
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
const object = fc
  .dictionary(fc.string(), json)
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
const word = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
/** Blank text is left out on the way. */
const said = fc.string({ unit: "binary", minLength: 1 }).filter((text) => text.trim() !== "");
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const unknown = maybe(
  fc.dictionary(
    word.map((name) => `x_${name}`),
    json,
    { minKeys: 1 },
  ),
);
const cacheControl = maybe(fc.constant({ type: "ephemeral" }));
const count = fc.nat({ max: 1_000_000 });

const text = fc.record({ kind: fc.constant("text" as const), text: said, cacheControl, unknown });
const source = fc.oneof(
  fc.record({ from: fc.constant("url" as const), url: fc.webUrl() }),
  fc.record({ from: fc.constant("data" as const), mediaType: fc.constant("application/pdf"), data: fc.base64String() }),
  fc.record({ from: fc.constant("file-id" as const), id: word, issuer: fc.constant("anthropic") }),
);
const content: fc.Arbitrary<ContentPart> = fc.oneof(
  text,
  fc.record({ kind: fc.constant("image" as const), source, cacheControl, unknown }),
  fc.record({ kind: fc.constant("file" as const), source, title: maybe(said), cacheControl, unknown }),
  fc.record({
    kind: fc.constant("file" as const),
    source: fc.record({ from: fc.constant("text" as const), text: said }),
  }),
);

const state = (kind: "signature" | "redacted") => word.map((value) => ({ issuer: "anthropic", kind, value }));
const call = fc.record({
  kind: fc.constant("tool-call" as const),
  id: word,
  name: word,
  arguments: object.map((value) => JSON.stringify(value)),
  toolKind: fc.constant("function" as const),
});
const opaque = fc.record({
  kind: fc.constant("opaque" as const),
  dialect: fc.constant("messages" as const),
  type: fc.constant("server_tool_use"),
  value: fc.record({ type: fc.constant("server_tool_use"), id: word, input: object }),
});
const redacted = fc.record({
  kind: fc.constant("reasoning" as const),
  text: fc.constant(""),
  state: state("redacted"),
});
const proven = fc.record({ kind: fc.constant("reasoning" as const), text: fc.string(), state: state("signature") });
const assistant: fc.Arbitrary<AssistantPart> = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text: said }),
  proven,
  redacted,
  call,
  opaque,
);

const result = fc.record({
  role: fc.constant("tool" as const),
  callId: word,
  toolKind: fc.constant("function" as const),
  parts: fc.array(content, { maxLength: 3 }),
  isError: fc.boolean(),
  cacheControl,
});
/** One turn of the user and one of the model: speakers take turns on the wire. */
const turns: fc.Arbitrary<readonly ChatMessage[]> = fc
  .tuple(
    fc.array(result, { maxLength: 2 }),
    fc.array(content, { minLength: 1, maxLength: 3 }),
    fc.array(assistant, { minLength: 1, maxLength: 4 }),
  )
  .map(([results, parts, answer]) => [...results, { role: "user", parts }, { role: "assistant", parts: answer }]);

const tool = fc.record({
  kind: fc.constant("function" as const),
  name: word,
  description: maybe(fc.string()),
  parameters: object.map((schema) => ({ ...schema, type: "object" })),
  strict: maybe(fc.boolean()),
  cacheControl,
});

const request: fc.Arbitrary<ChatRequest> = fc
  .record({
    system: maybe(fc.array(text, { minLength: 1, maxLength: 3 })),
    history: fc.array(turns, { minLength: 1, maxLength: 3 }),
    tools: fc.array(tool, { minLength: 1, maxLength: 3 }),
    stream: fc.boolean(),
    maxTokens: count,
    temperature: maybe(fc.double({ min: 0.01, max: 1, noNaN: true })),
    stop: maybe(fc.array(said, { minLength: 1, maxLength: 3 })),
    toolChoice: maybe(
      fc.oneof(
        fc.constantFrom({ kind: "auto" as const }, { kind: "required" as const }, { kind: "none" as const }),
        word.map((name) => ({ kind: "named" as const, toolKind: "function" as const, name })),
      ),
    ),
    reasoning: maybe(
      fc.constantFrom({ mode: "disabled" as const }, { effort: "high" }, { mode: "disabled" as const, effort: "low" }),
    ),
    user: maybe(fc.string()),
    serviceTier: maybe(fc.constantFrom("auto", "standard_only")),
    own: fc.constantFrom([], [{ name: "context_management", value: { edits: [] }, weight: "harmless" as const }]),
    unknown: unknown.map((members) => members ?? {}),
  })
  .map(({ system, history, ...rest }) => ({
    ...plainRequest,
    ...rest,
    dialect: "messages",
    // One that takes an effort and a temperature.
    model: "claude-opus-4-6",
    messages: [...(system === undefined ? [] : [{ role: "system" as const, parts: system }]), ...history.flat()],
  }));

test("a request that is encoded and decoded is the same", () => {
  fc.assert(
    fc.property(request, (value) => {
      const { wire } = golden.encodeRequest(value, value.model);
      expect(golden.decodeRequest(wire)).toEqual(value);
    }),
    runs,
  );
});

/** Zeros at the end of a stream say nothing of the prompt, so that there are none. */
const someTokens = fc.integer({ min: 1, max: 1_000_000 });
const usage: fc.Arbitrary<Usage> = fc
  .tuple(someTokens, someTokens, someTokens, count)
  .map(([input, cached, written, output]) => ({
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + cached + written + output,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    reasoningTokens: 0,
    audioInputTokens: 0,
    audioOutputTokens: 0,
    cacheIsExtra: true,
    reasoningIsExtra: false,
    unmappedFields: [],
    raw: {
      input_tokens: input,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: cached,
      output_tokens: output,
    },
  }));

const finish = fc.constantFrom(
  { reason: "stop-sequence" as const, raw: "stop_sequence", stopSequence: "END" },
  { reason: "length" as const, raw: "max_tokens" },
  { reason: "context-length" as const, raw: "model_context_window_exceeded" },
  { reason: "tool-calls" as const, raw: "tool_use" },
  { reason: "pause" as const, raw: "pause_turn" },
  { reason: "refusal" as const, raw: "refusal" },
  { reason: "unknown" as const, raw: "of_next_year" },
);

const answer: fc.Arbitrary<ChatAnswer> = fc
  .record({ id: word.map((id) => `msg_${id}`), model: word, parts: fc.array(assistant), finish, usage, unknown })
  .map(({ parts, finish: end, ...rest }) => ({ ...rest, choices: [{ index: 0, parts, finish: end }] }));

test("an answer that is encoded and decoded is the same", () => {
  fc.assert(
    fc.property(answer, (value) => {
      expect(golden.decodeAnswer(golden.encodeAnswer(value, anthropic))).toEqual(value);
    }),
    runs,
  );
});

/** `value` in up to four pieces. */
function inPieces(value: string, cuts: readonly number[]): readonly string[] {
  const places = [0, ...cuts.map((cut) => cut % (value.length + 1)).toSorted((a, b) => a - b), value.length];
  return places
    .slice(1)
    .map((end, index) => value.slice(places[index], end))
    .filter((piece) => piece !== "");
}

const choice = 0;
const cuts = fc.array(fc.nat(), { maxLength: 3 });
type Run = (nextCall: () => number) => readonly ChatEvent[];
const run: fc.Arbitrary<Run> = fc.oneof(
  fc.array(said, { minLength: 1, maxLength: 3 }).map(
    (pieces): Run =>
      () =>
        pieces.map((piece) => ({ kind: "text", choice, text: piece })),
  ),
  fc.tuple(fc.array(said, { maxLength: 3 }), state("signature")).map(([pieces, proof]): Run => () => [
    ...pieces.map((piece): ChatEvent => ({ kind: "reasoning", choice, text: piece })),
    { kind: "end-of-reasoning", choice, state: proof },
  ]),
  state("redacted").map((hidden): Run => () => [{ kind: "end-of-reasoning", choice, state: hidden }]),
  fc.tuple(call, cuts).map(([{ id, name, arguments: input }, places]): Run => (nextCall) => {
    const number = nextCall();
    return [
      { kind: "tool-call", choice, call: number, id, name, toolKind: "function" },
      ...inPieces(input, places).map((piece): ChatEvent => ({
        kind: "tool-arguments",
        choice,
        call: number,
        text: piece,
      })),
    ];
  }),
);

const stream: fc.Arbitrary<readonly ChatEvent[]> = fc
  .record({ runs: fc.array(run), id: word, model: word, finish, usage })
  .map((value) => {
    let calls = 0;
    return [
      { kind: "start", id: `msg_${value.id}`, model: value.model },
      ...value.runs.flatMap((events) => events(() => calls++)),
      { kind: "finish", choice, finish: value.finish },
      { kind: "usage", usage: value.usage },
    ];
  });

/** The estimate of `message_start` is the one thing that comes back beside what was told. */
function told(events: readonly ChatEvent[]): unknown[] {
  return events.map((event) => (event.kind === "start" ? { ...event, usage: undefined } : event));
}

test("a stream that is encoded and decoded is the same, in whatever pieces it arrives", () => {
  fc.assert(
    fc.property(stream, fc.integer({ min: 1, max: 200 }), (events, size) => {
      const bytes = new TextEncoder().encode(golden.encodeStream(events, anthropic));
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size));
      const decoded = told(golden.decodeStream(pieces));
      // What the usage at the end says is complete, whatever the estimate at the start was.
      expect(decoded).toEqual(told(events));
    }),
    runs,
  );
});

/** All pieces of one kind together, by call. */
function sums(events: readonly ChatEvent[]): Record<string, string> {
  const all: Record<string, string> = {};
  const ids = new Map<number, string>();
  for (const event of events) {
    if (event.kind === "tool-call") ids.set(event.call, event.id);
    const key = event.kind === "tool-arguments" ? `input ${ids.get(event.call)}` : event.kind;
    if (event.kind === "tool-arguments" || event.kind === "text" || event.kind === "reasoning") {
      all[key] = (all[key] ?? "") + event.text;
    }
  }
  return all;
}

test("calls whose pieces come in any order, with text between, lose nothing and never have two blocks open", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(call, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
      fc.array(fc.tuple(fc.nat(), fc.oneof(said, fc.constant(undefined))), { maxLength: 30 }),
      cuts,
      (calls, order, places) => {
        const queues = calls.map(({ id, name, arguments: input }, number): ChatEvent[] => [
          { kind: "tool-call", choice, call: number, id, name, toolKind: "function" },
          ...inPieces(input, places).map((piece): ChatEvent => ({
            kind: "tool-arguments",
            choice,
            call: number,
            text: piece,
          })),
        ]);
        const events: ChatEvent[] = [{ kind: "start" }];
        let begun = 0;
        for (const [pick, between] of order) {
          // Calls begin in the order of their numbers; after that any of them goes on.
          const index = pick % Math.min(queues.length, begun + 1);
          const event = queues[index]?.shift();
          if (event?.kind === "tool-call") begun++;
          if (event !== undefined) events.push(event);
          if (between !== undefined)
            events.push({ kind: pick % 2 === 0 ? "text" : "reasoning", choice, text: between });
        }
        for (const queue of queues) events.push(...queue);
        const written = golden.encodeStream(events);
        expect(sums(golden.decodeStream([new TextEncoder().encode(written)]))).toEqual(sums(events));
        expectOneOpenBlock(eventsIn(written));
      },
    ),
    runs,
  );
});

function expectOneOpenBlock(events: readonly Record<string, unknown>[]): void {
  let open: unknown;
  let next = 0;
  for (const { type, index } of events) {
    if (type === "content_block_start") {
      expect([open, index]).toEqual([undefined, next++]);
      open = index;
    } else if (type === "content_block_delta" || type === "content_block_stop") {
      expect(index).toBe(open);
      if (type === "content_block_stop") open = undefined;
    }
  }
  expect(open).toBeUndefined();
  expect(events.slice(-2).map(({ type }) => type)).toEqual(["message_delta", "message_stop"]);
}
