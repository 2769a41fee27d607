// What must hold for callers of a silent upstream: everybody is told in time, and their waiting costs little.

import { expect } from "bun:test";
import { quantile, spread } from "./spread.ts";
import { callSilentUpstream } from "./silent-upstream.ts";
import { watchedGateway } from "./watched-gateway.ts";

/** For everything the gateway keeps of a call that waits. */
const megabytesPerCaller = 0.1;

export async function judgeSilence(callers: number, timeoutMs: number): Promise<void> {
  await using watched = await watchedGateway(["hang-before-answer"], { HTTP_TIMEOUT: `${timeoutMs}ms` });
  const { statuses, waitedMs, peakMegabytes, peakSockets } = await callSilentUpstream(watched, callers);
  await watched.backToRest();
  console.log(
    `${callers} callers of a silent upstream, limit ${timeoutMs} ms: waited, ms: ${spread(waitedMs)}; at rest ` +
      `${watched.atRest.rssMegabytes.toFixed(0)} MB, peak ${peakMegabytes.toFixed(0)} MB and ${peakSockets} sockets, ` +
      `after ${watched.now().rssMegabytes.toFixed(0)} MB`,
  );
  expect([...statuses]).toEqual([[504, callers]]);
  expect(quantile(waitedMs, 0)).toBeGreaterThanOrEqual(timeoutMs - 5);
  expect(quantile(waitedMs, 1)).toBeLessThan(timeoutMs * 10);
  expect(peakSockets).toBeGreaterThan(callers);
  expect(peakMegabytes - watched.atRest.rssMegabytes).toBeLessThan(64 + callers * megabytesPerCaller);
}
