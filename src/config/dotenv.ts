// A `.env` file -> variables with their lines.

import type { ConfigProblem } from "../core/config-problem.ts";

export interface FileVariable {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

const assignmentPattern = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/;

/** One `NAME=value` per line; quotes are taken off, ` #` starts a comment outside them, nothing is expanded. A later line wins. */
export function readDotenv(
  text: string,
  file: string,
): { readonly variables: readonly FileVariable[]; readonly problems: readonly ConfigProblem[] } {
  const variables: FileVariable[] = [];
  const problems: ConfigProblem[] = [];
  for (const [index, row] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(?:#|$)/.test(row)) continue;
    const match = assignmentPattern.exec(row);
    if (match === null) {
      // The row may hold a secret, so it is not repeated.
      problems.push({
        where: `${file}:${index + 1}`,
        message: "is not NAME=value; the line is ignored",
        severity: "warning",
      });
      continue;
    }
    variables.push({ name: match[1] ?? "", value: unquote(match[2] ?? ""), line: index + 1 });
  }
  return { variables, problems };
}

function unquote(value: string): string {
  const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')(?:\s+#.*)?$/.exec(value);
  if (quoted === null) return value.replace(/(?:^|\s+)#.*$/, "");
  if (quoted[2] !== undefined) return quoted[2];
  return (quoted[1] ?? "").replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
}
