// Upstream simulators to try the gateway against by hand: `node scripts/simulate.mjs 9001 gpt=status-503 9002 gpt=ok`.

import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findBun } from "./find-bun.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bun = findBun(root);
if (bun === undefined) throw new Error("Bun is not installed: run npm install");
const args = ["--no-env-file", "--no-install", path.join(root, "scripts/simulate.ts"), ...process.argv.slice(2)];
const child = spawn(bun, args, { cwd: root, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("close", (status) => {
  process.exitCode = status ?? 1;
});
