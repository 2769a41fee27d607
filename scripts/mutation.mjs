// Changes the code of failures, routing and the sweep in one place at a time and fails for each change that no unit test notices.
//
//   npm run test:mutation                all parts
//   npm run test:mutation -- routing     only the parts named

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import { findBun } from "./find-bun.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** Lists the survivors that are meant to survive, each with its reason. */
const page = path.join(root, "docs/mutation.md");
/** The mutants of a part are judged by the quick tests beside it alone: no socket, no file, milliseconds each. */
const parts = [
  {
    name: "core",
    files: ["failure-rules", "retry-wait", "content-refusal", "add-usage"].map((file) => `src/core/${file}.ts`),
  },
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
let unlisted = 0;
for (const part of parts) {
  if (names.length > 0 && !names.includes(part.name)) continue;
  const mutants = await run(part);
  unlisted += report(mutants);
  results.push(...mutants);
}
sum(results);
if (unlisted > 0) {
  console.log(
    `${unlisted} of the survivors are not in docs/mutation.md: kill each by a test or list it with its reason`,
  );
  process.exitCode = 1;
}

function run({ name, files }) {
  const options = `--bail --test-name-pattern="^(?!.*${slowTest})"`;
  return new Stryker({
    mutate: [...files, "!src/**/*.test.ts"],
    testRunner: "command",
    commandRunner: {
      command: `"${bun}" --no-env-file --no-install --config=bunfig.toml test ${options} ${testsOf(name).join(" ")}`,
    },
    // Mutants live in a copy of what these tests need, never in the tree itself.
    tempDirName: ".cache/mutation",
    cleanTempDir: "always",
    ignorePatterns: ["**", "!src/**/*.ts", "!test/support/*.ts", "!package.json", "!bunfig.toml"],
    // It cannot read the project file with TypeScript 7, and Bun runs mutants without checking types.
    tsconfigFile: "none.json",
    disableTypeChecks: false,
    concurrency: 1,
    timeoutMS: 6000,
    reporters: ["progress-append-only"],
    logLevel: "warn",
    allowConsoleColors: false,
  }).runMutationTest();
}

/** Tables before properties and exhaustive searches: they notice most in a tenth of the time. */
function testsOf(name) {
  const files = readdirSync(path.join(root, "src", name)).filter((file) => file.endsWith(".test.ts"));
  const isSearch = (file) => /-(properties|proof)\./.test(file);
  return [...files.filter((file) => !isSearch(file)), ...files.filter(isSearch)].map((file) => `./src/${name}/${file}`);
}

/** Says every mutant that no test noticed, in the form of the page's lists; gives how many of them the page does not have. */
function report(mutants) {
  const listed = new Set(readFileSync(page, "utf8").split("\n"));
  let unlisted = 0;
  for (const { status, fileName, location, replacement } of mutants) {
    if (status === "Killed" || status === "Timeout") continue;
    const line = `${path.relative(root, fileName)} | ${inContext(fileName, location)} => ${onOneLine(replacement)}`;
    if (!listed.has(line)) unlisted++;
    console.log(`${listed.has(line) ? "listed" : "NEW   "} ${line} (line ${location.start.line}, ${status})`);
  }
  return unlisted;
}

/** The line that the mutant begins in, and what of it is replaced; both count from 1. */
function inContext(file, { start, end }) {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .slice(start.line - 1, end.line);
  const context = onOneLine(lines[0]);
  const last = lines.length - 1;
  lines[last] = lines[last].slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return `${context} | ${onOneLine(lines.join(" "))}`;
}

function onOneLine(code) {
  return code.replace(/\s+/g, " ").trim();
}

function sum(mutants) {
  const count = (status) => mutants.filter((mutant) => mutant.status === status).length;
  const killed = count("Killed") + count("Timeout");
  const score = ((100 * killed) / Math.max(1, mutants.length)).toFixed(1);
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  console.log(
    `\n${mutants.length} mutants, ${killed} killed (${count("Timeout")} by the time limit): ${score} % in ${minutes} min`,
  );
}
