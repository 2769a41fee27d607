// Changes the code of failures, routing and the sweep in one place at a time and tells which changes no unit test notices.
//
//   npm run test:mutation                all parts
//   npm run test:mutation -- routing     only the parts named

import path from "node:path";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import { findBun } from "./find-bun.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** The mutants of a part are judged by the quick tests beside it alone: no socket, no file, milliseconds each. */
const parts = [
  { name: "core", files: ["src/core/failure-rules.ts", "src/core/retry-wait.ts"] },
  { name: "gateway", files: ["src/gateway/*.ts"] },
  { name: "resilience", files: ["src/resilience/*.ts"] },
  { name: "routing", files: ["src/routing/*.ts"] },
];
/** Left out: what it finds in two seconds, the exhaustive test beside it finds at once. */
const slowTest = "100,000 random sequences";

const bun = findBun(root);
if (bun === undefined) throw new Error("Bun is not installed: run npm install");
process.chdir(root);
const names = process.argv.slice(2);
const begun = performance.now();
const results = [];
for (const part of parts) {
  if (names.length > 0 && !names.includes(part.name)) continue;
  const mutants = await run(part);
  list(mutants);
  results.push(...mutants);
}
sum(results);

function run({ name, files }) {
  // A mutant that makes a promise hang costs the time limit of one test.
  const options = `--bail --timeout=1500 --test-name-pattern="^(?!.*${slowTest})"`;
  return new Stryker({
    mutate: [...files, "!src/**/*.test.ts"],
    testRunner: "command",
    commandRunner: { command: `"${bun}" --no-env-file --no-install --config=bunfig.toml test ${options} src/${name}/` },
    // Mutants live in a copy of what these tests need, never in the tree itself.
    tempDirName: ".cache/mutation",
    cleanTempDir: "always",
    ignorePatterns: ["**", "!src/**/*.ts", "!test/support/*.ts", "!package.json", "!bunfig.toml"],
    // It cannot read the project file with TypeScript 7, and Bun runs mutants without checking types.
    tsconfigFile: "none.json",
    disableTypeChecks: false,
    concurrency: 1,
    timeoutMS: 5000,
    reporters: ["progress-append-only"],
    logLevel: "warn",
    allowConsoleColors: false,
  }).runMutationTest();
}

/** Everything that was not noticed by a failing test. */
function list(mutants) {
  for (const { status, fileName, location, mutatorName, replacement } of mutants) {
    if (status === "Killed") continue;
    const { line, column } = location.start;
    const place = `${path.relative(root, fileName)}:${line + 1}:${column + 1}`;
    console.log(`${status} ${place} ${mutatorName}: ${replacement.replace(/\s+/g, " ")}`);
  }
}

function sum(mutants) {
  const count = (status) => mutants.filter((mutant) => mutant.status === status).length;
  const killed = count("Killed") + count("Timeout");
  const survived = mutants.length - killed;
  const score = ((100 * killed) / Math.max(1, mutants.length)).toFixed(1);
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  console.log(
    `\n${killed} killed (${count("Timeout")} by the time limit), ${survived} survived: ${score} % in ${minutes} min`,
  );
}
