// What providers and virtual models have of the global blocks: their own value, else the global one, field by field (behaviour 2.2, 2.12).

import { mapNode, nodeAt, withNodeAt } from "./node.ts";
import type { ConfigNode, MapNode } from "./node.ts";
import { profileIn, withDefaultsOf } from "./profile.ts";
import { settingsSections } from "./shape.ts";

/** Global blocks that a provider may override. */
const inheritedSections = ["resilience", "http"] as const;

/**
 * Every provider block with its whole `resilience` and `http` written out, every virtual model with its `stream_recovery`. What is not
 * its own is the global value, which has variables and defaults in it; a default gives way to that of the provider's own profile.
 */
export function withInherited(root: MapNode): MapNode {
  let result = root;
  const providers = root.entries.get("providers");
  if (providers?.kind === "map") {
    const blocks = [...providers.entries].map(
      ([name, block]) => [name, block.kind === "map" ? withGlobalSections(block, root) : block] as const,
    );
    result = withNodeAt(result, ["providers"], { ...providers, entries: new Map(blocks) });
  }
  const models = root.entries.get("virtual_models");
  const recovery = nodeAt(root, ["failover", "stream_recovery"]);
  if (models?.kind === "list" && recovery.exact) {
    const items = models.items.map((row) =>
      row.kind === "map" && !row.entries.has("stream_recovery")
        ? { ...row, entries: new Map(row.entries).set("stream_recovery", recovery.node) }
        : row,
    );
    result = withNodeAt(result, ["virtual_models"], { ...models, items });
  }
  return result;
}

function withGlobalSections(block: MapNode, root: MapNode): MapNode {
  const entries = new Map(block.entries);
  entries.delete("retries");
  const profile = profileIn(block.entries.get("resilience"));
  for (const key of inheritedSections) {
    const global = root.entries.get(key);
    const shape = settingsSections.get(key);
    if (global?.kind !== "map" || shape === undefined) continue;
    const own = key === "resilience" ? withRetriesShorthand(block.entries) : block.entries.get(key);
    entries.set(key, inherit(profile === undefined ? global : withDefaultsOf(profile, global, shape), own));
  }
  return { ...block, entries };
}

/** `retries` stands for `resilience.retry.max_retries`, which wins (behaviour 2.11.12). */
function withRetriesShorthand(block: ReadonlyMap<string, ConfigNode>): ConfigNode | undefined {
  const own = block.get("resilience");
  const retries = block.get("retries");
  if (retries === undefined) return own;
  const short = mapNode([["retry", mapNode([["max_retries", retries]], retries.origin)]], retries.origin);
  return inherit(short, own);
}

function inherit(base: ConfigNode, own: ConfigNode | undefined): ConfigNode {
  if (own === undefined || own.kind === "empty") return base;
  if (base.kind !== "map" || own.kind !== "map") return own;
  const entries = new Map(base.entries);
  for (const [key, value] of own.entries) {
    const inherited = entries.get(key);
    entries.set(key, inherited === undefined ? value : inherit(inherited, value));
  }
  return { ...base, entries };
}
