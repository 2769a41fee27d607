// What must hold of streams with random faults: each has exactly one end, and nothing stays behind.

import { expect } from "bun:test";
import { faultyStreams, type StreamEnd } from "./faulty-streams.ts";
import { expectSettledMemory } from "./settled-memory.ts";
import { watchedGateway } from "./watched-gateway.ts";

interface FaultWaves {
  /** Each stream has one of these. */
  readonly choice: readonly string[];
  readonly waves: number;
  /** Of each wave. */
  readonly streams: number;
  /** For what falls silent; half of it between two reads. Milliseconds. */
  readonly limitMs: number;
  readonly random: () => number;
}

export async function judgeFaults({ choice, waves, streams, limitMs, random }: FaultWaves): Promise<void> {
  await using watched = await watchedGateway(choice, {
    HTTP_TIMEOUT: `${limitMs}ms`,
    HTTP_STREAM_IDLE_TIMEOUT: `${limitMs / 2}ms`,
    RETRY_MAX_RETRIES: "1",
    RETRY_INITIAL_BACKOFF: "10ms",
  });
  const after: number[] = [];
  const ends: StreamEnd[] = [];
  for (let wave = 0; wave < waves; wave++) {
    ends.push(...(await faultyStreams(watched.gateway.port, choice, streams, random)));
    await watched.backToRest();
    after.push(Math.round(watched.now().rssMegabytes));
  }
  const counts = Object.entries(Object.groupBy(ends, ({ end }) => end)).map(([end, some]) => `${some.length} ${end}`);
  console.log(
    `${waves} waves of ${streams} streams with ${new Set(ends.map(({ model }) => model)).size} faults: ${counts.join(", ")}; ` +
      `memory at rest ${watched.atRest.rssMegabytes.toFixed(0)} MB, after each wave ${after.join(", ")} MB`,
  );
  expect(ends.filter(({ end }) => end === "wrong")).toEqual([]);
  expect(new Set(ends.map(({ end }) => end))).toEqual(new Set(["done", "error-event", "error-status"]));
  expectSettledMemory(after);
}
