// A small file system of its own for a database, which a test can fill, make read-only or put another one on top of.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface MountedFolder {
  readonly path: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  empty(): void;
  /** Only while nobody has a file in it open for writing: the kernel refuses otherwise. */
  readOnly(): void;
  writable(): void;
  /** An empty read-only file system in the same place. */
  cover(): void;
  uncover(): void;
  dispose(): void;
}

const megabytes = 16;
const blockBytes = 65_536;

/**
 * Undefined, after a word about it, where this user must not mount; a test has nothing to prove there. Throws with `CI=true`,
 * where everything is proved.
 */
export function mountFolder(): MountedFolder | undefined {
  const outer = mkdtempSync(join(tmpdir(), "gomodel-disk-"));
  const path = join(outer, "data");
  mkdirSync(path);
  const refusal = run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "gomodel-test", path);
  if (refusal !== undefined) {
    rmSync(outer, { recursive: true });
    if (process.env["CI"] === "true") throw new Error(`CI must be able to mount a tmpfs: ${refusal}`);
    console.log(`NOT TESTED, for a tmpfs cannot be mounted here (it takes root): ${refusal}`);
    return undefined;
  }
  const ballast = join(path, "ballast");
  return {
    path,
    fill() {
      for (let size = blockBytes; size > 0; size = size > 512 ? size >> 1 : 0) append(ballast, size);
    },
    empty: () => rmSync(ballast),
    readOnly: () => must("mount", "-o", "remount,ro", path),
    writable: () => must("mount", "-o", "remount,rw", path),
    cover: () => must("mount", "-t", "tmpfs", "-o", "ro", "gomodel-test", path),
    uncover: () => must("umount", path),
    dispose() {
      must("umount", path);
      rmSync(outer, { recursive: true });
    },
  };
}

/** As often as there is room. */
function append(file: string, bytes: number): void {
  const block = new Uint8Array(bytes).fill(120);
  for (;;) {
    try {
      writeFileSync(file, block, { flag: "a" });
    } catch {
      return;
    }
  }
}

/** What it said, when it failed. */
function run(...command: string[]): string | undefined {
  try {
    const { exitCode, stderr } = Bun.spawnSync(command, { stdout: "ignore", stderr: "pipe" });
    return exitCode === 0 ? undefined : stderr.toString().trim();
  } catch (error) {
    return String(error);
  }
}

function must(...command: string[]): void {
  const trouble = run(...command);
  if (trouble !== undefined) throw new Error(`${command.join(" ")}: ${trouble}`);
}
