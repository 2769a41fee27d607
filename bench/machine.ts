// What the figures were measured on, and how quiet it was.

import { cpus } from "node:os";
import { canMeterCpu, readMachine } from "./cpu-meter.ts";
import type { Cores } from "./cores.ts";

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly bun: string;
  readonly pinned: boolean;
  /** Percent of the machine's CPU time that others took while the benchmark did nothing. */
  readonly othersPercent: number;
}

const sampleMs = 1000;
/** Above it figures are not worth comparing. */
const noisyPercent = 5;

/** Takes a second. Throws where CPU time cannot be read. */
export async function describeMachine(cores: Cores | undefined): Promise<Machine> {
  if (!canMeterCpu())
    throw new Error("the benchmark reads CPU times from /proc/PID/task/TID/schedstat: it needs Linux");
  const all = cpus();
  return {
    processor: all[0]?.model ?? "unknown",
    cores: all.length,
    bun: Bun.version,
    pinned: cores !== undefined,
    othersPercent: await measureOthers(),
  };
}

/** Percent of the machine's CPU time that is taken while the benchmark does nothing. Takes a second. */
export async function measureOthers(): Promise<number> {
  const before = readMachine();
  await Bun.sleep(sampleMs);
  const after = readMachine();
  const taken = after.busy - before.busy + after.stolen - before.stolen;
  return (100 * taken) / Math.max(1, after.total - before.total);
}

/** `when`: of the look, such as `before the start`. */
export function noiseLine(othersPercent: number, when: string): string {
  const share = `${othersPercent.toFixed(0)} % of the machine was taken by others ${when}`;
  return othersPercent > noisyPercent ? `${share}: the figures are NOISY.\n` : `${share}.\n`;
}

export function machineLines({ processor, cores, bun, pinned, othersPercent }: Machine): string {
  const pinning = pinned
    ? "The process under test has a core of its own; load and upstream share another."
    : "No core pinning: taskset or a second core is missing.";
  return `${processor}, ${cores} cores, Bun ${bun}. ${pinning}\n${noiseLine(othersPercent, "before the start")}`;
}
