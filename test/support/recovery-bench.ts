// A gateway over chat providers from memory, whose callers speak chat completions, for tests of stream recovery on a fake clock.

import { Failure } from "../../src/core/failure.ts";
import { chatClientDialect } from "../../src/dialects/chat-completions/client-dialect.ts";
import { readModelRequest } from "../../src/dialects/read-request.ts";
import type { ChatProvider } from "./chat-provider.ts";
import { type SeenStream, seenStream } from "./chat-events.ts";
import type { FakeClock } from "./fake-clock.ts";
import { type Call, createBench } from "./gateway-bench.ts";

type BenchOptions = NonNullable<Parameters<typeof createBench>[2]>;
type CallDetails = NonNullable<Parameters<ReturnType<typeof createBench>["call"]>[1]>;

export interface RecoveryCall extends Call {
  /** Everything delivered, pulled to the end, to the byte. Rejects when the outcome is a failure. */
  bytes(): Promise<string>;
  seen(): Promise<SeenStream>;
}

/** `stream_recovery: continue` unless said otherwise. */
export function recoveryBench(clock: FakeClock, providers: readonly ChatProvider[], options: BenchOptions = {}) {
  const bench = createBench(clock, providers, { streamRecovery: "continue", dialect: chatClientDialect, ...options });
  const targets = providers.map(({ name }) => name).join(",");
  /** Asks for a stream at all of them in order; `fields` are more of the caller's body. */
  const stream = (fields: object = {}, details: CallDetails = {}): RecoveryCall => {
    const call = bench.call(targets, { ...details, stream: true, sent: sentBody(fields) });
    const bytes = async (): Promise<string> => {
      const answer = await call.outcome;
      if (answer instanceof Failure) throw answer;
      const pieces: Uint8Array[] = [];
      // Copied, as a socket does: their memory is used again.
      for (let piece: Uint8Array | undefined = answer.first; piece !== undefined; piece = await answer.next()) {
        pieces.push(piece.slice());
      }
      return Buffer.concat(pieces).toString();
    };
    return { ...call, bytes, seen: async () => seenStream(await bytes()) };
  };
  return { ...bench, stream };
}

function sentBody(fields: object): NonNullable<CallDetails["sent"]> {
  const body = new TextEncoder().encode(
    JSON.stringify({ model: "vm", stream: true, messages: [{ role: "user", content: "hi" }], ...fields }),
  );
  const facts = readModelRequest(body, "chat-completions");
  if (facts instanceof Failure) throw facts;
  return { body, members: facts.members, wantsStreamUsage: facts.wantsStreamUsage };
}
