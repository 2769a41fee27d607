// A model name resolved for one request.

import type { Failure } from "./failure.ts";
import type { Target } from "./target.ts";
import type { StreamRecovery } from "./virtual-model.ts";

export interface Route {
  /** The virtual model that matched, by its source; undefined for a concrete model. */
  readonly virtualModel: string | undefined;
  /** In the order in which they get their turn; never empty, no target twice. */
  readonly targets: readonly Target[];
  /** Whether a failure may go on to the next target; the failover policy decides which failures. */
  readonly failover: boolean;
  /** What happens when a stream breaks after its first event. */
  readonly streamRecovery: StreamRecovery;
}

/** Resolves names on the current snapshot. */
export interface Router {
  /** A route at once, or later when the name needs a listing that is still under way. Gives a `Failure` for what is not served. */
  resolve(model: string, providerHint: string | undefined): Route | Failure | Promise<Route | Failure>;
}
