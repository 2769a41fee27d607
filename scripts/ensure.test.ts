import { afterAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const scratch = mkdtempSync(path.join(tmpdir(), "gomodel-ensure-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const lockfile = {
  packages: {
    "": { name: "gomodel" },
    "node_modules/zod": { version: "4.0.0" },
    "node_modules/tool": { version: "1.0.0", dev: true },
    "node_modules/@oven/bun-elsewhere": { version: "1.4.5", optional: true },
  },
};

/** Stands in for npm: writes its arguments down and lays out what it was asked for. */
const fakeNpm = `
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
writeFileSync("npm-ran", process.argv.slice(2).join(" "));
if (process.env.NPM_FAILS) process.exit(1);
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const kept = {};
for (const [place, entry] of Object.entries(packages)) {
  if (place === "" || entry.optional || (entry.dev && process.argv.includes("--omit=dev"))) continue;
  kept[place] = entry;
  mkdirSync(place, { recursive: true });
  writeFileSync(place + "/package.json", "{}");
}
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: kept }));
if (process.env.NPM_WITHOUT_BUN) process.exit(0);
mkdirSync("node_modules/@oven/bun-here/bin", { recursive: true });
writeFileSync("node_modules/@oven/bun-here/bin/bun", Buffer.from("7f454c46", "hex"));
`;

function layOut(name: string): string {
  const root = path.join(scratch, name);
  mkdirSync(path.join(root, "scripts"), { recursive: true });
  for (const script of ["ensure.mjs", "find-bun.mjs"])
    cpSync(path.join(import.meta.dir, script), path.join(root, "scripts", script));
  writeFileSync(path.join(root, "npm.cjs"), fakeNpm);
  writeFileSync(path.join(root, "package-lock.json"), JSON.stringify(lockfile));
  return root;
}

/** Runs it and tells how npm was called; undefined when it was not. */
function ensure(root: string, args: string[] = [], environment: Record<string, string> = {}) {
  rmSync(path.join(root, "npm-ran"), { force: true });
  const env = { PATH: process.env["PATH"] ?? "", npm_execpath: path.join(root, "npm.cjs"), ...environment };
  const child = Bun.spawnSync(["node", "scripts/ensure.mjs", ...args], { cwd: root, env });
  const note = path.join(root, "npm-ran");
  const npm = existsSync(note) ? readFileSync(note, "utf8") : undefined;
  return { npm, status: child.exitCode, stderr: child.stderr.toString() };
}

test("start installs without dev dependencies and install scripts, creates data/, and next time does nothing", () => {
  const root = layOut("start");
  const first = ensure(root);
  expect(first.npm).toMatch(/^ci --ignore-scripts --include=optional .*--omit=dev$/);
  expect(first.status).toBe(0);
  expect(existsSync(path.join(root, "data"))).toBe(true);
  expect(ensure(root)).toEqual({ npm: undefined, status: 0, stderr: "" });
});

test("test installs the dev dependencies that start left out, and start is content with them", () => {
  const root = layOut("dev");
  ensure(root);
  expect(ensure(root, ["--dev"]).npm).toMatch(/--include=dev$/);
  expect(ensure(root, ["--dev"]).npm).toBeUndefined();
  expect(ensure(root).npm).toBeUndefined();
});

test("a changed lockfile, a removed package, an interrupted installation and a missing Bun are each installed anew", () => {
  const root = layOut("changed");
  ensure(root);
  const packages = { ...lockfile.packages, "node_modules/zod": { version: "4.0.1" } };
  writeFileSync(path.join(root, "package-lock.json"), JSON.stringify({ packages }));
  expect(ensure(root).npm).toBeDefined();
  for (const lost of ["node_modules/zod", "node_modules/.package-lock.json", "node_modules/@oven"]) {
    expect(ensure(root).npm).toBeUndefined();
    rmSync(path.join(root, lost), { recursive: true });
    expect(ensure(root).npm).toBeDefined();
  }
});

test("when npm fails the start stops and says what to look at", () => {
  const root = layOut("fails");
  const { status, stderr } = ensure(root, [], { NPM_FAILS: "1" });
  expect(status).toBe(1);
  expect(stderr).toContain("npm could not install the dependencies");
});

test("a platform without Bun is named", () => {
  const root = layOut("platform");
  const { status, stderr } = ensure(root, [], { NPM_WITHOUT_BUN: "1" });
  expect(status).toBe(1);
  expect(stderr).toContain(`npm has no Bun for ${process.platform} on ${process.arch}`);
});
