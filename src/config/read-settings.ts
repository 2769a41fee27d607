// Nodes that fit the schema -> typed settings, or a problem for each value that is wrong.

import type { z } from "zod";
import type { ConfigProblem } from "../core/config-problem.ts";
import { showable } from "./mask.ts";
import { nodeAt, whereText } from "./node.ts";
import type { ConfigNode, ConfigPath, MapNode } from "./node.ts";
import { settingsSchema } from "./schema.ts";
import type { Settings } from "./schema.ts";
import { providerBlock } from "./schema/providers.ts";
import { virtualModelRow } from "./schema/virtual-models.ts";

export function readSettings(
  root: MapNode,
): { readonly settings: Settings } | { readonly problems: readonly ConfigProblem[] } {
  const result = settingsSchema.safeParse(plainValue(root));
  if (result.success) return { settings: result.data };
  return { problems: result.error.issues.map((issue) => problemOf(issue, root)) };
}

export type ProviderBlock = Settings["providers"][string];
export type VirtualModelRow = Settings["virtual_models"][number];

/** The provider blocks and virtual models that can be read on their own, so that one bad value does not hide what is wrong between them. */
export function readDeclarations(root: MapNode): {
  readonly blocks: ReadonlyMap<string, ProviderBlock>;
  /** By index; undefined = unreadable. */
  readonly rows: readonly (VirtualModelRow | undefined)[];
} {
  const providers = root.entries.get("providers");
  const virtualModels = root.entries.get("virtual_models");
  const blocks = new Map<string, ProviderBlock>();
  for (const [name, node] of providers?.kind === "map" ? providers.entries : []) {
    const { data } = providerBlock.safeParse(plainValue(node));
    if (data !== undefined) blocks.set(name, data);
  }
  const items = virtualModels?.kind === "list" ? virtualModels.items : [];
  return { blocks, rows: items.map((row) => virtualModelRow.safeParse(plainValue(row)).data) };
}

/** What zod reads: texts, arrays and objects. */
export function plainValue(node: ConfigNode): unknown {
  switch (node.kind) {
    case "text":
      return node.text;
    case "empty":
      return undefined;
    case "list":
      return node.items.map(plainValue);
    case "map":
      return Object.fromEntries([...node.entries].map(([key, value]) => [key, plainValue(value)]));
  }
}

function problemOf(issue: z.core.$ZodIssue, root: MapNode): ConfigProblem {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  const { node, exact } = nodeAt(root, path);
  if (!exact) {
    const parent = path.slice(0, -1);
    return { where: whereText(node.origin, parent), message: `"${String(path.at(-1))}" is missing`, severity: "error" };
  }
  const where = whereText(node.origin, path);
  return { where, message: `${messagePrefix(path)}${messageOf(issue, node, path)}`, severity: "error" };
}

/** Contract of behaviour 2.2. */
function messagePrefix(path: ConfigPath): string {
  if (path[0] === "resilience") return "resilience: ";
  return path[0] === "providers" && path[2] === "resilience" ? `providers.${path[1]}.resilience: ` : "";
}

function messageOf(issue: z.core.$ZodIssue, node: ConfigNode, path: ConfigPath): string {
  if (issue.code === "custom" && node.kind === "text") {
    const shown = showable(node, path);
    const value = shown === undefined ? "the value (hidden)" : `"${shown}"`;
    const unset = node.unresolved.length === 0 ? "" : `; not set: ${node.unresolved.join(", ")}`;
    return issue.params?.["wholeSentence"] === true
      ? `${issue.message} (it is ${value}${String(issue.params["hint"] ?? "")}${unset})`
      : `${value} ${issue.message}${unset}`;
  }
  const expected = issue.code === "invalid_type" ? (expectedWords[issue.expected] ?? issue.expected) : "something else";
  return `must be ${expected}, not ${foundWords[node.kind]}`;
}

const expectedWords: Readonly<Record<string, string>> = {
  string: "a single value",
  array: "a list",
  object: "a map of settings",
  record: "a map",
};

const foundWords: Readonly<Record<ConfigNode["kind"], string>> = {
  text: "a single value",
  empty: "empty",
  list: "a list",
  map: "a map",
};
