// The house's checks: their commands, shared by the test run and by the proof that each of them bites.

import { spawn } from "node:child_process";
import path from "node:path";

/** Run at the repository's root; a tool is a command of node_modules/.bin. A check fails when its tool does. */
export const checks = [
  { name: "format", tool: "oxfmt", args: ["--check", "."] },
  // Types, import rule, cycles and the house's own rules: .oxlintrc.json, scripts/lint/.
  { name: "lint", tool: "oxlint", args: ["--deny-warnings", "--format=unix", "src", "test", "bench", "scripts"] },
  { name: "types", tool: "tsc", args: ["--project", "."] },
  { name: "dead code", tool: "knip", args: ["--no-progress"] },
  // A source file that only its own test imports is dead as well.
  { name: "dead files", tool: "knip", args: ["--no-progress", "--production", "--include", "files"] },
];

/** Runs one check in `root`; gives its exit status and everything it printed. */
export function runCheck({ tool, args }, root) {
  return run(path.join(root, "node_modules/.bin", tool), args, { cwd: root });
}

/** Runs a command to its end. `output` is both of its streams as they came, `stdout` the one alone. */
export function run(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
      stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", (error) => resolve({ status: 127, output: `${error.message}\n`, stdout }));
    child.on("close", (status) => resolve({ status: status ?? 1, output, stdout }));
  });
}
