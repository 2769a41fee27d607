// `${VAR}` with an unset variable: drops the provider that contains it, stays literal elsewhere (behaviour 5.1).

import type { ConfigProblem } from "../core/config-problem.ts";
import { pathText, whereText } from "./node.ts";
import type { ConfigNode, ConfigPath, MapNode } from "./node.ts";

export interface UnresolvedReferences {
  /** Without the unresolved values of providers, so that the rest of their blocks is still checked. */
  readonly root: MapNode;
  /** Names of the providers left out. */
  readonly providers: ReadonlySet<string>;
  readonly problems: readonly ConfigProblem[];
}

export function setAsideUnresolved(root: MapNode): UnresolvedReferences {
  const problems: ConfigProblem[] = [];
  const dropped = new Set<string>();
  const visit = (node: ConfigNode, path: ConfigPath): ConfigNode | undefined => {
    switch (node.kind) {
      case "empty":
        return node;
      case "list": {
        const items = node.items.flatMap((item, index) => visit(item, [...path, index]) ?? []);
        return { ...node, items };
      }
      case "map": {
        const entries = new Map<string, ConfigNode>();
        for (const [key, value] of node.entries) {
          const kept = visit(value, [...path, key]);
          if (kept !== undefined) entries.set(key, kept);
        }
        return { ...node, entries };
      }
      case "text": {
        if (node.unresolved.length === 0) return node;
        const where = whereText(node.origin, path);
        const unset = `${node.unresolved.join(", ")} is not set`;
        const [section, provider] = path;
        if (section === "providers" && path.length > 2) {
          dropped.add(String(provider));
          problems.push({ where, message: `provider "${provider}" is left out: ${unset}`, severity: "warning" });
          return undefined;
        }
        // A key that anybody can guess is worse than no start.
        const isKey = pathText(path) === "server.master_key";
        problems.push({
          where,
          message: isKey ? unset : `${unset}; the value keeps it as it is`,
          severity: isKey ? "error" : "warning",
        });
        return node;
      }
    }
  };
  const kept = visit(root, []);
  return { root: kept?.kind === "map" ? kept : root, providers: dropped, problems };
}
