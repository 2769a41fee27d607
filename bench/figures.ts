// What the rounds of a scenario come to.

import { medianOf } from "./load.ts";
import type { Round, ScenarioResult } from "./run-scenario.ts";
import type { SubjectName } from "./subjects.ts";

/** Medians over the rounds; NaN where nothing was measured. */
export interface SubjectFigures {
  readonly subject: SubjectName;
  readonly cpuMicroseconds: number;
  readonly mainThreadMicroseconds: number;
  /** CPU time as a multiple of the fetch proxy's in the same round. */
  readonly ratio: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Over the way straight to the upstream. */
  readonly addedP50Ms: number;
  readonly addedP99Ms: number;
  /** The most of all rounds. */
  readonly megabytes: number;
  readonly wrong: number;
}

export interface Verdict {
  readonly what: string;
  readonly value: string;
  readonly target: string;
  readonly ok: boolean;
}

/** Paced streams through the gateway that end per second, as a share of those straight from the upstream: less is no pace. */
const keptPace = 0.95;

export function figuresOf({ rounds }: ScenarioResult): readonly SubjectFigures[] {
  const baseline = rounds.get("fetch proxy") ?? [];
  const [straight] = rounds.get("straight") ?? [];
  return [...rounds].map(([subject, own]) => {
    const over = (figure: (round: Round, index: number) => number): number => medianOf(own.map(figure));
    const added = (figure: (round: Round) => number): number =>
      over((round) => (straight === undefined ? Number.NaN : figure(round) - figure(straight)));
    return {
      subject,
      cpuMicroseconds: over((round) => round.cpuMicroseconds),
      mainThreadMicroseconds: over((round) => round.mainThreadMicroseconds),
      ratio: over((round, index) => round.cpuMicroseconds / (baseline[index]?.cpuMicroseconds ?? Number.NaN)),
      perSecond: over(({ load }) => load.answers / load.seconds),
      p50Ms: over(({ load }) => load.p50Ms),
      p99Ms: over(({ load }) => load.p99Ms),
      addedP50Ms: added(({ load }) => load.p50Ms),
      addedP99Ms: added(({ load }) => load.p99Ms),
      megabytes: Math.max(...own.map(({ megabytes }) => megabytes)),
      wrong: own.reduce((sum, { load }) => sum + load.wrong, 0),
    };
  });
}

/** The gateway's figures against the scenario's targets. A wrong answer of anyone is a miss. */
export function verdictsOf({ scenario }: ScenarioResult, figures: readonly SubjectFigures[]): readonly Verdict[] {
  const gateway = figures.find(({ subject }) => subject === "gateway");
  const straight = figures.find(({ subject }) => subject === "straight");
  const verdicts: Verdict[] = [];
  const { name, connections, stream, targetRatio, targetMegabytes } = scenario;
  if (gateway !== undefined && targetRatio !== undefined) {
    // A process that gets too little of its core finds events in bunches, which is cheaper than one by one.
    const bunched =
      stream?.kind === "paced" && straight !== undefined && gateway.perSecond < straight.perSecond * keptPace;
    verdicts.push({
      what: `${name}: CPU per request against the fetch proxy${bunched ? " (void: too busy to keep the pace)" : ""}`,
      value: gateway.ratio.toFixed(2),
      target: targetRatio.toFixed(1),
      ok: gateway.ratio <= targetRatio && !bunched,
    });
  }
  if (gateway !== undefined && targetMegabytes !== undefined) {
    verdicts.push({
      what: `${name}: RSS at ${connections} connections, MB`,
      value: gateway.megabytes.toFixed(0),
      target: String(targetMegabytes),
      ok: gateway.megabytes <= targetMegabytes,
    });
  }
  for (const { subject, wrong } of figures) {
    if (wrong > 0)
      verdicts.push({ what: `${name}: wrong answers of ${subject}`, value: String(wrong), target: "0", ok: false });
  }
  return verdicts;
}
