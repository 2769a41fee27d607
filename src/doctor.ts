// `gomodel doctor --faults`: every fault through the user's own configuration, in an instance apart from everything real.

import type { LoadedConfig } from "./config/load.ts";
import { suggestion } from "./config/did-you-mean.ts";
import type { Config } from "./config/config.ts";
import type { Dialect } from "./core/chat-request.ts";
import { type Clock, systemClock } from "./core/clock.ts";
import type { ConfigProblem } from "./core/config-problem.ts";
import { splitSelector, type Target, targetName } from "./core/target.ts";
import { usageExitCode } from "./cli/arguments.ts";
import { checkReport } from "./cli/check.ts";
import type { DoctorOptions } from "./cli/doctor/arguments.ts";
import { ask } from "./cli/doctor/ask.ts";
import { durationSettings, longestOf, speedFor } from "./cli/doctor/durations.ts";
import { allFaults, chosenFaults, type TestedFault } from "./cli/doctor/fault-list.ts";
import { countVerdicts, type Finding, type Findings, type Situation } from "./cli/doctor/findings.ts";
import { inParallel } from "./cli/doctor/in-parallel.ts";
import { jsonReport } from "./cli/doctor/json-report.ts";
import { judge } from "./cli/doctor/judge.ts";
import { createQuickClock } from "./cli/doctor/quick-clock.ts";
import { reportText } from "./cli/doctor/report.ts";
import type { Outcome } from "./cli/outcome.ts";
import { breakerStory } from "./doctor-breaker.ts";
import { isolated, type TestedModel, testableNames, testedModels } from "./doctor-config.ts";
import { startInstance } from "./doctor-instance.ts";
import { spokenBy } from "./doctor-wire.ts";
import type { AnswerMode } from "./upstream-simulator/asked.ts";
import { bothModes } from "./upstream-simulator/fault.ts";

/**
 * How many cases of a kind run at a time, and by how much slower than the rest. Providers that fall silent cost nothing but time. Where
 * there is work to do, no wait may be over before it is done. Megabytes must not wait for each other.
 */
const paces = {
  silent: { width: 40, slowdown: 1 },
  busy: { width: 12, slowdown: 4 },
  heavy: { width: 2, slowdown: 20 },
} as const;
const silentWords = /hang|stall|heartbeats|informational-endless|enormous|^status-10[03]$/;
const heavyWords =
  /^(?:gzip-bomb|json-endless|json-deep|line-endless|head-endless|chunk-size-endless|status-503-(?:large|unending)|large|event-large|comment-large|trickle|bytes|random-pieces)$/;
/** Faults that are about several choices. */
const severalChoices = ["two-choices", "cut-after-first-finish"];
/** How often progress is told. */
const progressEvery = 20;

interface Case {
  readonly model: TestedModel;
  readonly situation: Situation;
  readonly fault: TestedFault;
  readonly mode: AnswerMode;
}

/** `more` are problems of the routing. Progress goes to stderr where that is a terminal. */
export async function examineFaults(
  loaded: LoadedConfig,
  more: readonly ConfigProblem[],
  options: DoctorOptions,
): Promise<Outcome> {
  const check = checkReport(loaded, more);
  if (!loaded.ok || check.exitCode !== 0) return check;
  const failed = (exitCode: number, message: string): Outcome => ({
    exitCode,
    stdout: "",
    stderr: `${check.stderr}gomodel doctor: ${message}\n`,
  });
  if (loaded.config.providers.length === 0) {
    return failed(1, "no provider is configured; give one a key, as in OPENAI_API_KEY, or name a file with --config");
  }
  const wanted = wantedModels(loaded.config, options.models);
  if (typeof wanted === "string") return failed(options.models.length > 0 ? usageExitCode : 1, wanted);
  const { config, notes } = isolated(loaded.config, wanted.concrete);
  const durations = durationSettings(loaded.effective);
  const idleLimits = durations.filter(({ path, ms }) => path.endsWith("stream_idle_timeout") && ms > 0);
  const idleLimitMs = idleLimits.length === 0 ? 0 : Math.min(...idleLimits.map(({ ms }) => ms));
  const faults = chosenFaults(options.faults, allFaults(idleLimitMs));
  if (typeof faults === "string") return failed(usageExitCode, faults);

  const begun = systemClock.now();
  const speed = speedFor(durations);
  const routes = await testedModels(config, wanted.names, systemClock);
  const models = routes.filter((route) => typeof route !== "string");
  const unserved = routes.filter((route) => typeof route === "string");
  const [reason] = unserved;
  if (models.length === 0) return failed(1, `there is nothing to examine: ${reason}`);
  const patience = { longestMs: longestOf(durations) };
  const speaks = (target: Target): Dialect => spokenBy(config, target, systemClock);
  const findings = await runCases(config, casesOf(models, faults, speaks), speed, patience.longestMs);
  const breakers = await inParallel(models, paces.busy.width, (model) =>
    breakerStory(config, model, quickClock(speed), patience),
  );
  const all: Findings = {
    configFile: loaded.configFile,
    durations,
    speed,
    notes: [...notes, ...unserved],
    models: models.map(({ name, strategy, failover, targets }) => ({
      name,
      strategy,
      failover,
      targets: targets.map(targetName),
    })),
    findings,
    breakers,
    tookMs: systemClock.now() - begun,
  };
  return {
    exitCode: countVerdicts(findings).wrong === 0 ? 0 : 1,
    stdout: options.json ? jsonReport(all) : reportText(all),
    stderr: check.stderr,
  };
}

/** A sentence when a name means nothing. */
function wantedModels(
  config: Config,
  asked: readonly string[],
): { readonly names: readonly string[]; readonly concrete: readonly Target[] } | string {
  const known = testableNames(config);
  if (asked.length === 0) {
    return known.length > 0
      ? { names: known, concrete: [] }
      : "there is no virtual model, and no provider lists models; name one with --model provider/model";
  }
  const concrete: Target[] = [];
  for (const name of asked) {
    if (known.includes(name)) continue;
    const target = splitSelector(name);
    if (target === undefined || !config.providers.some((provider) => provider.name === target.providerName)) {
      const there = known.length === 0 ? "" : `; there are: ${known.join(", ")}`;
      return `"${name}" is neither a virtual model nor provider/model of a configured provider${suggestion(name, known)}${there}`;
    }
    concrete.push(target);
  }
  return { names: asked, concrete };
}

/** A fault that one of the faulty providers has no form of in its dialect is left out. */
function casesOf(
  models: readonly TestedModel[],
  faults: readonly TestedFault[],
  speaks: (target: Target) => Dialect,
): Case[] {
  return models.flatMap((model) => {
    const situations: readonly Situation[] =
      model.targets.length > 1 ? ["first-faulty", "all-faulty"] : ["first-faulty"];
    return situations.flatMap((situation) => {
      const spoken = [...new Set(faultyOf(model, situation).map(speaks))];
      return faults.flatMap((fault) =>
        bothModes
          .filter((mode) => spoken.every((dialect) => fault.modesIn(dialect).includes(mode)))
          .map((mode) => ({ model, situation, fault, mode })),
      );
    });
  });
}

function faultyOf({ targets }: TestedModel, situation: Situation): readonly Target[] {
  return situation === "all-faulty" ? targets : targets.slice(0, 1);
}

async function runCases(config: Config, cases: readonly Case[], speed: number, longestMs: number): Promise<Finding[]> {
  let done = 0;
  const progress = (): void => {
    done += 1;
    if (process.stderr.isTTY !== true || (done % progressEvery !== 0 && done !== cases.length)) return;
    process.stderr.write(done === cases.length ? "\r\u001b[K" : `\r${done} of ${cases.length} requests`);
  };
  const findings: Finding[] = [];
  const numbered = cases.map((one, index) => ({ one, index, pace: paceOf(one.fault.word) }));
  const runAll = async (pace: Pace): Promise<void> => {
    const jobs = numbered.filter((job) => job.pace === pace);
    await inParallel(jobs, paces[pace].width, async ({ one, index }) => {
      const clock = quickClock(Math.max(1, speed / paces[pace].slowdown));
      findings[index] = await runCase(config, one, clock, longestMs);
      progress();
    });
  };
  await Promise.all([runAll("silent"), runAll("busy")]);
  await runAll("heavy");
  return findings;
}

type Pace = keyof typeof paces;

function paceOf(word: string): Pace {
  if (heavyWords.test(word)) return "heavy";
  return silentWords.test(word) ? "silent" : "busy";
}

function quickClock(speed: number): Clock {
  return createQuickClock({ clock: systemClock, speed, nextTurn: (callback) => setImmediate(callback) });
}

async function runCase(config: Config, one: Case, clock: Clock, longestMs: number): Promise<Finding> {
  const { model, situation, fault, mode } = one;
  const { targets } = model;
  const faulty = faultyOf(model, situation);
  const instance = startInstance(config, model.reachable, clock);
  try {
    for (const target of faulty) instance.setFault(target, fault.word);
    const seen = await ask({
      url: instance.url,
      model: model.name,
      mode,
      choices: severalChoices.includes(fault.description.name) ? 2 : 1,
      // Each target may use up the longest limit; what goes on after that goes on for ever.
      patienceMs: (targets.length + 2) * Math.max(longestMs, 1000),
      clock,
    });
    const outcome = judge({
      mode,
      seen,
      calls: instance.calls(),
      faulty,
      fault: fault.description,
      speaks: (target) => spokenBy(config, target, clock),
      bugs: instance.bugs,
    });
    const told = "message" in outcome ? { ...outcome, message: instance.realAddresses(outcome.message) } : outcome;
    return { model: model.name, situation, family: fault.family, fault: fault.word, mode, outcome: told };
  } finally {
    await instance.stop();
  }
}
