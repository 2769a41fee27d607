// The variables that count: the process's own, then those of `.env`; empty ones count as unset.

import type { ConfigProblem } from "../core/config-problem.ts";
import { readDotenv } from "./dotenv.ts";
import type { Origin } from "./node.ts";

export interface Variable {
  readonly value: string;
  readonly origin: Origin;
}

export type Environment = ReadonlyMap<string, Variable>;

/** Behaviour 5.1: real variables win over `.env`. */
export function readEnvironment(
  real: Readonly<Record<string, string | undefined>>,
  dotenvText: string | undefined,
): { readonly environment: Environment; readonly problems: readonly ConfigProblem[] } {
  const environment = new Map<string, Variable>();
  const { variables, problems } = readDotenv(dotenvText ?? "", ".env");
  for (const { name, value, line } of variables) {
    if (value.trim() === "") environment.delete(name);
    else environment.set(name, { value, origin: { kind: "variable", name, at: { file: ".env", line } } });
  }
  for (const [name, value] of Object.entries(real)) {
    if (value === undefined || value.trim() === "") continue;
    environment.set(name, { value, origin: { kind: "variable", name, at: undefined } });
  }
  return { environment, problems };
}
