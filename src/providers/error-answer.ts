// The body of an answer that is no success: as much of it as is worth waiting for.

import { joinBytes, partOf } from "../core/byte-pieces.ts";
import type { Clock } from "../core/clock.ts";
import { isComing } from "../core/later.ts";
import type { UpstreamBody } from "../core/provider.ts";

/** An error text longer than this is no explanation (behaviour 2.12). */
const maxBytes = 64 * 1024;
/** The status is known already; the caller does not wait longer for the words. */
const maxMs = 2000;

/** What arrives of `body` within the limits. Never rejects: a body that breaks leaves what came before. Nothing stays open afterwards. */
export async function readErrorBody(body: UpstreamBody, clock: Clock): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const cancelTimer = clock.schedule(maxMs, () => body.cancel());
  try {
    while (length < maxBytes) {
      const read = body.read();
      const chunk = isComing(read) ? await read : read;
      if (chunk === undefined) break;
      chunks.push(chunk);
      length += chunk.length;
    }
  } catch {
    // The status decides; why its text broke off changes nothing.
  } finally {
    cancelTimer();
    body.cancel();
  }
  return partOf(joinBytes(chunks), 0, Math.min(length, maxBytes));
}
