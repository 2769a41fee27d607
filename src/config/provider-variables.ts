// Provider variables over the YAML providers: which block they belong to, what they replace, what they only fill (behaviour 3.2).

import type { ConfigProblem } from "../core/config-problem.ts";
import type { ProviderTypeInfo } from "../core/provider-config.ts";
import type { Environment, Variable } from "./environment.ts";
import { mapNode, textNode, whereText, withNodeAt } from "./node.ts";
import type { ConfigNode, MapNode } from "./node.ts";
import { isNotYetType } from "./not-yet.ts";
import { findProviderInstances, firstVariable } from "./provider-instances.ts";
import type { ProviderInstance } from "./provider-instances.ts";

const keyField = "api_key";

/** Overlays YAML providers and adds those that only the environment knows. */
export function layerProviderVariables(
  root: MapNode,
  environment: Environment,
  types: readonly ProviderTypeInfo[],
): { readonly root: MapNode; readonly problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = remarkMissingTypes(environment, types);
  const declared = root.entries.get("providers");
  if (declared !== undefined && declared.kind !== "map" && declared.kind !== "empty") return { root, problems };
  let layered = root;
  for (const instance of findProviderInstances(environment, types)) {
    const blocks = declared?.kind === "map" ? declared.entries : new Map<string, ConfigNode>();
    const named = blocks.get(instance.name);
    if (named !== undefined) {
      if (named.kind !== "map" && named.kind !== "empty") continue;
      if (typeOf(instance.name, named, types) === instance.type.type) {
        layered = withBlock(layered, instance.name, overlay(asMap(named), instance));
      } else {
        problems.push(ignored(instance, `the provider "${instance.name}" has another type`));
      }
      continue;
    }
    const renamed = instance.bare ? onlyOfType(blocks, instance.type, types) : undefined;
    if (renamed !== undefined) {
      const filled = fillEmpty(asMap(renamed.block), instance, renamed.name);
      layered = withBlock(layered, renamed.name, filled.block);
      problems.push(...filled.problems);
      continue;
    }
    const reason = whyNotRegistered(instance, environment);
    if (reason === undefined) {
      const origin = firstVariable(instance).origin;
      const block = mapNode([["type", textNode(instance.type.type, origin)]], origin);
      layered = withBlock(layered, instance.name, overlay(block, instance));
    } else if (reason !== "") {
      problems.push(ignored(instance, reason));
    }
  }
  for (const type of types) layered = withEnabledByOptions(layered, type, environment, types);
  return { root: layered, problems };
}

/** A type that its own variables register, unless a block has it already. */
function withEnabledByOptions(
  root: MapNode,
  type: ProviderTypeInfo,
  environment: Environment,
  types: readonly ProviderTypeInfo[],
): MapNode {
  const first = enablingVariable(type, environment);
  if (first === undefined) return root;
  const declared = root.entries.get("providers");
  const blocks = declared?.kind === "map" ? [...declared.entries] : [];
  const isThere = blocks.some(([name, block]) => name === type.type || typeOf(name, block, types) === type.type);
  return isThere
    ? root
    : withBlock(root, type.type, mapNode([["type", textNode(type.type, first.origin)]], first.origin));
}

/** The first of the type's own variables that enable it, when all of them are set. */
function enablingVariable(type: ProviderTypeInfo, environment: Environment): Variable | undefined {
  const variables = (type.enabledByOptions ?? []).map((name) => environment.get(name));
  return variables.includes(undefined) ? undefined : variables[0];
}

/** Undefined: the variables are enough. Empty: nothing asked for a provider. */
function whyNotRegistered(instance: ProviderInstance, environment: Environment): string | undefined {
  const { type, prefix } = instance;
  if (instance.bare && enablingVariable(type, environment) !== undefined) return undefined;
  const hasKey = instance.keys.size > 0;
  const hasAddress = instance.fields.has("base_url");
  if (hasKey && type.apiKey !== "optional" && !hasAddress && type.defaultBaseUrl === undefined) {
    return `${prefix}_BASE_URL is not set`;
  }
  if ((hasKey && type.apiKey !== "optional") || (hasAddress && type.enabledByBaseUrl)) return undefined;
  if (hasAddress) return `${prefix}_API_KEY is not set`;
  return "";
}

/** The environment wins field by field; its keys replace the block's list. */
function overlay(block: MapNode, instance: ProviderInstance): MapNode {
  const entries = new Map(block.entries);
  for (const [field, variable] of instance.fields) entries.set(field, textNode(variable.value, variable.origin));
  if (instance.keys.size > 0) {
    entries.delete("api_keys");
    entries.delete(keyField);
    for (const [field, node] of keyNodes(instance)) entries.set(field, node);
  }
  return { ...block, entries };
}

/** The block's own fields win, and what they hide is told, unless they refer to the variable themselves. */
function fillEmpty(
  block: MapNode,
  instance: ProviderInstance,
  name: string,
): { readonly block: MapNode; readonly problems: readonly ConfigProblem[] } {
  const entries = new Map(block.entries);
  const problems: ConfigProblem[] = [];
  const given = (field: string): ConfigNode | undefined => {
    const node = block.entries.get(field);
    return node === undefined || node.kind === "empty" ? undefined : node;
  };
  const hiddenBy = (field: string, node: ConfigNode, variable: Variable): void => {
    const variableName = nameOf(variable);
    if (mentions(node, variableName)) return;
    const message = `is ignored: providers.${name} has its own ${field}`;
    problems.push({ where: whereText(variable.origin, []), message, severity: "warning" });
  };
  for (const [field, variable] of instance.fields) {
    const own = given(field);
    if (own === undefined) entries.set(field, textNode(variable.value, variable.origin));
    else hiddenBy(field, own, variable);
  }
  const ownKeys = given(keyField) ?? given("api_keys");
  if (ownKeys === undefined) {
    for (const [field, node] of keyNodes(instance)) entries.set(field, node);
  } else {
    for (const variable of instance.keys.values()) hiddenBy(keyField, ownKeys, variable);
  }
  return { block: { ...block, entries }, problems };
}

function keyNodes(instance: ProviderInstance): readonly (readonly [string, ConfigNode])[] {
  const variables = [...instance.keys].toSorted(([left], [right]) => left - right).map(([, variable]) => variable);
  const nodes = variables.map((variable) => textNode(variable.value, variable.origin));
  const [first] = nodes;
  if (first === undefined) return [];
  return nodes.length === 1
    ? [[keyField, first]]
    : [["api_keys", { kind: "list", items: nodes, origin: first.origin }]];
}

function mentions(node: ConfigNode, variableName: string): boolean {
  switch (node.kind) {
    case "empty":
      return false;
    case "text":
      return node.text.includes("${") && node.text.includes(variableName);
    case "list":
      return node.items.some((item) => mentions(item, variableName));
    case "map":
      return [...node.entries.values()].some((item) => mentions(item, variableName));
  }
}

/**
 * The one YAML provider of the type under another name, which bare variables complete (behaviour 3.2). One that points a key-optional
 * type elsewhere (`type: openai` with a `base_url`) is left alone: the vendor's key must not travel to another host.
 */
function onlyOfType(
  blocks: ReadonlyMap<string, ConfigNode>,
  type: ProviderTypeInfo,
  types: readonly ProviderTypeInfo[],
): { readonly name: string; readonly block: ConfigNode } | undefined {
  const matching = [...blocks].filter(([name, block]) => typeOf(name, block, types) === type.type);
  const [only] = matching;
  if (only === undefined || matching.length > 1) return undefined;
  const [name, block] = only;
  const address = block.kind === "map" ? block.entries.get("base_url") : undefined;
  const elsewhere = type.apiKey === "unless-base-url" && address !== undefined && address.kind !== "empty";
  return elsewhere ? undefined : { name, block };
}

/** A provider named after its type needs no `type`. */
function typeOf(name: string, block: ConfigNode, types: readonly ProviderTypeInfo[]): string | undefined {
  const written = block.kind === "map" ? block.entries.get("type") : undefined;
  if (written?.kind === "text") return written.text.trim();
  return types.some(({ type }) => type === name) ? name : undefined;
}

function withBlock(root: MapNode, name: string, block: MapNode): MapNode {
  return withNodeAt(root, ["providers", name], block);
}

function asMap(block: ConfigNode): MapNode {
  return block.kind === "map" ? block : mapNode([], block.origin);
}

function nameOf(variable: Variable): string {
  return variable.origin.kind === "variable" ? variable.origin.name : "";
}

function ignored(instance: ProviderInstance, reason: string): ConfigProblem {
  const where = whereText(firstVariable(instance).origin, []);
  return { where, message: `is ignored: ${reason}`, severity: "warning" };
}

/** A key for a provider that a later version will have would otherwise be passed over in silence. */
function remarkMissingTypes(environment: Environment, types: readonly ProviderTypeInfo[]): ConfigProblem[] {
  const here = new Set(types.map(({ type }) => type));
  return [...environment].flatMap(([name, variable]) => {
    const type = /^([A-Z_]+)_API_KEY$/.exec(name)?.[1]?.toLowerCase() ?? "";
    const missing = [type, type.replaceAll("_", "-")].find(
      (candidate) => isNotYetType(candidate) && !here.has(candidate),
    );
    if (missing === undefined) return [];
    const message = `is ignored: the provider type ${missing} is not in this version yet`;
    return [{ where: whereText(variable.origin, []), message, severity: "warning" as const }];
  });
}
