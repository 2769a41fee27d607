// One scenario: its subjects side by side, loaded in turn, several rounds.

import { type ApplyLoad, loadOf } from "./apply-load.ts";
import { compareAnswers } from "./compare-answers.ts";
import { cpuSince, readCpu, residentMegabytes, totalMicroseconds } from "./cpu-meter.ts";
import type { LoadResult } from "./load.ts";
import { answerOf, type Scenario, variantOf } from "./scenarios.ts";
import { startSubject, type Subject, type SubjectName } from "./subjects.ts";
import { warmUp } from "./warm-up.ts";

/** One load on one subject. */
export interface Round {
  readonly load: LoadResult;
  /** Of the subject, per answer; NaN where there is no process. */
  readonly cpuMicroseconds: number;
  /** The same for its busiest thread alone. */
  readonly mainThreadMicroseconds: number;
  /** The most that was seen while it ran. */
  readonly megabytes: number;
}

export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly loadBy: "wrk" | "own";
  readonly rounds: ReadonlyMap<SubjectName, readonly Round[]>;
}

export interface RunSettings {
  readonly subjects: readonly SubjectName[];
  readonly upstreamPort: number;
  readonly core: number | undefined;
  readonly rounds: number;
  readonly roundMs: number;
  /** At most. */
  readonly warmUpMs: number;
  readonly useWrk: boolean;
}

/** Rows wait up to 250 ms for the database: what they cost belongs to the round that made them. */
const settleMs = 350;
const memoryEveryMs = 100;

/** Throws when a subject does not pass on the upstream's answer as it is. */
export async function runScenario(scenario: Scenario, settings: RunSettings): Promise<ScenarioResult> {
  const subjects: Subject[] = [];
  try {
    const { upstreamPort, core } = settings;
    const place = {
      upstreamPort,
      answer: answerOf(scenario),
      caller: scenario.caller,
      gateway: variantOf(scenario),
      core,
    };
    const starts = await Promise.allSettled(settings.subjects.map((name) => startSubject(name, place)));
    for (const start of starts) if (start.status === "fulfilled") subjects.push(start.value);
    for (const start of starts) if (start.status === "rejected") throw start.reason;
    const leastBodyBytes = await compareAnswers(scenario, subjects);
    const loadBy = settings.useWrk && scenario.stream === undefined ? "wrk" : "own";
    const apply = loadOf(scenario, leastBodyBytes, loadBy);

    const rounds = new Map<SubjectName, Round[]>(subjects.map(({ name }) => [name, []]));
    // wrk's shortest run is a second: too coarse to see when a process is warm.
    for (const subject of subjects) await warmUp(subject, loadOf(scenario, leastBodyBytes, "own"), settings.warmUpMs);
    for (let round = 0; round < settings.rounds; round++) {
      for (const subject of subjects) {
        // Nothing is divided by the figures of these two.
        if (round > 0 && (subject.name === "straight" || subject.name === "nginx")) continue;
        rounds.get(subject.name)?.push(await measure(subject, apply, settings.roundMs));
      }
    }
    return { scenario, loadBy, rounds };
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
  }
}

async function measure(subject: Subject, apply: ApplyLoad, durationMs: number): Promise<Round> {
  const { pid } = subject;
  if (pid === undefined) {
    const nothing = { cpuMicroseconds: Number.NaN, mainThreadMicroseconds: Number.NaN, megabytes: Number.NaN };
    return { load: await apply(subject, durationMs), ...nothing };
  }
  let megabytes = 0;
  const sample = (): void => {
    megabytes = Math.max(megabytes, residentMegabytes(pid));
  };
  const sampling = setInterval(sample, memoryEveryMs);
  const before = readCpu(pid);
  const load = await apply(subject, durationMs);
  sample();
  clearInterval(sampling);
  if (subject.name === "gateway") await Bun.sleep(settleMs);
  const threads = cpuSince(pid, before);
  const answers = Math.max(1, load.answers);
  return {
    load,
    cpuMicroseconds: totalMicroseconds(threads) / answers,
    mainThreadMicroseconds: Math.max(...threads.map(({ microseconds }) => microseconds)) / answers,
    megabytes,
  };
}
