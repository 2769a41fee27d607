// Starts the benchmark on the Bun that npm installed: `npm run bench -- --help`.

import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findBun } from "../scripts/find-bun.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bun = findBun(root);
if (bun === undefined) throw new Error("Bun is not installed: run npm install");
const args = ["--no-env-file", "--no-install", `--config=${path.join(root, "bunfig.toml")}`];
const child = spawn(bun, [...args, path.join(root, "bench/main.ts"), ...process.argv.slice(2)], { stdio: "inherit" });
// The benchmark ends its own processes; this one waits for it instead of leaving first.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("close", (status) => {
  process.exitCode = status ?? 1;
});
