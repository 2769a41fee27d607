// What may stand in the place of a provider's base URL: a region, for a type whose address follows from it.

import type { ProviderTypeInfo } from "../core/provider-config.ts";
import { urlOfShortForm } from "../core/regional-url.ts";
import { withNodeAt } from "./node.ts";
import type { ConfigNode, MapNode } from "./node.ts";

/** Every `base_url` that its type can spell out, spelled out; all else stays. */
export function withWholeAddresses(root: MapNode, types: readonly ProviderTypeInfo[]): MapNode {
  const providers = root.entries.get("providers");
  if (providers?.kind !== "map" || !types.some(({ regionalUrl }) => regionalUrl?.shortForm !== undefined)) return root;
  const entries = [...providers.entries].map(([name, block]) => [name, withWholeAddress(name, block, types)] as const);
  return withNodeAt(root, ["providers"], { ...providers, entries: new Map(entries) });
}

function withWholeAddress(name: string, block: ConfigNode, types: readonly ProviderTypeInfo[]): ConfigNode {
  if (block.kind !== "map") return block;
  const written = block.entries.get("type");
  const wanted = written?.kind === "text" ? written.text.trim() : name;
  const address = block.entries.get("base_url");
  if (address?.kind !== "text") return block;
  const regional = types.find(({ type }) => type === wanted)?.regionalUrl;
  const whole = regional === undefined ? undefined : urlOfShortForm(regional, address.text.trim());
  if (whole === undefined) return block;
  return { ...block, entries: new Map(block.entries).set("base_url", { ...address, text: whole }) };
}
