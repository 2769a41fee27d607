// Which core does what, where `taskset` is there to say so: one for the process under test, another for all the rest.

import { readFileSync } from "node:fs";

export interface Cores {
  /** For the process under test. */
  readonly tested: number;
  /** For the load, the upstream and whatever else the benchmark runs. */
  readonly others: number;
}

/** Undefined without `taskset` or with one core only. */
export function findCores(): Cores | undefined {
  if (Bun.which("taskset") === null) return undefined;
  const [tested, others] = allowedCores();
  return tested === undefined || others === undefined ? undefined : { tested, others };
}

/** Moves this process, all of its threads, and so what it starts from now on. */
export function moveThisProcessTo(...cores: readonly number[]): void {
  Bun.spawnSync(["taskset", "-a", "-c", "-p", cores.join(","), String(process.pid)]);
}

/** The command, run on that core. */
export function onCore(core: number | undefined, command: readonly string[]): string[] {
  return core === undefined ? [...command] : ["taskset", "-c", String(core), ...command];
}

function allowedCores(): readonly number[] {
  const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "";
  return list.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}
