// `--check`: the effective configuration and what the resilience profile decided, or everything that is wrong with it.

import type { ConfigProblem } from "../core/config-problem.ts";
import { describeSettings } from "../config/describe.ts";
import { formatProblems } from "../config/format-problems.ts";
import type { LoadedConfig } from "../config/load.ts";
import { profileRows } from "../config/profile-rows.ts";
import type { Outcome } from "./outcome.ts";
import { profileTable } from "./profile-table.ts";

/** `more` are problems found by others, such as cycles of virtual models. Warnings do not fail the check. */
export function checkReport(loaded: LoadedConfig, more: readonly ConfigProblem[] = []): Outcome {
  const problems = [...loaded.problems, ...more];
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const listing = formatProblems(problems);
  if (!loaded.ok || errors > 0) {
    const count = errors === 1 ? "1 error" : `${errors} errors`;
    return { exitCode: 1, stdout: "", stderr: `${listing}The configuration has ${count}.\n` };
  }
  const file = loaded.configFile ?? "none";
  return {
    exitCode: 0,
    stdout: `# Configuration file: ${file}\n${describeSettings(loaded.effective)}\n${profileTable(profileRows(loaded.effective))}`,
    stderr: listing,
  };
}
