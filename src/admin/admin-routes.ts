// Every endpoint of the operator's API; who may ask is decided before they are reached.

import type { AdminRoute } from "./admin-route.ts";
import { type BreakerResetDependencies, breakerResetRoute } from "./breaker-reset.ts";
import type { AuditLogDependencies } from "./audit-log.ts";
import { auditDetailRoute, auditLogRoute } from "./audit-log.ts";
import type { ProviderStatusInput } from "./provider-status.ts";
import { providerStatusReport } from "./provider-status.ts";

export interface AdminDependencies extends AuditLogDependencies, BreakerResetDependencies {
  /** In the order of the configuration, as they are at this moment. */
  readonly providers: () => readonly ProviderStatusInput[];
}

export function createAdminRoutes(dependencies: AdminDependencies): readonly AdminRoute[] {
  return [
    auditLogRoute(dependencies),
    auditDetailRoute(dependencies),
    {
      method: "GET",
      path: "/admin/providers/status",
      handle: async () => ({ status: 200, body: providerStatusReport(dependencies.providers()) }),
    },
    breakerResetRoute(dependencies),
  ];
}
