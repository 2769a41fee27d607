// One scenario: its subjects side by side, loaded in turn, several rounds.

import { cpuSince, readCpu, residentMegabytes, totalMicroseconds } from "./cpu-meter.ts";
import { masterKey } from "./gateway-settings.ts";
import type { LoadResult } from "./load.ts";
import { runOwnLoad } from "./own-load.ts";
import { encodeRequests } from "./requests.ts";
import { answerOf, type Scenario, variantOf } from "./scenarios.ts";
import { startSubject, type Subject, type SubjectName } from "./subjects.ts";
import { runWrkLoad } from "./wrk-load.ts";

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
    for (const name of settings.subjects) {
      subjects.push(
        await startSubject(name, {
          upstreamPort: settings.upstreamPort,
          answer: answerOf(scenario),
          gateway: variantOf(scenario),
          core: settings.core,
        }),
      );
    }
    const leastBodyBytes = await compareAnswers(scenario, subjects);
    const loadBy = settings.useWrk && scenario.stream === undefined ? "wrk" : "own";
    const apply = loadOf(scenario, leastBodyBytes, loadBy);

    const rounds = new Map<SubjectName, Round[]>(subjects.map(({ name }) => [name, []]));
    for (const subject of subjects) if (subject.pid !== undefined) await apply(subject, settings.warmUpMs);
    for (let round = 0; round < settings.rounds; round++) {
      for (const subject of subjects) rounds.get(subject.name)?.push(await measure(subject, apply, settings.roundMs));
    }
    return { scenario, loadBy, rounds };
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
  }
}

export type ApplyLoad = (subject: Subject, durationMs: number, maxRequests?: number) => Promise<LoadResult>;

/** How the scenario loads a subject. */
export function loadOf(scenario: Scenario, leastBodyBytes: number, loadBy: "wrk" | "own"): ApplyLoad {
  const { connections, bodyBytes, stream } = scenario;
  return (subject, durationMs, maxRequests) => {
    const requests = encodeRequests({ path: subject.path, bodyBytes, stream: stream !== undefined, key: masterKey });
    const load = { port: subject.port, requests, connections, durationMs };
    if (loadBy === "wrk") return runWrkLoad(load);
    return runOwnLoad({
      ...load,
      // Long enough for a connection each, and no longer than it takes until streams are at different events.
      spreadMs: stream?.kind === "paced" ? Math.min(stream.everyMs * 25, durationMs / 2) : 0,
      leastBodyBytes,
      latencyUntil: stream?.kind === "paced" ? "first-byte" : "end",
      ...(maxRequests === undefined ? {} : { maxRequests }),
    });
  };
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
  await Bun.sleep(settleMs);
  const threads = cpuSince(pid, before);
  const answers = Math.max(1, load.answers);
  return {
    load,
    cpuMicroseconds: totalMicroseconds(threads) / answers,
    mainThreadMicroseconds: Math.max(...threads.map(({ microseconds }) => microseconds)) / answers,
    megabytes,
  };
}

/** Every subject gives the caller the same bytes; returns how many. */
export async function compareAnswers(scenario: Scenario, subjects: readonly Subject[]): Promise<number> {
  const { bodyBytes, stream } = scenario;
  const texts = await Promise.all(
    subjects.map(async ({ name, port, path }) => {
      const [request] = encodeRequests({ path, bodyBytes, stream: stream !== undefined, key: masterKey });
      const body = request?.subarray(request.indexOf("\r\n\r\n") + 4) ?? "";
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${masterKey}`, "content-type": "application/json" },
        body,
      });
      return { name, text: `${answer.status} ${await answer.text()}` };
    }),
  );
  const [right] = texts;
  for (const { name, text } of texts) {
    if (text !== right?.text || !text.startsWith("200 ")) {
      throw new Error(
        `${scenario.name}: ${name} answers ${text.slice(0, 400)} instead of ${right?.text.slice(0, 400)}`,
      );
    }
  }
  return Buffer.byteLength(right?.text ?? "") - "200 ".length;
}
