// Brings an upstream's bytes, in the pieces a test chose, through the real reader and the real gateway, and tells all that came of it.

import type { Permit, Verdict } from "../../src/core/admission.ts";
import { Cancellation } from "../../src/core/cancellation.ts";
import { Failure } from "../../src/core/failure.ts";
import type { Operation } from "../../src/core/model-request.ts";
import type { AnswerReader, Provider, UpstreamBody } from "../../src/core/provider.ts";
import type { RecoverableDialect } from "../../src/core/stream-recovery.ts";
import type { Turn } from "../../src/core/turn.ts";
import { chatClientDialect } from "../../src/dialects/chat-completions/client-dialect.ts";
import { createStreamReader } from "../../src/dialects/chat-completions/stream-reader.ts";
import { createGateway } from "../../src/gateway/gateway.ts";
import { FakeClock, settle } from "../support/fake-clock.ts";
import { defaultBreaker, defaultFailover, defaultRetry, transportFailure } from "../support/fake-provider.ts";
import { requestRecord } from "../support/request-record.ts";
import { noLimits } from "../support/upstream-call.ts";
import type { Ending } from "./expected-delivery.ts";

export interface Pieces {
  readonly pieces: readonly Uint8Array[];
  readonly ending: Ending;
  readonly cutUsageEvent: boolean;
  /** Which reads have to wait for their bytes; the others find them there. */
  readonly waits: (read: number) => boolean;
  /** Default: chat completions on both sides. */
  readonly speaks?: {
    readonly operation: Operation;
    readonly dialect: RecoverableDialect;
    readonly reader: AnswerReader;
  };
}

export interface Delivery {
  /** Undefined: an answer was committed. */
  readonly refusal: Failure | undefined;
  readonly bytes: Buffer;
  readonly turn: Turn;
  readonly verdicts: readonly Verdict[];
  readonly streamError: string | undefined;
  /** The connection was read to its end, or closed. */
  readonly connectionEnded: boolean;
  /** Timers left behind. */
  readonly timers: number;
}

export async function deliverPieces({ pieces, ending, cutUsageEvent, waits, speaks }: Pieces): Promise<Delivery> {
  const clock = new FakeClock();
  const verdicts: Verdict[] = [];
  const permit: Permit = { probe: false, settle: (verdict) => void verdicts.push(verdict) };
  let connectionEnded = false;
  let reads = 0;
  const body: UpstreamBody = {
    read() {
      const index = reads++;
      const piece = connectionEnded ? undefined : pieces[index]?.slice();
      if (piece === undefined) {
        const isReset = ending === "reset" && !connectionEnded;
        connectionEnded = true;
        return isReset ? Promise.reject(transportFailure()) : undefined;
      }
      return waits(index) ? Promise.resolve(piece) : piece;
    },
    started() {},
    cancel() {
      connectionEnded = true;
    },
  };
  const reader = speaks?.reader ?? createStreamReader({ cutUsageEvent, providerName: "up" });
  const provider: Provider = {
    name: "up",
    type: "openai",
    unmarkedIssuer: () => "openai",
    resilience: { retry: defaultRetry, breaker: defaultBreaker, maxAttemptsPerRequest: 0 },
    limits: noLimits,
    prefillRule: () => undefined,
    prepare: () => ({ send: () => Promise.resolve({ status: 200, headers: [], body, reader }) }),
  };
  const target = { providerName: "up", model: "m" };
  const gateway = createGateway({
    admission: { tryAcquire: () => permit, admits: () => true },
    clock,
    random: () => 0.5,
    observer: { turnStart() {}, turnEnd() {} },
    router: { resolve: () => ({ virtualModel: undefined, targets: [target], failover: false, streamRecovery: "off" }) },
    providers: new Map([[provider.name, provider]]),
    failover: defaultFailover,
    earlyCommitAfterMs: 0,
  });
  const record = requestRecord({ stream: true, turns: [], answeredBy: undefined, facts: undefined });
  const outcome = await gateway.handle(
    {
      id: "r",
      operation: speaks?.operation ?? "chat-completions",
      model: "up/m",
      providerHint: undefined,
      stream: true,
      body: new Uint8Array(0),
      members: [],
      wantsStreamUsage: !cutUsageEvent,
      idempotencyKey: undefined,
      cancellation: new Cancellation(),
      deadline: undefined,
    },
    speaks?.dialect ?? chatClientDialect,
    record,
  );
  const delivered: Uint8Array[] = [];
  if (!(outcome instanceof Failure)) {
    delivered.push(outcome.first);
    for (let piece = await outcome.next(); piece !== undefined; piece = await outcome.next()) delivered.push(piece);
    const late = await outcome.next();
    if (late !== undefined) throw new Error("a piece after the last one");
  }
  await settle();
  const [turn] = record.turns;
  if (turn === undefined || record.turns.length > 1) throw new Error(`${record.turns.length} turns instead of one`);
  return {
    refusal: outcome instanceof Failure ? outcome : undefined,
    bytes: Buffer.concat(delivered),
    turn,
    verdicts,
    streamError: record.streamError,
    connectionEnded,
    timers: clock.pending,
  };
}
