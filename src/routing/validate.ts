// What is wrong with the virtual models taken together: cycles, depth, names that lead nowhere.

import type { ConfigProblem } from "../core/config-problem.ts";
import { splitSelector } from "../core/target.ts";
import type { VirtualModel } from "../core/virtual-model.ts";
import { meaningOf, type Redirects, redirectsOf } from "./target-meaning.ts";

/** Behaviour 1.8: so many virtual models may stand behind one another, the outermost included. */
const maxDepth = 8;

/**
 * Cycles and chains that are too deep are errors; a target that begins with no provider's name is a warning, for its id may
 * have a slash of its own. What one entry shows by itself the configuration has checked. `providerNames`: those that can be called.
 */
export function validateVirtualModels(
  virtualModels: readonly VirtualModel[],
  providerNames: readonly string[],
): readonly ConfigProblem[] {
  return [...unknownPrefixes(virtualModels, providerNames), ...chainProblems(redirectsOf(virtualModels))];
}

function unknownPrefixes(virtualModels: readonly VirtualModel[], providerNames: readonly string[]): ConfigProblem[] {
  const sources = new Set(virtualModels.map(({ source }) => source));
  const registered = providerNames.length === 0 ? "none" : providerNames.join(", ");
  const problems: ConfigProblem[] = [];
  for (const { source, targets, declaredAt } of virtualModels) {
    for (const { provider, model } of targets) {
      const prefix = splitSelector(model)?.providerName;
      if (provider !== undefined || prefix === undefined) continue;
      if (sources.has(model) || providerNames.includes(prefix)) continue;
      problems.push({
        where: declaredAt,
        message: `target "${model}" of "${source}": "${prefix}" is no registered provider (registered: ${registered}), so this is taken for a model id; write <provider>/${model} if it is one`,
        severity: "warning",
      });
    }
  }
  return problems;
}

/** Each cycle once, at its first member as declared; too deep a chain at the virtual model that begins it. */
function chainProblems(redirects: Redirects): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const depths = new Map<VirtualModel, number>();
  const path: VirtualModel[] = [];

  function depthOf(virtualModel: VirtualModel): number {
    const known = depths.get(virtualModel);
    if (known !== undefined) return known;
    path.push(virtualModel);
    let deepest = 0;
    for (const target of virtualModel.targets) {
      const meaning = meaningOf(virtualModel, target, redirects);
      if (meaning.kind !== "chained") continue;
      const start = path.indexOf(meaning.inner);
      if (start >= 0) problems.push(cycleProblem(path.slice(start)));
      else deepest = Math.max(deepest, depthOf(meaning.inner));
    }
    path.pop();
    depths.set(virtualModel, deepest + 1);
    return deepest + 1;
  }

  for (const virtualModel of redirects.values()) depthOf(virtualModel);
  if (problems.length > 0) return problems;
  for (const [virtualModel, depth] of depths) {
    if (depth > maxDepth) problems.push(depthProblem(virtualModel, depth));
  }
  return problems;
}

function cycleProblem(cycle: readonly VirtualModel[]): ConfigProblem {
  const [first] = cycle;
  const spelled = [...cycle, first].map((member) => member?.source).join(" -> ");
  const message = `virtual models form a cycle: ${spelled}; remove one of these targets`;
  return { where: first?.declaredAt ?? "virtual_models", message, severity: "error" };
}

function depthProblem({ source, declaredAt }: VirtualModel, depth: number): ConfigProblem {
  const message = `virtual model "${source}" is chained ${depth} deep, at most ${maxDepth} are allowed; name inner targets directly`;
  return { where: declaredAt, message, severity: "error" };
}
