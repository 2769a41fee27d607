// Where npm put Bun, found as bin/gomodel finds it.

import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import path from "node:path";

/** ELF, and Mach-O in its 64-bit and universal forms. */
const magics = ["7f454c46", "cffaedfe", "cafebabe"];

/** Path of the binary under `root`, or undefined when none is installed. */
export function findBun(root) {
  const scope = path.join(root, "node_modules/@oven");
  const packages = existsSync(scope) ? readdirSync(scope).filter((name) => name.startsWith("bun-")) : [];
  const candidates = [
    ...packages.toSorted().map((name) => path.join(scope, name, "bin/bun")),
    path.join(root, "node_modules/bun/bin/bun.exe"),
  ];
  return candidates.find(isProgram);
}

function isProgram(file) {
  if (!existsSync(file)) return false;
  const head = Buffer.alloc(4);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, head);
  } finally {
    closeSync(descriptor);
  }
  return magics.includes(head.toString("hex"));
}
