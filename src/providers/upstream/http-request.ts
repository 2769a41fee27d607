// One call to an upstream and what can go wrong with it.

import type { Cancellation, CancelReason } from "../../core/cancellation.ts";
import type { OutgoingBytes } from "../../core/edited-bytes.ts";
import type { Failure } from "../../core/failure.ts";
import type { UpstreamLimits } from "../../core/policy.ts";
import type { ParsedUpstreamUrl } from "./upstream-url.ts";

/** Why there is no whole answer. `toFailure` turns it into what the rest of the gateway understands. */
export interface HttpTrouble {
  /** transport: the network or an answer that is no HTTP. timeout: one of the limits. cancelled: the request's own cancellation. */
  readonly kind: "transport" | "timeout" | "cancelled";
  /** How far the attempt was, or for a timeout whose limit it was. */
  readonly phase: "connect" | "headers" | "body" | "idle" | "total" | "give-way";
  /** For people; holds no address and no secret. */
  readonly message: string;
  /** Of the runtime (`ECONNRESET`) or ours (`malformed_answer`). */
  readonly code?: string;
  readonly cancelReason?: CancelReason;
  /** Nothing of the request can have reached the upstream. */
  readonly unsent: boolean;
}

/** A request as it goes out once. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: ParsedUpstreamUrl;
  /** Follows the prefix of the base URL; starts with a slash, may carry a query, printable ASCII only. */
  readonly path: string;
  /**
   * The caller's own. `host`, `content-length` and hop-by-hop headers are the client's and are left out here. An array that is used
   * again (the same object) is rendered only once, so it must not be changed.
   */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Those that differ from call to call: visible ASCII, rendered each time after the others. */
  readonly callHeaders?: readonly (readonly [name: string, value: string])[];
  readonly body: OutgoingBytes | undefined;
  readonly limits: UpstreamLimits;
  /**
   * From the start of the attempt, connecting included, to a stream's `started()` or to the response headers of a buffered answer; for as long as
   * somebody else could answer instead. Absent or 0: no such limit.
   */
  readonly giveWayAfterMs?: number;
  /** Streams: the total limit ends with `started()`, silence is limited. Buffered: the total limit covers the whole body, silence is not limited. */
  readonly stream: boolean;
  readonly cancellation: Cancellation | undefined;
  /** Makes everything that `send` and `read` reject with. */
  readonly toFailure: (trouble: HttpTrouble) => Failure;
  /** Of the body as it came and as it is after decoding. */
  readonly maxBodyBytes: number;
}
