// Declared virtual models -> those of core, or what is wrong with them on their own. Cycles and depth are seen by routing.

import type { ConfigProblem } from "../core/config-problem.ts";
import type { StreamRecovery, VirtualModel, VirtualModelTarget } from "../core/virtual-model.ts";
import { suggestion } from "./did-you-mean.ts";
import { nodeAt, whereText } from "./node.ts";
import type { MapNode } from "./node.ts";
import type { VirtualModelRow } from "./read-settings.ts";

export interface VirtualModelSources {
  /** Undefined: unreadable, and reported. */
  readonly rows: readonly (VirtualModelRow | undefined)[];
  readonly root: MapNode;
  /** Names of the providers that can be called. */
  readonly configured: readonly string[];
  /** Names of all declared providers. */
  readonly declared: readonly string[];
  /** `failover.stream_recovery`, for the rows that have none of their own. */
  readonly streamRecovery: StreamRecovery;
}

type Report = (severity: ConfigProblem["severity"], message: string, ...inside: (string | number)[]) => void;

/** Startup errors of behaviour 1.8. */
export function resolveVirtualModels(sources: VirtualModelSources): {
  readonly virtualModels: readonly VirtualModel[];
  readonly problems: readonly ConfigProblem[];
} {
  const problems: ConfigProblem[] = [];
  const firstOf = new Map<string, string>();
  const virtualModels = sources.rows.flatMap((row, index): VirtualModel[] => {
    if (row === undefined) return [];
    const at = (...inside: (string | number)[]): string => {
      const path = ["virtual_models", index, ...inside];
      return whereText(nodeAt(sources.root, path).node.origin, path);
    };
    const report: Report = (severity, message, ...inside) => {
      problems.push({ where: at(...inside), message, severity });
    };
    const earlier = firstOf.get(row.source);
    if (earlier === undefined) firstOf.set(row.source, at());
    else report("error", `"${row.source}" is declared twice; the first time at ${earlier}`, "source");
    const targets = targetsOf(row);
    checkTargets(row, targets, report);
    for (const [targetIndex, target] of targets.entries()) {
      const place = row.target === undefined ? ["targets", targetIndex] : ["target"];
      checkProvider(target, sources, (severity, message) => report(severity, message, ...place, "provider"));
    }
    const written = nodeAt(sources.root, ["virtual_models", index, "failover"]);
    if (row.strategy === "failover" && !row.failover && written.exact) {
      report("warning", "has no effect: the strategy failover always fails over", "failover");
    }
    const model: VirtualModel = {
      source: row.source,
      strategy: row.strategy,
      targets,
      failover: row.failover || row.strategy === "failover",
      streamRecovery: row.stream_recovery ?? sources.streamRecovery,
      description: row.description,
      enabled: row.enabled,
      declaredAt: at(),
    };
    return [model];
  });
  return { virtualModels, problems };
}

function targetsOf(row: VirtualModelRow): VirtualModelTarget[] {
  const targets = row.target === undefined ? (row.targets ?? []) : [row.target];
  return targets.map(({ model, provider, weight }) => ({ model, provider, weight }));
}

function checkTargets(row: VirtualModelRow, targets: readonly VirtualModelTarget[], report: Report): void {
  if (row.target !== undefined && row.targets !== undefined) {
    report("error", "give either target or targets, not both", "targets");
  } else if (targets.length === 0 && row.enabled) {
    report(
      "error",
      `"${row.source}" has no targets; give target or targets, or enabled: false to switch that name off (access policies are not in this version yet)`,
    );
  } else if (targets.length > 0 && targets.every((target) => selectorOf(target) === row.source)) {
    report("error", `the only target of "${row.source}" is itself; add another target`);
  }
}

function selectorOf(target: VirtualModelTarget): string {
  return target.provider === undefined ? target.model : `${target.provider}/${target.model}`;
}

function checkProvider(target: VirtualModelTarget, sources: VirtualModelSources, report: Report): void {
  const { provider } = target;
  if (provider === undefined || sources.configured.includes(provider)) return;
  if (sources.declared.includes(provider)) {
    report("warning", `provider "${provider}" cannot be called now, so this target is left out`);
    return;
  }
  const names = sources.configured.length === 0 ? "none" : sources.configured.join(", ");
  report(
    "error",
    `"${provider}" is not a configured provider; configured: ${names}${suggestion(provider, sources.declared)}`,
  );
}
