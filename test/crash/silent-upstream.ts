// Many callers of an upstream that accepts their calls and never answers one of them.

import { callStreams } from "./stream-caller.ts";
import type { WatchedGateway } from "./watched-gateway.ts";
import { wholeAnswer } from "./whole-answer.ts";

export interface SilenceFigures {
  readonly statuses: ReadonlyMap<number, number>;
  /** From the first request to the end of the answer, milliseconds. */
  readonly waitedMs: readonly number[];
  readonly peakMegabytes: number;
  readonly peakSockets: number;
}

export async function callSilentUpstream({ gateway, now }: WatchedGateway, count: number): Promise<SilenceFigures> {
  const statuses = new Map<number, number>();
  const waitedMs: number[] = [];
  let peakMegabytes = 0;
  let peakSockets = 0;
  let waiting = true;
  const watching = (async () => {
    while (waiting) {
      const { rssMegabytes, sockets } = now();
      peakMegabytes = Math.max(peakMegabytes, rssMegabytes);
      peakSockets = Math.max(peakSockets, sockets);
      await Bun.sleep(100);
    }
  })();
  const sentAt = performance.now();
  const callers = await callStreams(gateway.port, Array(count).fill("openai/hang-before-answer"));
  await Promise.all(
    callers.map(async (caller) => {
      const status = wholeAnswer(await caller.ended)?.status ?? 0;
      waitedMs.push(performance.now() - sentAt);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
  );
  waiting = false;
  await watching;
  return { statuses, waitedMs, peakMegabytes, peakSockets };
}
