// Where the gateway's CPU time goes in one scenario: by thread, by folder, by function.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CpuProfile, type ProfileLine, selfTimes } from "./cpu-profile.ts";
import { cpuSince, readCpu, type ThreadTime } from "./cpu-meter.ts";
import { compareAnswers, loadOf } from "./run-scenario.ts";
import { answerOf, type Scenario, variantOf } from "./scenarios.ts";
import { startSubject } from "./subjects.ts";

const root = dirname(import.meta.dir);
const samplingMicroseconds = 250;
const warmUpMs = 2000;
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
      const apply = loadOf(scenario, await compareAnswers(scenario, [gateway]), loadBy);
      await apply(gateway, warmUpMs);
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
  for (const { file, selfMicroseconds } of lines) {
    const folder = folderOf(file);
    folders.set(folder, (folders.get(folder) ?? 0) + selfMicroseconds);
  }
  const folderLines = [...folders]
    .toSorted((left, right) => right[1] - left[1])
    .map(([folder, microseconds]) => line(microseconds, folder));
  const functionLines = lines
    .slice(0, shownFunctions)
    .map(({ name, file, line: at, selfMicroseconds }) => line(selfMicroseconds, `${name}  ${short(file)}:${at}`));
  return [
    `${scenario.name}: ${scenario.title}, ${answers} answers; microseconds per answer, the profiler's own cost included`,
    "\nCPU time by thread",
    ...threadLines,
    "\nMain thread by folder (time in native code counts for the function that called it, or as native)",
    ...folderLines,
    "\nMain thread by function, self time",
    ...functionLines,
    "",
  ].join("\n");
}

function short(file: string): string {
  return file.replace("file://", "").replace(`${root}/`, "") || "native";
}

function folderOf(file: string): string {
  const path = short(file);
  if (path.startsWith("src/")) return dirname(path);
  return path.startsWith("node_modules/") ? path.split("/").slice(0, 2).join("/") : path.replace(/:.*/, "");
}
