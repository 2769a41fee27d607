// Streams of every provider's dialect, made up and damaged, through the translation to every caller's.

import { Buffer } from "node:buffer";
import fc from "fast-check";
import type { Dialect } from "../../src/core/chat-request.ts";
import type { ReadStep } from "../../src/core/provider.ts";
import { allPairs } from "../golden/pairs/all-pairs.ts";
import { asked, estimate, now, targets } from "../golden/pairs/pair.ts";
import { eventTexts } from "../golden/pairs/run-pair.ts";
import { broken, fault } from "../golden/responses/broken.ts";
import { decodedStreams } from "../golden/responses/decode-stream.ts";
import { fuzzedChunks } from "../support/chat-fuzz.ts";
import { answerReader, callerRequest, type CallerDialect } from "../support/translated-exchange.ts";
import { fuzzedStream } from "./fuzz-messages.ts";
import { madeStream } from "./gemini-stream.ts";
import { readStrictly } from "./strict-readers.ts";

const callers: readonly CallerDialect[] = ["chat-completions", "responses", "messages"];
const providers: readonly Dialect[] = [...callers, "gemini"];
/** Caller and provider that do not speak the same. */
export const differing = callers.flatMap((caller) =>
  providers.filter((provider) => provider !== caller).map((provider) => [caller, provider] as const),
);

/** What was written of a stream, and how many events it had when it was made. */
interface ProviderStream {
  readonly bytes: Uint8Array;
  readonly events: number;
}

interface FuzzedExchange {
  readonly stream: ProviderStream;
  /** Where the bytes are cut into pieces. */
  readonly cuts: readonly number[];
  /** Which of the caller's requests it is the answer to. */
  readonly request: number;
  readonly skipMalformed: boolean;
}

const eventDamage = fc.record({
  kind: fc.constantFrom("drop", "repeat", "swap", "odd"),
  at: fc.nat(),
  other: fc.nat(),
  fault,
});
type EventDamage = typeof eventDamage extends fc.Arbitrary<infer Value> ? Value : never;

type Events = readonly unknown[];

/** Events missing, given twice, in another order, or with a value that has no business there. */
function damaged(events: Events, damages: readonly EventDamage[]): Events {
  const list = [...events];
  for (const { kind, at, other, fault: mistake } of damages) {
    if (list.length === 0) break;
    const [from, to] = [at % list.length, other % list.length];
    const event = list[from];
    if (kind === "drop") list.splice(from, 1);
    else if (kind === "repeat") list.splice(to, 0, event);
    else if (kind === "swap") [list[from], list[to]] = [list[to], event];
    else if (typeof event === "object") list[from] = broken(event, mistake);
  }
  return list;
}

function textOf(provider: Dialect, events: Events): string[] {
  const plain = events.map((event) =>
    typeof event === "string" ? event : JSON.parse(JSON.stringify(event) ?? "null"),
  );
  return plain.map((event) => {
    const isNamed = (provider === "messages" || provider === "responses") && typeof event?.type === "string";
    const name = isNamed && !event.type.includes("\n") ? `event: ${event.type}\n` : "";
    return `${name}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
  });
}

const written: Readonly<Record<Dialect, readonly Events[]>> = {
  "chat-completions": streamsOf("chat-completions"),
  responses: streamsOf("responses"),
  messages: streamsOf("messages"),
  gemini: streamsOf("gemini"),
};

function streamsOf(provider: Dialect): readonly Events[] {
  return allPairs.filter((pair) => pair.provider === provider).map(({ stream }) => stream);
}

/** Of the dialect's own generator, which knows what its providers get wrong. */
const made: Readonly<Record<Exclude<Dialect, "gemini">, fc.Arbitrary<Events>>> = {
  "chat-completions": fc.nat().map((seed) => [...fuzzedChunks(seed), "[DONE]"]),
  messages: fuzzedStream,
  responses: fc.tuple(fc.constantFrom(...decodedStreams), fault).map(([{ wire, terminal }, mistake]) => {
    const created = { type: "response.created", response: { id: "resp_1" } };
    const list = broken([created, ...wire, terminal ?? { type: "response.completed", response: {} }], mistake);
    return Array.isArray(list) ? list : [list];
  }),
};

/** Bytes lost at the end, one byte changed, other line ends. */
const byteDamage = fc.record({
  lost: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 400 }) }),
  changed: fc.option(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) }), { freq: 6, nil: undefined }),
  lineEnd: fc.constantFrom("\n", "\n", "\n", "\r\n", "\r"),
});

function streamOf(provider: Dialect): fc.Arbitrary<ProviderStream> {
  const fromWritten = fc
    .tuple(fc.constantFrom(...written[provider]), fc.array(eventDamage, { maxLength: 3 }))
    .map(([events, damages]) => damaged(events, damages));
  const events = provider === "gemini" ? fromWritten : fc.oneof(fromWritten, made[provider]);
  const own = fc.tuple(events, byteDamage).map(([list, { lost, changed, lineEnd }]) => {
    const text = textOf(provider, list).join("").replaceAll("\n", lineEnd);
    const whole = Buffer.from(text);
    const bytes = new Uint8Array(whole.subarray(0, Math.max(0, whole.length - lost)));
    if (changed !== undefined && bytes.length > 0) bytes[changed.at % bytes.length] = changed.byte;
    return { bytes, events: list.length };
  });
  if (provider !== "gemini") return own;
  return fc.oneof(
    own,
    madeStream.map(({ bytes }) => ({ bytes, events: 3 })),
  );
}

export function fuzzedExchange(provider: Dialect): fc.Arbitrary<FuzzedExchange> {
  return fc.record({
    stream: streamOf(provider),
    cuts: fc.array(fc.nat(), { maxLength: 5 }),
    request: fc.nat(),
    skipMalformed: fc.boolean(),
  });
}

const none = { type: "object", properties: {} };
const hello = [{ role: "user", content: "Hi" }];
/** With what changes how answers are written: usage, tools of text, stop sequences, old functions. */
const requests: Readonly<Record<CallerDialect, readonly Readonly<Record<string, unknown>>[]>> = {
  "chat-completions": [
    { messages: hello },
    { messages: hello, stream_options: { include_usage: true }, tools: [{ type: "custom", custom: { name: "f" } }] },
    { messages: hello, n: 2, stop: ["o", "\n\n"] },
    { messages: hello, functions: [{ name: "f", parameters: none }] },
  ],
  responses: [
    { input: "Hi" },
    {
      input: "Hi",
      tools: [
        { type: "custom", name: "f" },
        { type: "function", name: "g", parameters: none },
      ],
    },
  ],
  messages: [
    { messages: hello, max_tokens: 5 },
    { messages: hello, max_tokens: 5, stop_sequences: ["o", "}"], tools: [{ name: "f", input_schema: none }] },
  ],
};

const decoder = new TextDecoder("utf-8", { fatal: true });

export type Verdict = "whole" | "broken" | "failed";

/** `failed`: nothing was said before. Throws for a crash, for bytes behind the end, and for what is no stream of the caller's dialect. */
export function judgeExchange(caller: CallerDialect, provider: Dialect, fuzzed: FuzzedExchange): Verdict {
  const { bytes } = fuzzed.stream;
  const cuts = fuzzed.cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b);
  const pieces = [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
  const list = requests[caller];
  const members = list[fuzzed.request % list.length] ?? {};
  return judgePieces(caller, provider, pieces, members, fuzzed.skipMalformed);
}

/** The first `length` bytes of a written stream. */
export function judgeCut(caller: CallerDialect, provider: Dialect, bytes: Uint8Array, length: number): Verdict {
  return judgePieces(caller, provider, [bytes.subarray(0, length)], requests[caller][0] ?? {}, false);
}

/** Bytes of the written streams of a provider. */
export function writtenStreams(provider: Dialect): readonly Uint8Array[] {
  return written[provider].map((stream) => Buffer.from(eventTexts({ provider, stream: stream as never }).join("")));
}

function judgePieces(
  caller: CallerDialect,
  provider: Dialect,
  pieces: readonly Uint8Array[],
  members: Readonly<Record<string, unknown>>,
  skipMalformed: boolean,
): Verdict {
  let ids = 0;
  const reader = answerReader({
    caller,
    provider,
    target: targets[provider],
    request: callerRequest(caller, { model: asked, stream: true, ...members }),
    madeUp: { newId: () => `id${++ids}`, now, inputTokens: estimate },
    skipMalformed,
  });
  let text = "";
  let end: ReadStep | undefined;
  const take = (step: ReadStep): void => {
    if (step.failure?.origin === "bug") throw new Error(String(step.failure.cause), { cause: step.failure.cause });
    if (step.relay !== undefined) {
      if (end !== undefined) throw new Error("bytes behind the end");
      text += decoder.decode(step.relay);
    }
    if (end === undefined && (step.complete || step.failure !== undefined)) end = step;
  };
  for (const piece of pieces) take(reader.push(piece.slice()));
  if (end === undefined) take(reader.end());
  if (end === undefined) throw new Error("no end");
  const { complete, failure, inBand } = end;
  if (complete === (failure !== undefined)) throw new Error("neither complete nor failed, or both");
  if (failure !== undefined && text === "") return "failed";
  if (failure !== undefined && !inBand)
    text += decoder.decode(brokenOff(reader.breakOff?.("it broke", "stream_incomplete")));
  readStrictly(caller, text, complete);
  return complete ? "whole" : "broken";
}

function brokenOff(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new Error("a broken stream without its error");
  return bytes;
}
