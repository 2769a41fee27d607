// Writes the generated files anew: `npm run generate`.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findBun } from "./find-bun.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bun = findBun(root);
if (bun === undefined) throw new Error("Bun is not installed: run npm install");
const args = ["--no-env-file", "--no-install", path.join(root, "scripts/generate-docs.ts")];
const { status } = spawnSync(bun, args, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
