// `resilience.profile` picks among the two defaults that some settings have (behaviour 2.12); what was given stays.

import { defaultNode } from "./fit.ts";
import { nodeAt } from "./node.ts";
import type { ConfigNode, MapNode, Profile } from "./node.ts";
import { settingsShape } from "./shape.ts";
import type { Shape } from "./shape.ts";

/** `root`, complete with its defaults, with those of the profile that it chooses. */
export function withChosenProfile(root: MapNode): MapNode {
  const profile = profileIn(nodeAt(root, ["resilience"]).node);
  const chosen = profile === undefined ? root : withDefaultsOf(profile, root, settingsShape);
  return chosen.kind === "map" ? chosen : root;
}

/** The profile that somebody gave in a `resilience` block; undefined: none, or one that cannot be read and is reported. */
export function profileIn(resilience: ConfigNode | undefined): Profile | undefined {
  const node = resilience?.kind === "map" ? resilience.entries.get("profile") : undefined;
  if (node?.kind !== "text" || node.origin.kind === "default") return undefined;
  const text = node.text.trim().toLowerCase();
  return text === "classic" || text === "strong" ? text : undefined;
}

/** `node` with every default below it that the profile decides. Providers and virtual models have none of their own: they inherit. */
export function withDefaultsOf(profile: Profile, node: ConfigNode, shape: Shape): ConfigNode {
  if (node.kind === "map" && shape.kind === "section") {
    const entries = [...node.entries].map(([key, value]): readonly [string, ConfigNode] => {
      const field = shape.fields.get(key);
      return [key, field === undefined ? value : withDefaultsOf(profile, value, field)];
    });
    return { ...node, entries: new Map(entries) };
  }
  const { default: classic, strong } = shape.notes;
  if (node.origin.kind !== "default" || classic === undefined || strong === undefined) return node;
  return defaultNode(shape, profile === "strong" ? strong : classic, { kind: "default", profile });
}
