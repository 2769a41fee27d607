// What must hold of a crowd of streams half of which is left by its callers, wave after wave.

import { expect } from "bun:test";
import { type CrowdOptions, leavingCrowd } from "./leaving-crowd.ts";
import { expectSettledMemory } from "./settled-memory.ts";
import { watchedGateway } from "./watched-gateway.ts";

/** For the buffers and objects of one stream, kernel aside. */
const megabytesPerStream = 0.1;
/** What 100 ms are on a busy machine. */
const closedWithinMs = 1_000;

export async function judgeCrowd(waves: number, options: CrowdOptions): Promise<void> {
  await using watched = await watchedGateway([options.model]);
  const after: number[] = [];
  for (let wave = 0; wave < waves; wave++) {
    const seen = await leavingCrowd(watched, options);
    await watched.backToRest();
    after.push(watched.now().rssMegabytes);
    console.log(
      `wave ${wave + 1} of ${options.streams} streams, ${seen.left} left: at rest ${watched.atRest.rssMegabytes.toFixed(0)} MB, ` +
        `peak ${seen.peakMegabytes.toFixed(0)} MB and ${seen.peakSockets} sockets, after ${after.at(-1)?.toFixed(0)} MB; ` +
        `upstream closed ${seen.closedAfterMs.toFixed(0)} ms after the last one left`,
    );
    expect(seen.bodies.size).toBe(1);
    const [body = ""] = seen.bodies;
    expect(body).toEndWith("data: [DONE]\n\n");
    expect(body).not.toContain('"error"');
    expect(seen.peakMegabytes - watched.atRest.rssMegabytes).toBeLessThan(64 + options.streams * megabytesPerStream);
    expect(seen.closedAfterMs).toBeLessThan(closedWithinMs);
  }
  expectSettledMemory(after);
}
