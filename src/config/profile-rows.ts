// What the settings with two defaults came out as, and why: the rows of `--check` (behaviour 2.12).

import type { EffectiveSettings } from "./load.ts";
import { masked, showable } from "./mask.ts";
import { nodeAt, originText, pathText } from "./node.ts";
import type { ConfigNode, ConfigPath, MapNode, Origin } from "./node.ts";
import { variableSettings } from "./shape.ts";

/** One effective value. */
export interface ProfileRow {
  /** `resilience.retry.streaming`; with `inside` the provider or virtual model that has another value. */
  readonly setting: string;
  /** The row above that has none is the global one. */
  readonly inside: boolean;
  /** A list has several, everything else one. */
  readonly values: readonly string[];
  /** `default`, `profile strong`, `config.yaml:12`, `RETRY_STREAMING`, `providers.openai.resilience.retry.streaming (config.yaml:30)`. */
  readonly from: string;
}

/** The order of the table. */
const sections = ["resilience", "http", "failover", "server"];
/** What a provider may have otherwise. */
const providerSections = ["resilience", "http"];
const profilePath = ["resilience", "profile"];

/** The profile first, then each setting that it decides; below each the providers and virtual models where value or origin differ. */
export function profileRows({ root }: EffectiveSettings): readonly ProfileRow[] {
  const decided = variableSettings()
    .filter(({ shape }) => shape.notes.strong !== undefined)
    .map(({ path }) => path)
    .toSorted((left, right) => sections.indexOf(left[0] ?? "") - sections.indexOf(right[0] ?? ""));
  return [profilePath, ...decided].flatMap((path) => {
    const global = nodeAt(root, path).node;
    const others = othersOf(root, path).filter((place) => differs(nodeAt(root, place.path).node, global));
    return [
      rowAt(root, path, pathText(path), false),
      ...others.map(({ name, path: ownPath }) => rowAt(root, ownPath, name, true)),
    ];
  });
}

interface Place {
  readonly name: string;
  readonly path: ConfigPath;
}

function othersOf(root: MapNode, path: readonly string[]): readonly Place[] {
  const [section = "", key = ""] = path;
  if (providerSections.includes(section)) {
    const providers = root.entries.get("providers");
    const names = providers?.kind === "map" ? [...providers.entries.keys()] : [];
    return names.map((name) => ({ name: `provider ${nameText(name)}`, path: ["providers", name, ...path] }));
  }
  if (section !== "failover" || key !== "stream_recovery") return [];
  const models = root.entries.get("virtual_models");
  const count = models?.kind === "list" ? models.items.length : 0;
  return Array.from({ length: count }, (_, index) => ({
    name: virtualModelName(root, index),
    path: ["virtual_models", index, key],
  }));
}

function virtualModelName(root: MapNode, index: number): string {
  const path = ["virtual_models", index, "source"];
  const { node } = nodeAt(root, path);
  const shown = node.kind === "text" ? showable(node, path) : undefined;
  return shown === undefined ? `virtual_models[${index}]` : `virtual model ${nameText(shown)}`;
}

/** Anything that could break a line or be mistaken for two words goes into quotes. */
function nameText(name: string): string {
  return /^[\w./:@-]+$/.test(name) ? name : JSON.stringify(name);
}

function rowAt(root: MapNode, path: ConfigPath, setting: string, inside: boolean): ProfileRow {
  const { node } = nodeAt(root, path);
  return { setting, inside, values: valuesOf(node, path), from: sourceText(node.origin, path, inside) };
}

function valuesOf(node: ConfigNode, path: ConfigPath): readonly string[] {
  switch (node.kind) {
    case "text":
      return [showable(node, path) ?? masked];
    case "list":
      return node.items.length === 0 ? ["[]"] : node.items.flatMap((item, index) => valuesOf(item, [...path, index]));
    case "empty":
    case "map":
      return [];
  }
}

/** A variable names itself; a line of a file says little without its key, when that is not the row's own. */
function sourceText(origin: Origin, path: ConfigPath, inside: boolean): string {
  const text = originText(origin);
  return inside && origin.kind === "file" ? `${pathText(path)} (${text})` : text;
}

function differs(left: ConfigNode, right: ConfigNode): boolean {
  return originText(left.origin) !== originText(right.origin) || textsOf(left).join() !== textsOf(right).join();
}

function textsOf(node: ConfigNode): readonly string[] {
  if (node.kind === "list") return node.items.flatMap(textsOf);
  return node.kind === "text" ? [node.text] : [];
}
