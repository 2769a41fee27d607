// Finds the YAML file: the one that was named, else `config/config.yaml`, else `config.yaml`.

import { resolve } from "node:path";
import type { ConfigProblem } from "../core/config-problem.ts";

const usualPlaces = ["config/config.yaml", "config.yaml"];
/** Looks right and would be passed over in silence. */
const nearMisses = ["config/config.yml", "config.yml"];

export interface ConfigFile {
  /** As messages call it; undefined: there is none. */
  readonly name: string | undefined;
  readonly text: string;
  readonly problems: readonly ConfigProblem[];
}

/** A named file must exist (behaviour 5.1, issue: `--config FILE`). */
export function findConfigFile(
  configPath: string | undefined,
  cwd: string,
  readFile: (path: string) => string | undefined,
): ConfigFile {
  const candidates = configPath === undefined ? usualPlaces : [configPath];
  for (const name of candidates) {
    try {
      const text = readFile(resolve(cwd, name));
      if (text !== undefined) return { name, text, problems: [] };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return withoutFile({ where: name, message: `cannot be read: ${reason}`, severity: "error" });
    }
  }
  if (configPath !== undefined) {
    return withoutFile({ where: "--config", message: `there is no file ${configPath}`, severity: "error" });
  }
  const miss = nearMisses.find((name) => exists(resolve(cwd, name), readFile));
  if (miss === undefined) return { name: undefined, text: "", problems: [] };
  const message = `is not read; rename it to ${miss.replace(/yml$/, "yaml")}, or name it with --config`;
  return withoutFile({ where: miss, message, severity: "warning" });
}

function exists(path: string, readFile: (path: string) => string | undefined): boolean {
  try {
    return readFile(path) !== undefined;
  } catch {
    return true;
  }
}

function withoutFile(problem: ConfigProblem): ConfigFile {
  return { name: undefined, text: "", problems: [problem] };
}
