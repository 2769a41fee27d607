// Closes the circuit breaker of a provider by hand (behaviour 2.12).

import { Failure } from "../core/failure.ts";
import type { AdminRoute } from "./admin-route.ts";

export interface BreakerResetDependencies {
  /** False: no such provider. */
  readonly resetBreaker: (providerName: string) => boolean;
}

/** `204`, also when there was nothing to close; `404` for a provider that is not configured. With `scope: model` all of its circuits. */
export function breakerResetRoute({ resetBreaker }: BreakerResetDependencies): AdminRoute {
  return {
    method: "POST",
    path: "/admin/providers/{name}/circuit-breaker/reset",
    async handle(_url, name) {
      if (!resetBreaker(name)) throw unknownProvider(name);
      return { status: 204, body: undefined };
    },
  };
}

function unknownProvider(name: string): Failure {
  return new Failure({
    origin: "request",
    status: 404,
    type: "not_found_error",
    message: `no provider is named ${name}: GET /admin/providers/status lists them`,
    code: "provider_not_found",
  });
}
