// Where the gateway's CPU time goes in one scenario: by thread, by folder, by function.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CpuProfile, type ProfileLine, selfTimes } from "./cpu-profile.ts";
import { cpuSince, readCpu, type ThreadTime } from "./cpu-meter.ts";
import { loadOf } from "./apply-load.ts";
import { compareAnswers } from "./compare-answers.ts";
import { answerOf, type Scenario, variantOf } from "./scenarios.ts";
import { startSubject } from "./subjects.ts";
import { warmUp } from "./warm-up.ts";

const root = dirname(import.meta.dir);
const samplingMicroseconds = 250;
const warmUpMs = 8000;
const measuredMs = 4000;
const shownFunctions = 40;

export interface ProfileResult {
  readonly scenario: Scenario;
  readonly answers: number;
  readonly threads: readonly ThreadTime[];
  readonly lines: readonly ProfileLine[];
}

export async function profileScenario(
  scenario: Scenario,
  upstreamPort: number,
  core: number | undefined,
  useWrk: boolean,
): Promise<ProfileResult> {
  const folder = mkdtempSync(join(tmpdir(), "gomodel-bench-profile-"));
  try {
    const begun = performance.now();
    const gateway = await startSubject("gateway", {
      upstreamPort,
      answer: answerOf(scenario),
      caller: scenario.caller,
      gateway: variantOf(scenario),
      core,
      // Bun reads these as if they stood on its command line, which belongs to the launcher.
      gatewayEnv: {
        BUN_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-name=gateway.cpuprofile --cpu-prof-interval=${samplingMicroseconds}`,
      },
    });
    const pid = gateway.pid ?? 0;
    const loadBy = useWrk && scenario.stream === undefined ? "wrk" : "own";
    let answers = 0;
    let threads: readonly ThreadTime[] = [];
    let warmUntil = 0;
    let measuredUntil = 0;
    try {
      const leastBodyBytes = await compareAnswers(scenario, [gateway]);
      const apply = loadOf(scenario, leastBodyBytes, loadBy);
      await warmUp(gateway, loadOf(scenario, leastBodyBytes, "own"), warmUpMs);
      warmUntil = performance.now() - begun;
      const before = readCpu(pid);
      answers = (await apply(gateway, measuredMs)).answers;
      measuredUntil = performance.now() - begun;
      threads = cpuSince(pid, before);
    } finally {
      await gateway.stop();
    }
    const profile: CpuProfile = await Bun.file(join(folder, "gateway.cpuprofile")).json();
    return { scenario, answers, threads, lines: selfTimes(profile, warmUntil, measuredUntil) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function profileReport({ scenario, answers, threads, lines }: ProfileResult): string {
  const perAnswer = (microseconds: number): string => (microseconds / answers).toFixed(2).padStart(9);
  const all = lines.reduce((sum, { selfMicroseconds }) => sum + selfMicroseconds, 0);
  const line = (microseconds: number, name: string): string =>
    `${perAnswer(microseconds)} ${((100 * microseconds) / all).toFixed(1).padStart(5)} %  ${name}`;
  const threadLines = threads
    .filter(({ microseconds }) => microseconds / answers >= 0.05)
    .toSorted((left, right) => right.microseconds - left.microseconds)
    .map(({ name, microseconds }) => `${perAnswer(microseconds)}          ${name}`);
  const folders = new Map<string, number>();
  for (const { callerFile, selfMicroseconds } of lines) {
    const folder = folderOf(callerFile);
    folders.set(folder, (folders.get(folder) ?? 0) + selfMicroseconds);
  }
  const folderLines = [...folders]
    .toSorted((left, right) => right[1] - left[1])
    .map(([folder, microseconds]) => line(microseconds, folder));
  const functionLines = lines
    .slice(0, shownFunctions)
    .map(({ name, caller, selfMicroseconds }) => line(selfMicroseconds, `${name}  ${caller}`.replace(`${root}/`, "")));
  return [
    `${scenario.name}: ${scenario.title}, ${answers} answers; microseconds per answer, the profiler's own cost included`,
    "\nCPU time by thread",
    ...threadLines,
    "\nMain thread by folder (native code counts for the folder that called it)",
    ...folderLines,
    "\nMain thread by function, self time",
    ...functionLines,
    "",
  ].join("\n");
}

function folderOf(file: string): string {
  const path = file.replace(`${root}/`, "");
  if (path.startsWith("node_modules/")) return path.split("/").slice(0, 2).join("/");
  return path === "" ? "native, called by nobody" : dirname(path);
}
