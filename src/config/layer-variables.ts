// Variables over the YAML file: one setting each, and `VIRTUAL_MODELS` entry by entry.

import type { ConfigProblem } from "../core/config-problem.ts";
import { nearest } from "./did-you-mean.ts";
import type { Environment, Variable } from "./environment.ts";
import { textNode, whereText, withNodeAt } from "./node.ts";
import type { ConfigNode, ListNode, MapNode } from "./node.ts";
import { isNotYetVariable } from "./not-yet.ts";
import { variableSettings } from "./shape.ts";

const virtualModelsName = "VIRTUAL_MODELS";

interface Layered {
  readonly root: MapNode;
  readonly problems: readonly ConfigProblem[];
}

/** Behaviour 5.1: the environment wins over the file, setting by setting. */
export function layerVariables(root: MapNode, environment: Environment): Layered {
  let layered = root;
  for (const { path, name } of variableSettings()) {
    const variable = environment.get(name);
    if (variable !== undefined && name !== virtualModelsName) {
      layered = withNodeAt(layered, path, textNode(variable.value, variable.origin));
    }
  }
  const rows = environment.get(virtualModelsName);
  return rows === undefined ? { root: layered, problems: [] } : layerVirtualModels(layered, rows);
}

/** Entries of the variable replace those of the same source in place, the others follow (behaviour 1.8). */
function layerVirtualModels(root: MapNode, variable: Variable): Layered {
  let rows: unknown;
  try {
    rows = JSON.parse(variable.value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { root, problems: [jsonProblem(variable, `is not valid JSON: ${reason}`)] };
  }
  if (!Array.isArray(rows)) {
    return {
      root,
      problems: [jsonProblem(variable, 'must be a JSON list such as [{"source":"smart","target":"openai/gpt-4o"}]')],
    };
  }
  const declared = root.entries.get("virtual_models");
  if (declared !== undefined && declared.kind !== "list" && declared.kind !== "empty") return { root, problems: [] };
  const given = rows.map((row, index) => jsonNode(row, variable, `${virtualModelsName}[${index}]`));
  const bySource = new Map(
    given.map((row) => [sourceOf(row), row] as const).filter(([source]) => source !== undefined),
  );
  const kept = declared?.kind === "list" ? declared.items : [];
  const replaced = new Set<ConfigNode>();
  const items = kept.map((row) => {
    const source = sourceOf(row);
    const winner = source === undefined ? undefined : bySource.get(source);
    if (winner !== undefined) replaced.add(winner);
    return winner ?? row;
  });
  const list: ListNode = {
    kind: "list",
    items: [...items, ...given.filter((row) => !replaced.has(row))],
    origin: declared?.origin ?? variable.origin,
  };
  return { root: withNodeAt(root, ["virtual_models"], list), problems: [] };
}

function sourceOf(row: ConfigNode): string | undefined {
  const source = row.kind === "map" ? row.entries.get("source") : undefined;
  return source?.kind === "text" ? source.text.trim() : undefined;
}

function jsonProblem(variable: Variable, message: string): ConfigProblem {
  return { where: whereText(variable.origin, []), message, severity: "error" };
}

/** `name` grows with the depth, so that a problem names its place within the variable. */
function jsonNode(value: unknown, variable: Variable, name: string): ConfigNode {
  const origin = variable.origin.kind === "variable" ? { ...variable.origin, name } : variable.origin;
  if (value === null || value === undefined) return { kind: "empty", origin };
  if (Array.isArray(value)) {
    return { kind: "list", items: value.map((item, index) => jsonNode(item, variable, `${name}[${index}]`)), origin };
  }
  if (typeof value === "object") {
    const entries = Object.entries(value).map(
      ([key, inner]) => [key, jsonNode(inner, variable, `${name}.${key}`)] as const,
    );
    return { kind: "map", entries: new Map(entries), origin };
  }
  return textNode(typeof value === "string" ? value : JSON.stringify(value), origin);
}

/** Unknown variables are never errors; ones that look meant for the gateway get a warning. */
export function remarkVariables(environment: Environment): ConfigProblem[] {
  const known = variableSettings().map(({ name }) => name);
  const problems: ConfigProblem[] = [];
  for (const [name, variable] of environment) {
    const where = whereText(variable.origin, []);
    if (isNotYetVariable(name)) {
      problems.push({ where, message: "is not in this version yet and has no effect", severity: "warning" });
    } else if (name.length >= 8 && !known.includes(name)) {
      const meant = nearest(name, known);
      // Short names are near to each other by chance.
      if (meant !== undefined && meant.length >= 8) {
        problems.push({
          where,
          message: `is not a known variable and has no effect; did you mean "${meant}"?`,
          severity: "warning",
        });
      }
    }
  }
  return problems;
}
