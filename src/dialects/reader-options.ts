// What every reader of an answer in its own dialect is told.

import type { Failure } from "../core/failure.ts";

export interface ReaderOptions {
  /** For messages. */
  readonly providerName: string;
  /** Handed to the caller with an error that the answer turns out to be. */
  readonly errorHeaders?: Failure["headers"];
  /** The provider's wish in the headers of this answer, for the same case. */
  readonly retryAfterMs?: number | undefined;
  /** Streams: an event that is no JSON object is left out and counted, up to ten of them, instead of failing the stream (behaviour 2.12). Default: false. */
  readonly skipMalformed?: boolean;
}
