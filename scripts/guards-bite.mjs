// Proves that every check bites: plants one violation of each kind in a small clean tree and sees it reported.

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checks, run, runCheck } from "./checks.mjs";
import { cleanTree, failingTests, plants } from "./lint/planted-violations.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const tree = mkdtempSync(path.join(tmpdir(), "gomodel-guards-"));
const problems = [];
try {
  layOutCleanTree();
  for (const check of checks) {
    const { status, output } = await runCheck(check, tree);
    if (status !== 0) problems.push(`${check.name} fails on the clean tree:\n${output}`);
  }
  await expectTestRun("src/gateway/answer", 0, "1 passed, 0 failed");

  for (const { files } of plants) for (const [file, text] of Object.entries(files)) write(file, text);
  for (const check of checks) await expectReports(check);
  for (const [file, text] of Object.entries(failingTests)) {
    write(file, text);
    await expectTestRun(file, 1, "0 passed, 1 failed");
  }
} finally {
  rmSync(tree, { recursive: true, force: true });
}
if (problems.length > 0) {
  console.log(problems.join("\n\n"));
  process.exitCode = 1;
} else {
  const planted = plants.length + Object.keys(failingTests).length;
  console.log(`${planted} violations planted, ${planted} reported`);
}

function layOutCleanTree() {
  symlinkSync(path.join(root, "node_modules"), path.join(tree, "node_modules"));
  for (const name of [".oxlintrc.json", ".oxfmtrc.json", "tsconfig.json", "knip.json", "bunfig.toml", "scripts"]) {
    // The scripts in TypeScript need a whole src/, the mutation run a package that the small tree does not name.
    const filter = (file) => !file.endsWith(".ts") && path.basename(file) !== "mutation.mjs";
    cpSync(path.join(root, name), path.join(tree, name), { recursive: true, filter });
  }
  for (const [file, text] of Object.entries(cleanTree)) write(file, text);
}

function write(file, text) {
  mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
  writeFileSync(path.join(tree, file), text);
}

async function expectReports(check) {
  const { status, output } = await runCheck(check, tree);
  if (status === 0) problems.push(`${check.name} passes with violations planted`);
  const lines = output.split("\n");
  for (const { what, by, reported } of plants.filter((plant) => plant.by === check.name)) {
    if (!lines.some((line) => reported.every((part) => line.includes(part)))) {
      problems.push(`${by} does not report ${what}: no line with ${reported.join(" and ")} in\n${output}`);
    }
  }
}

async function expectTestRun(word, expectedStatus, expectedLine) {
  const { status, stdout } = await run(process.execPath, ["scripts/test.mjs", word], { cwd: tree });
  const lastLine = stdout.trimEnd().split("\n").at(-1);
  if (status !== expectedStatus || lastLine !== expectedLine) {
    problems.push(
      `a run of ${word} ends in "${lastLine}" and ${status}, not in "${expectedLine}" and ${expectedStatus}`,
    );
  }
}
