// The configuration of this process: its variables, its files, and what is wrong with them.

import { readFileSync, statSync } from "node:fs";
import type { Config } from "./config/config.ts";
import { loadConfig } from "./config/load.ts";
import type { ProviderTypeInfo } from "./core/provider-config.ts";
import { validateVirtualModels } from "./routing/validate.ts";

/** Reads everything anew; problems are part of the answer. */
export function readConfiguration(configPath: string | undefined, providerTypes: readonly ProviderTypeInfo[]) {
  return loadConfig({
    env: process.env,
    configPath,
    cwd: process.cwd(),
    readFile,
    directoryExists: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
    platform: process.platform,
    providerTypes,
  });
}

function readFile(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path, "utf8");
}

/** What is wrong with the virtual models as a whole. */
export function routingProblems({ virtualModels, providers }: Pick<Config, "providers" | "virtualModels">) {
  return validateVirtualModels(
    virtualModels,
    providers.map(({ name }) => name),
  );
}
