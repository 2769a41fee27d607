// CPU time and memory of a process, all of its threads, as the kernel accounts them.

import { readdirSync, readFileSync } from "node:fs";

/** Nanoseconds on a core by thread. */
export type CpuReading = ReadonlyMap<string, number>;

export interface ThreadTime {
  readonly name: string;
  readonly microseconds: number;
}

/** False where the kernel does not tell the time of single threads to the nanosecond: nothing can be measured there. */
export function canMeterCpu(): boolean {
  return textOf("/proc/self/schedstat") !== undefined;
}

/** User and system time so far. */
export function readCpu(pid: number): CpuReading {
  const times = new Map<string, number>();
  for (const thread of threadsOf(pid)) {
    const nanoseconds = textOf(`/proc/${pid}/task/${thread}/schedstat`)?.split(" ", 1)[0];
    if (nanoseconds !== undefined) times.set(thread, Number(nanoseconds));
  }
  return times;
}

/** By thread, since `before`. What a thread did that ended meanwhile is lost: long-lived runtimes end none under load. */
export function cpuSince(pid: number, before: CpuReading): readonly ThreadTime[] {
  return [...readCpu(pid)].map(([thread, nanoseconds]) => ({
    name: textOf(`/proc/${pid}/task/${thread}/comm`)?.trim() ?? "?",
    microseconds: (nanoseconds - (before.get(thread) ?? 0)) / 1000,
  }));
}

export function totalMicroseconds(threads: readonly ThreadTime[]): number {
  return threads.reduce((sum, { microseconds }) => sum + microseconds, 0);
}

/** Megabytes resident now; NaN when there is no such process. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`) ?? "")?.[1];
  return kilobytes === undefined ? Number.NaN : Number(kilobytes) / 1024;
}

/** Share of the machine's CPU time since `before` that other processes or the hypervisor took; see `readMachine`. */
export interface MachineReading {
  readonly busy: number;
  readonly stolen: number;
  readonly total: number;
}

/** In clock ticks since boot. */
export function readMachine(): MachineReading {
  const fields = (textOf("/proc/stat") ?? "").split("\n", 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, stolen = 0] = fields;
  const busy = user + nice + system + irq + softIrq;
  return { busy, stolen, total: busy + idle + wait + stolen };
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process or thread is gone, or this is not Linux.
    return undefined;
  }
}
