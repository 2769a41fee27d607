// The mutation run (`npm run test:mutation`): each change to failure, routing and sweep code must make a quick unit test fail.

import path from "node:path";
import { fileURLToPath } from "node:url";
import { findBun } from "./scripts/find-bun.mjs";

const root = path.dirname(fileURLToPath(import.meta.url));
const bun = findBun(root);
if (bun === undefined) throw new Error("Bun is not installed: run npm install");

/** The tests that decide about a mutant: no socket, no file, milliseconds each. */
const folders = ["src/core/", "src/gateway/", "src/resilience/", "src/routing/"];
/** Two seconds per run, and all it can find at this size the exhaustive test beside it finds first. */
const leftOut = "100,000 random sequences";

export default {
  mutate: [
    "src/core/failure-rules.ts",
    "src/core/retry-wait.ts",
    "src/gateway/*.ts",
    "src/resilience/*.ts",
    "src/routing/*.ts",
    "!src/**/*.test.ts",
  ],
  testRunner: "command",
  commandRunner: {
    command: `"${bun}" --no-env-file --no-install --config=bunfig.toml test --bail --test-name-pattern="^(?!.*${leftOut})" ${folders.join(" ")}`,
  },
  // Mutants live in a copy, of what these tests need and no more.
  tempDirName: ".cache/mutation/sandbox",
  ignorePatterns: ["**", "!src/**/*.ts", "!test/support/*.ts", "!package.json", "!bunfig.toml", "!tsconfig.json"],
  // Its own reading of the project file knows no TypeScript 7; Bun runs the mutants without checking types.
  tsconfigFile: "none.json",
  disableTypeChecks: false,
  checkers: [],
  concurrency: 1,
  timeoutMS: 5000,
  reporters: ["clear-text", "json", "html"],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  jsonReporter: { fileName: ".cache/mutation/report.json" },
  htmlReporter: { fileName: ".cache/mutation/report.html" },
  allowEmpty: false,
};
