// Reads a Messages stream as the gateway does, until there is a conclusion.

import type { Failure } from "../../src/core/failure.ts";
import type { AnswerFacts } from "../../src/core/model-request.ts";
import { createMessagesStreamReader } from "../../src/dialects/messages/stream-reader.ts";
import type { ReaderOptions } from "../../src/dialects/reader-options.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export interface Outcome {
  readonly relay: string;
  readonly events: number;
  readonly finished: boolean;
  readonly complete: boolean;
  readonly failure: Failure | undefined;
  readonly inBand: boolean;
  readonly brokenBytes: number | undefined;
  readonly facts: AnswerFacts;
}

/** Of the provider `up`. */
export function readMessagesStream(
  chunks: readonly (string | Uint8Array)[],
  options: Partial<ReaderOptions> = {},
): Outcome {
  const reader = createMessagesStreamReader({ providerName: "up", ...options });
  const relayed: Uint8Array[] = [];
  let events = 0;
  for (const chunk of [...chunks, undefined]) {
    const step =
      chunk === undefined
        ? reader.end()
        : reader.push(typeof chunk === "string" ? encoder.encode(chunk) : chunk.slice());
    if (step.relay !== undefined) relayed.push(step.relay.slice());
    events += step.events;
    if (step.complete || step.failure !== undefined || chunk === undefined) {
      const { finished, complete, failure, inBand, brokenBytes } = step;
      const relay = decoder.decode(Buffer.concat(relayed));
      return { relay, events, finished, complete, failure, inBand, brokenBytes, facts: reader.facts() };
    }
  }
  throw new Error("the loop above always ends");
}
