// Every check and every test, ending in one line that sums them: `N passed, N failed`.
//
//   npm test                     checks and tests
//   npm test -- src/routing      only the tests whose path contains one of the words
//   npm run test:long            the complete versions of tests: the files named *.long.ts

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checks, run, runCheck } from "./checks.mjs";
import { findBun } from "./find-bun.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const long = process.argv.includes("--long");
const words = process.argv.slice(2).filter((word) => word !== "--long");
const folders = ["src", "test", "scripts", "bench"];
/** Per test. Real sockets on a busy machine with two cores need more than Bun's 5 s. */
const timeoutMs = long ? 1_200_000 : 30_000;

let passed = 0;
let failed = 0;
if (!long && words.length === 0) await runChecks();
await runTests();
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function runChecks() {
  const bite = { name: "guards bite", start: () => run(process.execPath, ["scripts/guards-bite.mjs"], { cwd: root }) };
  const all = checks.map((check) => ({ name: check.name, start: () => runCheck(check, root) }));
  for (const { name, start } of [...all, bite]) {
    const begun = performance.now();
    const { status, output } = await start();
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    if (status === 0) passed++;
    else failed++;
    console.log(`${status === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
    if (status !== 0) console.log(output.trimEnd());
  }
}

async function runTests() {
  const files = testFiles().filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  if (files.length === 0) {
    if (words.length === 0) return;
    console.log(`no test file has any of these in its path: ${words.join(", ")}`);
    failed++;
    return;
  }
  await Promise.all(groupsOf(files).map((group) => runGroup(group)));
}

/** Those that talk over sockets mostly wait, the others compute: together they take little longer than the slower ones alone. */
function groupsOf(files) {
  const waits = (file) => file.startsWith("./test/e2e/") || file.startsWith("./test/crash/");
  if (long) return [files];
  return [files.filter(waits), files.filter((file) => !waits(file))].filter((group) => group.length > 0);
}

async function runGroup(files) {
  const scratch = mkdtempSync(path.join(tmpdir(), "gomodel-test-"));
  try {
    const report = path.join(scratch, "report.xml");
    const { status, output } = await runBun(files, report);
    process.stdout.write(output);
    const sums = existsSync(report) ? readSums(readFileSync(report, "utf8")) : { passed: 0, failed: 0 };
    passed += sums.passed;
    failed += sums.failed;
    // Bun also fails for what belongs to no test: a crash, an error between two tests, a file that does not load.
    if (status !== 0 && sums.failed === 0) failed++;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function testFiles() {
  const ending = long ? ".long.ts" : ".test.ts";
  return folders
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true }).map((name) => `./${folder}/${name}`))
    .filter((file) => file.endsWith(ending))
    .toSorted((left, right) => (left < right ? -1 : 1));
}

function runBun(files, report) {
  const bun = findBun(root);
  if (bun === undefined) throw new Error("Bun is not installed: run npm install");
  const args = ["--no-env-file", "--no-install", `--config=${path.join(root, "bunfig.toml")}`, "test"];
  args.push(`--timeout=${timeoutMs}`, "--reporter=junit", `--reporter-outfile=${report}`, ...files);
  // One at a time is shown as it comes, two are shown one after the other.
  const stdio = long || words.length > 0 ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"];
  return new Promise((resolve) => {
    const child = spawn(bun, args, { cwd: root, env: testEnvironment(), stdio });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("error", (error) => resolve({ status: 127, output: `${error.message}\n` }));
    child.on("close", (status) => resolve({ status: status ?? 1, output }));
  });
}

/** Keys and settings of whoever runs the tests must not become providers of a gateway under test. */
function testEnvironment() {
  const kept = ["PATH", "HOME", "TMPDIR", "TERM", "LANG", "CI", "NO_COLOR", "FORCE_COLOR"];
  const environment = { TZ: "UTC", BUN_CONFIG_MAX_HTTP_REQUESTS: "65535" };
  for (const [name, value] of Object.entries(process.env)) {
    if (kept.includes(name) || name.startsWith("GOMODEL_TEST_")) environment[name] = value;
  }
  return environment;
}

/** From the head of Bun's JUnit report. */
function readSums(xml) {
  const head = /<testsuites [^>]*>/.exec(xml)?.[0] ?? "";
  const count = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const notPassed = count("failures") + count("errors");
  return { passed: count("tests") - notPassed - count("skipped"), failed: notPassed };
}
