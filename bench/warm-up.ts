// Load before the measured one, until the runtime has compiled what it will compile.

import { cpuSince, readCpu, totalMicroseconds } from "./cpu-meter.ts";
import type { ApplyLoad } from "./apply-load.ts";
import type { Subject } from "./subjects.ts";

const sliceMs = 500;
/** Below this share of CPU time in compiler threads a process may be warm. */
const warmShare = 0.03;
/** So many slices in a row: the compilers pause now and then, above all where few requests come. */
const warmSlices = 6;
/** What the runtime calls the threads that compile. */
const compilerThread = /JIT/;

/** Does nothing for what compiles nothing. Gives up after about `maxMs`. What the compilers do later is part of the figures. */
export async function warmUp(subject: Subject, apply: ApplyLoad, maxMs: number): Promise<void> {
  const { name, pid } = subject;
  if (pid === undefined || name === "nginx") return;
  const begun = performance.now();
  let quietSlices = 0;
  while (quietSlices < warmSlices && performance.now() - begun < maxMs) {
    const before = readCpu(pid);
    await apply(subject, sliceMs);
    const threads = cpuSince(pid, before);
    const compiling = totalMicroseconds(threads.filter(({ name }) => compilerThread.test(name)));
    quietSlices = compiling < warmShare * totalMicroseconds(threads) ? quietSlices + 1 : 0;
  }
}
