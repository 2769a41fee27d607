// What the kernel says about a process: memory, and what it holds open.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface ProcessFigures {
  readonly descriptors: number;
  /** Of these descriptors. */
  readonly sockets: number;
  readonly rssMegabytes: number;
}

/** Linux only. Throws when there is no such process. */
export function figuresOf(pid: number): ProcessFigures {
  const names = readdirSync(`/proc/${pid}/fd`);
  const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return {
    descriptors: names.length,
    sockets: names.filter((name) => isSocket(`/proc/${pid}/fd/${name}`)).length,
    rssMegabytes: Number(rss) / 1024,
  };
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith("socket:");
  } catch {
    // Closed between the listing and the look.
    return false;
  }
}
