// Text and environment -> one typed, frozen Config, or every problem at once.

import { join } from "node:path";
import type { ConfigProblem } from "../core/config-problem.ts";
import type { ProviderTypeInfo } from "../core/provider-config.ts";
import { buildConfig } from "./build-config.ts";
import { findConfigFile } from "./config-file.ts";
import type { Config } from "./config.ts";
import { defaultDatabasePath } from "./data-directory.ts";
import { readEnvironment } from "./environment.ts";
import { expandReferences } from "./expand.ts";
import { fitToSchema } from "./fit.ts";
import { withInherited } from "./inherit.ts";
import { layerVariables, remarkVariables } from "./layer-variables.ts";
import { nodeAt, textNode, whereText, withNodeAt } from "./node.ts";
import type { MapNode } from "./node.ts";
import { withChosenProfile } from "./profile.ts";
import { withWholeAddresses } from "./provider-addresses.ts";
import { layerProviderVariables } from "./provider-variables.ts";
import { readDeclarations, readSettings } from "./read-settings.ts";
import { resolveProviders } from "./resolve-providers.ts";
import { resolveVirtualModels } from "./resolve-virtual-models.ts";
import { readTypeOptions } from "./type-options.ts";
import { setAsideUnresolved } from "./unresolved.ts";
import { readYaml } from "./yaml-source.ts";

export interface ConfigSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--config`; the file must exist. */
  readonly configPath: string | undefined;
  /** Absolute. */
  readonly cwd: string;
  /** Gets absolute paths; undefined when there is no such file, throws when it cannot be read. */
  readonly readFile: (path: string) => string | undefined;
  readonly directoryExists: (path: string) => boolean;
  /** `process.platform`. */
  readonly platform: string;
  readonly providerTypes: readonly ProviderTypeInfo[];
}

/** Every setting with its text and where it comes from, for `describeSettings`. */
export interface EffectiveSettings {
  readonly root: MapNode;
}

export type LoadedConfig =
  /** `problems` are warnings. */
  | {
      readonly ok: true;
      readonly config: Config;
      /** The YAML file that was read; undefined: none. */
      readonly configFile: string | undefined;
      readonly effective: EffectiveSettings;
      readonly problems: readonly ConfigProblem[];
    }
  /** At least one of them is an error. What could be read is there for those who look for more: everything is reported at once. */
  | {
      readonly ok: false;
      readonly problems: readonly ConfigProblem[];
      readonly config: Pick<Config, "providers" | "virtualModels">;
    };

/** Behaviour 5.1: environment > YAML > defaults; reports everything that is wrong, never only the first. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const loaded = load(sources);
  // In the order of the file, so that an operator can go through it once.
  const problems = loaded.problems.toSorted((left, right) =>
    left.where.localeCompare(right.where, "en", { numeric: true }),
  );
  return { ...loaded, problems };
}

function load(sources: ConfigSources): LoadedConfig {
  const problems: ConfigProblem[] = [];
  /** Takes the problems of a step and hands on its result. */
  const after = <Step extends { readonly problems: readonly ConfigProblem[] }>(step: Step): Step => {
    problems.push(...step.problems);
    return step;
  };
  const file = after(findConfigFile(sources.configPath, sources.cwd, sources.readFile));
  const yaml = after(readYaml(file.text, file.name ?? "config.yaml"));
  const { environment } = after(readEnvironment(sources.env, readDotenvFile(sources, problems)));
  problems.push(...remarkVariables(environment));
  const layered = after(layerVariables(yaml.root, environment));
  const withProviders = after(layerProviderVariables(layered.root, environment, sources.providerTypes));
  const expanded = after(expandReferences(withProviders.root, { environment, readFile: sources.readFile }));
  const strict = !/^(?:false|f|0|no|off)$/i.test(environment.get("CONFIG_STRICT")?.value.trim() ?? "");
  const written = expanded.node.kind === "map" ? expanded.node : withProviders.root;
  const fitted = after(fitToSchema(withWholeAddresses(written, sources.providerTypes), strict));
  const complete = withDatabasePath(withChosenProfile(fitted.root), sources);
  const settled = after(setAsideUnresolved(complete));
  const reading = readSettings(settled.root);
  if ("problems" in reading) problems.push(...reading.problems);

  const { options } = after(readTypeOptions(sources.providerTypes, environment));
  const { blocks, rows } = readDeclarations(settled.root);
  const { providers } = after(
    resolveProviders({
      blocks,
      root: settled.root,
      inherited: withInherited(settled.root),
      unresolved: settled.providers,
      types: sources.providerTypes,
      options,
      strict,
    }),
  );
  const { virtualModels } = after(
    resolveVirtualModels({
      rows,
      root: settled.root,
      configured: providers.map(({ name }) => name),
      declared: declaredProviders(settled.root),
      // A bad one is reported; nothing is built with the stand-in.
      streamRecovery: "settings" in reading ? reading.settings.failover.stream_recovery : "off",
    }),
  );
  if (!("settings" in reading)) return { ok: false, problems, config: { providers, virtualModels } };
  const metrics = after(metricsEndpoint(reading.settings.metrics.endpoint, settled.root));
  if (problems.some(({ severity }) => severity === "error")) {
    return { ok: false, problems, config: { providers, virtualModels } };
  }
  const config = buildConfig({
    settings: reading.settings,
    providers,
    virtualModels,
    hostIsDefault: nodeAt(settled.root, ["server", "host"]).node.origin.kind === "default",
    metricsEndpoint: metrics.endpoint,
    cwd: sources.cwd,
  });
  return { ok: true, config, configFile: file.name, effective: { root: withInherited(complete) }, problems };
}

function readDotenvFile(sources: ConfigSources, problems: ConfigProblem[]): string | undefined {
  try {
    return sources.readFile(join(sources.cwd, ".env"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push({ where: ".env", message: `cannot be read: ${reason}`, severity: "error" });
    return undefined;
  }
}

const databasePath = ["storage", "sqlite", "path"];

/** The one default that depends on the machine. */
function withDatabasePath(root: MapNode, sources: ConfigSources): MapNode {
  if (nodeAt(root, databasePath).exact) return root;
  return withNodeAt(root, databasePath, textNode(defaultDatabasePath(sources), { kind: "default" }));
}

function declaredProviders(root: MapNode): string[] {
  const providers = root.entries.get("providers");
  return providers?.kind === "map" ? [...providers.entries.keys()] : [];
}

const metricsDefault = "/metrics";

/** Paths of the API are not given away (behaviour 5.6). */
function metricsEndpoint(
  endpoint: string,
  root: MapNode,
): { readonly endpoint: string; readonly problems: readonly ConfigProblem[] } {
  if (endpoint !== "" && !/^\/(?:v1|p|mcp|health|admin|version)(?:\/|$)/.test(endpoint))
    return { endpoint, problems: [] };
  const path = ["metrics", "endpoint"];
  const where = whereText(nodeAt(root, path).node.origin, path);
  const message = `"${endpoint === "" ? "/" : endpoint}" belongs to the API; metrics are at ${metricsDefault}`;
  return { endpoint: metricsDefault, problems: [{ where, message, severity: "warning" }] };
}
