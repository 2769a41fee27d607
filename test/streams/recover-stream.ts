// Breaks a stream and lets other targets go on with it, as the gateway does, and tells what the caller has had of it.

import { createParser } from "eventsource-parser";
import { Cancellation } from "../../src/core/cancellation.ts";
import type { AnswerFacts, ModelRequest } from "../../src/core/model-request.ts";
import type { RecoveryObstacle, ResumedReader } from "../../src/core/stream-recovery.ts";
import type { AnswerReader } from "../../src/core/provider.ts";
import { followChatStream } from "../../src/dialects/chat-completions/delivered-stream.ts";
import { readModelRequest } from "../../src/dialects/read-request.ts";
import { createStreamReader } from "../../src/dialects/chat-completions/stream-reader.ts";
import type { Draw } from "../support/seeded-random.ts";

/** A target's stream; it ends, or breaks, behind the last byte. */
export interface Sent {
  readonly bytes: Uint8Array;
  /** The connection breaks instead of coming to its end. */
  readonly reset?: boolean;
}

/** What a target that takes over is asked: to go on, or to start from nothing. */
export interface Asked {
  /** The text it was given to go on from. */
  readonly prefill: string | undefined;
  /** What the caller has. */
  readonly delivered: string;
  /** 1 for the first one that takes over. */
  readonly turn: number;
}

/** Undefined: no target is left. */
export type Rescuer = (asked: Asked) => Sent | undefined;

export interface Recovery {
  /** Everything the caller got, without a last error event. */
  readonly bytes: Uint8Array;
  readonly complete: boolean;
  /** Why nobody went on. */
  readonly obstacle: RecoveryObstacle | undefined;
  /** Of each target that took over, at its end. */
  readonly states: readonly ResumedReader["state"][];
  /** How many bytes the caller had before each of them. */
  readonly lengths: readonly number[];
  readonly failure: string | undefined;
  readonly parts: readonly AnswerFacts[];
  readonly lastFacts: AnswerFacts;
}

export interface RecoveryOptions {
  readonly wantsUsage?: boolean;
  readonly supportsPrefill?: boolean;
  readonly body?: string;
}

export function chatRequest(body: string): ModelRequest {
  const bytes = new TextEncoder().encode(body);
  const facts = readModelRequest(bytes, "chat-completions");
  if (facts instanceof Error) throw facts;
  return {
    id: "r",
    operation: "chat-completions",
    body: bytes,
    idempotencyKey: undefined,
    cancellation: new Cancellation(),
    deadline: undefined,
    ...facts,
  };
}

const decoder = new TextDecoder();
const plainBody = '{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}';

/** By the gateway's rules: a target that repeats the prefill is asked anew from nothing, one that differs ends it all. */
export function recoverStream(first: Sent, rescuer: Rescuer, draw: Draw, options: RecoveryOptions = {}): Recovery {
  const { wantsUsage = true, body = plainBody } = options;
  const delivered = followChatStream(chatRequest(body));
  const got: Uint8Array[] = [];
  const states: ResumedReader["state"][] = [];
  const lengths: number[] = [];
  const newReader = (): AnswerReader =>
    createStreamReader({ cutUsageEvent: !wantsUsage, providerName: "up", skipMalformed: true, severalChoices: false });
  let mayPrefill = options.supportsPrefill ?? false;
  let sent = first;
  let reader = newReader();
  let resumed: ResumedReader | undefined;
  for (let turn = 1; ; turn++) {
    const { complete, failure } = feed(reader, sent, draw, (piece) => {
      got.push(piece.slice());
      delivered.took(piece);
    });
    if (resumed !== undefined) states.push(resumed.state);
    const isOver = complete || resumed?.state === "diverged";
    const obstacle = isOver ? undefined : delivered.obstacle();
    if (resumed?.state === "repeats-prefill") mayPrefill = false;
    const continuation = mayPrefill && !isOver ? delivered.continuation() : undefined;
    const isStuck = isOver || obstacle !== undefined;
    const prefill = prefillOf(continuation);
    const next = isStuck ? undefined : rescuer({ prefill, delivered: seenByClient(joined(got)).text, turn });
    if (next === undefined) {
      const parts = delivered.brokenParts();
      return { bytes: joined(got), complete, obstacle, states, lengths, failure, parts, lastFacts: reader.facts() };
    }
    lengths.push(joined(got).length);
    resumed = delivered.resume(newReader(), continuation === undefined ? "fresh" : "prefill", reader.facts());
    reader = resumed;
    sent = next;
  }
}

function feed(
  reader: AnswerReader,
  { bytes, reset = false }: Sent,
  draw: Draw,
  deliver: (relay: Uint8Array) => void,
): { readonly complete: boolean; readonly failure: string | undefined } {
  const longest = 1 + draw(draw(2) === 0 ? 12 : 600);
  let finished = false;
  for (let from = 0; ;) {
    const isEnd = from >= bytes.length;
    if (isEnd && reset && !finished) return { complete: false, failure: "reset" };
    const piece = bytes.slice(from, from + 1 + draw(longest));
    from += piece.length;
    const step = isEnd ? reader.end() : reader.push(piece);
    const good = step.relay?.subarray(0, step.relay.length - (step.brokenBytes ?? 0));
    if (good !== undefined && good.length > 0) deliver(good);
    // The runtime may use the memory of a piece again.
    piece.fill(0x23);
    ({ finished } = step);
    if (step.complete || step.failure !== undefined) {
      return { complete: step.complete, failure: step.failure?.message };
    }
    if (isEnd) throw new Error("the reader came to no conclusion");
  }
}

function prefillOf(request: ModelRequest | undefined): string | undefined {
  if (request === undefined) return undefined;
  const { messages }: { messages: { role: string; content: string }[] } = JSON.parse(decoder.decode(request.body));
  const last = messages.at(-1);
  if (last?.role !== "assistant") throw new Error("the last message is not from the assistant");
  return last.content;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}

/** What a client makes of the bytes. */
export interface Seen {
  readonly text: string;
  readonly finishes: number;
  readonly terminals: number;
  readonly roles: number;
  readonly usages: readonly Readonly<Record<string, unknown>>[];
  /** `id`, `created` and `model` of the events with choices. */
  readonly identities: ReadonlySet<string>;
  readonly events: readonly string[];
}

interface ClientChunk {
  readonly id?: unknown;
  readonly created?: unknown;
  readonly model?: unknown;
  readonly usage?: Readonly<Record<string, unknown>> | null;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly role?: string; readonly content?: string | null };
    readonly finish_reason: string | null;
  }[];
}

/** Read by an independent parser. Throws for what makes a client fail. */
export function seenByClient(bytes: Uint8Array): Seen {
  const events: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void events.push(data),
    onError(error) {
      throw error;
    },
  });
  // The comment lets the parser see that no LF follows a CR at the end.
  parser.feed(`${new TextDecoder("utf-8", { fatal: true }).decode(bytes)}:`);
  let text = "";
  let finishes = 0;
  let terminals = 0;
  let roles = 0;
  const usages: Readonly<Record<string, unknown>>[] = [];
  const identities = new Set<string>();
  for (const data of events) {
    if (terminals > 0) throw new Error("an event after the terminal");
    if (data === "[DONE]") {
      terminals++;
      continue;
    }
    const { id, created, model, usage, choices }: ClientChunk = JSON.parse(data);
    if (usage !== undefined && usage !== null) usages.push(usage);
    if (choices.length > 0) identities.add(JSON.stringify([id, created, model]));
    for (const { index, delta, finish_reason: reason } of choices) {
      if (index !== 0 || finishes > 0) throw new Error(`a choice too many: ${data}`);
      text += delta.content ?? "";
      if (delta.role !== undefined) roles++;
      if (reason !== null) finishes++;
    }
  }
  return { text, finishes, terminals, roles, usages, identities, events };
}
