// Inventories, virtual models and routes in short written forms, for tables of routing tests.

import { Failure } from "../../src/core/failure.ts";
import type { InventorySnapshot, ProviderInventory } from "../../src/core/inventory.ts";
import type { Route } from "../../src/core/route.ts";
import { targetName } from "../../src/core/target.ts";
import type { Strategy, VirtualModel } from "../../src/core/virtual-model.ts";

const states: readonly ProviderInventory["state"][] = ["pending", "fresh", "configured", "stale", "failed"];

/** `a: x y | b stale: z | c fresh!: q`: providers in order, `fresh` unless said otherwise, `!` = the last listing failed. */
export function inventory(text: string, version = 1): InventorySnapshot {
  const providers = text.split("|").map((part): ProviderInventory => {
    const [head = "", ids = ""] = part.split(/:(.*)/s);
    const [providerName = "", written = "fresh"] = head.trim().split(/\s+/);
    const state = states.find((candidate) => candidate === written.replace("!", ""));
    if (state === undefined) throw new Error(`no such state: ${written}`);
    return {
      providerName,
      providerType: "openai",
      models: ids
        .split(/\s+/)
        .filter((id) => id !== "")
        .map((id) => ({ id, created: undefined, ownedBy: undefined })),
      state,
      lastFetchAt: undefined,
      lastSuccessAt: undefined,
      lastError: written.endsWith("!") ? "failed" : undefined,
    };
  });
  return { version, providers };
}

/** `smart failover = a/x, b/y`; `rr` and `cost` are the other strategies. Targets: `x*3` has weight 3, `a:x` pins provider a. */
export function virtualModel(text: string, overrides: Partial<VirtualModel> = {}): VirtualModel {
  const [head = "", list = ""] = text.split("=");
  const [source = "", strategy = "failover"] = head.trim().split(/\s+/);
  return {
    source,
    strategy: strategyOf(strategy),
    targets: list
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "")
      .map((entry) => {
        const [name = "", weight = "1"] = entry.split("*");
        const [provider, model] = name.includes(":") ? name.split(/:(.*)/s) : [undefined, name];
        return { model: model ?? "", provider, weight: Number(weight) };
      }),
    failover: true,
    streamRecovery: "off",
    description: undefined,
    enabled: true,
    declaredAt: `virtual_models ${source}`,
    ...overrides,
  };
}

function strategyOf(text: string): Strategy {
  if (text === "rr") return "round_robin";
  if (text === "cost" || text === "failover") return text;
  throw new Error(`no such strategy: ${text}`);
}

/** `a/x b/y`, or the failure's message. */
export function routeText(route: Route | Failure): string {
  return route instanceof Failure ? route.message : route.targets.map(targetName).join(" ");
}
