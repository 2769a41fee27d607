// A provider's own resilience over the global block, field by field (behaviour 2.2).

import { mapNode } from "./node.ts";
import type { ConfigNode, MapNode } from "./node.ts";

/** Every provider block with its whole `resilience` written out: own field, else the global one, which has variables and defaults in it. */
export function withInheritedResilience(root: MapNode): MapNode {
  const global = root.entries.get("resilience");
  const providers = root.entries.get("providers");
  if (global?.kind !== "map" || providers?.kind !== "map") return root;
  const blocks = [...providers.entries].map(([name, block]): readonly [string, ConfigNode] => {
    if (block.kind !== "map") return [name, block];
    const entries = new Map(block.entries);
    const own = withRetriesShorthand(entries);
    entries.delete("retries");
    entries.set("resilience", inherit(global, own));
    return [name, { ...block, entries }];
  });
  return { ...root, entries: new Map(root.entries).set("providers", { ...providers, entries: new Map(blocks) }) };
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
