// Makes nodes fit the schema: unknown keys out, short forms written out, defaults in.

import type { ConfigProblem } from "../core/config-problem.ts";
import { suggestion } from "./did-you-mean.ts";
import { mapNode, pathText, textNode, whereText } from "./node.ts";
import type { ConfigNode, ConfigPath, ListNode, MapNode, Origin, TextNode } from "./node.ts";
import { isNotYetKey } from "./not-yet.ts";
import { settingsShape, shapesAlong, variableSettings } from "./shape.ts";
import type { SectionShape, Shape } from "./shape.ts";

const byDefault: Origin = { kind: "default" };

/** Unknown keys are errors, or with `strict` false warnings; either way they are left out of the result (behaviour 5.1). */
export function fitToSchema(
  root: MapNode,
  strict: boolean,
): { readonly root: MapNode; readonly problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const fitted = fitSection(settingsShape, root, [], { strict, problems });
  return { root: fitted, problems };
}

interface Fitting {
  readonly strict: boolean;
  readonly problems: ConfigProblem[];
}

function fit(shape: Shape, node: ConfigNode | undefined, path: ConfigPath, fitting: Fitting): ConfigNode | undefined {
  if (node === undefined || node.kind === "empty") return missing(shape, path, fitting);
  switch (shape.kind) {
    case "leaf":
      return node;
    case "list": {
      const list = node.kind === "text" ? splitList(node) : node;
      if (list.kind !== "list") return list;
      if (list.items.length === 0 && shape.notes.emptyKeepsDefault === true) return missing(shape, path, fitting);
      return {
        ...list,
        items: list.items.map((item, index) =>
          item.kind === "empty" ? item : (fit(shape.item, item, [...path, index], fitting) ?? item),
        ),
      };
    }
    case "map": {
      if (node.kind !== "map") return node;
      const entries = [...node.entries].map(
        ([key, value]) => [key, fit(shape.value, value, [...path, key], fitting) ?? mapNode([], value.origin)] as const,
      );
      return { ...node, entries: new Map(entries) };
    }
    case "section": {
      if (node.kind === "text" && shape.notes.shorthand !== undefined) {
        return fitSection(shape, mapNode([[shape.notes.shorthand, node]], node.origin), path, fitting);
      }
      return node.kind === "map" ? fitSection(shape, node, path, fitting) : node;
    }
  }
}

function fitSection(shape: SectionShape, node: MapNode, path: ConfigPath, fitting: Fitting): MapNode {
  for (const [key, value] of node.entries) {
    const field = shape.fields.get(key);
    if (field !== undefined && (field.notes.environmentOnly !== true || value.origin.kind !== "file")) continue;
    fitting.problems.push(unknownKey(shape, key, value, path, fitting.strict));
  }
  const entries: [string, ConfigNode][] = [];
  for (const [key, field] of shape.fields) {
    const written = node.entries.get(key);
    const given = field.notes.environmentOnly === true && written?.origin.kind === "file" ? undefined : written;
    const fitted = fit(field, given, [...path, key], fitting);
    if (fitted !== undefined) entries.push([key, fitted]);
  }
  return { ...node, entries: new Map(entries) };
}

function missing(shape: Shape, path: ConfigPath, fitting: Fitting): ConfigNode | undefined {
  if (shape.optional) return undefined;
  const text = shape.notes.default;
  switch (shape.kind) {
    case "leaf":
      return text === undefined ? undefined : defaultNode(shape, text, byDefault);
    case "list":
      return text === undefined ? { kind: "list", items: [], origin: byDefault } : defaultNode(shape, text, byDefault);
    case "map":
      return mapNode([], byDefault);
    case "section":
      return fitSection(shape, mapNode([], byDefault), path, fitting);
  }
}

/** A default as its setting's node: the form that an operator's own value would have. */
export function defaultNode(shape: Shape, text: string, origin: Origin): ConfigNode {
  const node = textNode(text, origin);
  return shape.kind === "list" ? splitList(node) : node;
}

/** `a, b` or `[a, b]`: the form of lists in variables, also taken in YAML. `[]` is the empty list. */
function splitList(node: TextNode): ListNode {
  const inner = /^\[(.*)\]$/s.exec(node.text.trim())?.[1] ?? node.text;
  const items = inner
    .split(",")
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter((part) => part !== "")
    .map((part) => ({ ...node, text: part }));
  return { kind: "list", items, origin: node.origin };
}

function unknownKey(
  shape: SectionShape,
  key: string,
  value: ConfigNode,
  path: ConfigPath,
  strict: boolean,
): ConfigProblem {
  const where = whereText(value.origin, [...path, key]);
  const severity = strict ? "error" : "warning";
  if (isNotYetKey([...path, key])) return { where, message: "is not in this version yet", severity };
  const onlyVariable = variableSettings().find((setting) => setting.path[0] === "process" && setting.path[1] === key);
  if (onlyVariable !== undefined) {
    return { where, message: `can only be set by the variable ${onlyVariable.name}`, severity };
  }
  const allowed = [...shape.fields].filter(([, field]) => field.notes.environmentOnly !== true).map(([name]) => name);
  const near = suggestion(key, allowed);
  // The right key in the wrong section is as frequent as a typing error.
  const elsewhere = near === "" ? (aroundIt(key, path) ?? anywhere(key)) : undefined;
  const hint = elsewhere === undefined ? near : `; did you mean "${pathText(elsewhere)}"?`;
  return { where, message: `is not a known key; allowed: ${allowed.join(", ")}${hint}`, severity };
}

/** The path of `key` in the nearest section around `path` that has it: within one provider the wrong depth is the usual mistake. */
function aroundIt(key: string, path: ConfigPath): ConfigPath | undefined {
  for (let depth = path.length - 1; depth > 0; depth--) {
    const section = shapesAlong(path.slice(0, depth)).at(-1);
    if (section?.kind === "section" && section.fields.has(key)) return [...path.slice(0, depth), key];
  }
  return undefined;
}

function anywhere(key: string): ConfigPath | undefined {
  return variableSettings().find((setting) => setting.path.at(-1) === key)?.path;
}
