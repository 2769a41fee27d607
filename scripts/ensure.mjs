// Installs what is missing and only then: without dev dependencies for `npm start`, with them (--dev) for everything else.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findBun } from "./find-bun.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dev = process.argv.includes("--dev");

if (Number(process.versions.node.split(".")[0]) < 20) {
  fail(`Node ${process.versions.node} is too old to install the gateway: Node 20 or newer is needed.`);
}
if (!isInstalled()) {
  install();
  if (findBun(root) === undefined) {
    fail(`npm has no Bun for ${process.platform} on ${process.arch}, or was told to leave optional dependencies out.`);
  }
}
if (!dev) mkdirSync(path.join(root, "data"), { recursive: true });

/**
 * Compares what npm says it installed (its hidden lockfile, which it writes last) with the lockfile; no npm is started
 * for that, which alone would take longer than the gateway's start. Optional packages are for other machines, save Bun's binary.
 */
function isInstalled() {
  const installed = readPackages("node_modules/.package-lock.json");
  if (installed === undefined || findBun(root) === undefined) return false;
  return Object.entries(readPackages("package-lock.json") ?? {}).every(([place, wanted]) => {
    if (place === "" || wanted.optional || wanted.devOptional || (wanted.dev && !dev)) return true;
    return installed[place]?.version === wanted.version && existsSync(path.join(root, place, "package.json"));
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), "utf8")).packages;
  } catch {
    return undefined;
  }
}

function install() {
  process.stderr.write(`Installing ${dev ? "all" : "the gateway's"} dependencies ...\n`);
  // No package here needs its install script: bin/gomodel finds Bun where npm unpacked it.
  const args = ["ci", "--ignore-scripts", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  args.push(dev ? "--include=dev" : "--omit=dev");
  const npm = process.env.npm_execpath;
  const viaScript = npm !== undefined && /\.c?js$/.test(npm);
  const { status, error } = spawnSync(viaScript ? process.execPath : "npm", viaScript ? [npm, ...args] : args, {
    cwd: root,
    // What npm says while it installs is no output of the command that was asked for.
    stdio: ["ignore", process.stderr.fd, process.stderr.fd],
  });
  if (error !== undefined) fail(`npm could not be started (${error.message}): install npm and try again.`);
  if (status !== 0) fail("npm could not install the dependencies, see above: is the registry reachable from here?");
}

function fail(message) {
  process.stderr.write(`gomodel: ${message}\n`);
  process.exit(1);
}
