// Problems as an operator reads them: errors first, one per line.

import type { ConfigProblem } from "../core/config-problem.ts";

/** `error: config.yaml:3 server.port: "abc" is not ...`, a line each. Empty without problems. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  const line = ({ severity, where, message }: ConfigProblem): string => `${severity}: ${where}: ${message}\n`;
  const errors = problems.filter(({ severity }) => severity === "error");
  const warnings = problems.filter(({ severity }) => severity === "warning");
  return [...errors, ...warnings].map(line).join("");
}
