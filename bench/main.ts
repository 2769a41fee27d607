// The benchmark: reads its command line, measures, prints.

import { writeFileSync } from "node:fs";
import { help, type Options, readCommandLine } from "./command-line.ts";
import { findCores, moveThisProcessTo } from "./cores.ts";
import { figuresOf, type SubjectFigures, type Verdict, verdictsOf } from "./figures.ts";
import { growthReport, measureGrowth } from "./leak.ts";
import { describeMachine, machineLines, measureOthers, noiseLine } from "./machine.ts";
import { profileReport, profileScenario } from "./profile.ts";
import { scenarioBlock, tableHead, verdictTable } from "./report.ts";
import { runScenario } from "./run-scenario.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import { measureStart, targetStartMs } from "./start-time.ts";
import { availableSubjects, startUpstream } from "./subjects.ts";
import { isWrkInstalled } from "./wrk-load.ts";

let options: Options;
try {
  options = readCommandLine(process.argv.slice(2));
} catch (error) {
  process.stderr.write(
    `bench: ${error instanceof Error ? error.message : String(error)}\nTry npm run bench -- --help\n`,
  );
  process.exit(2);
}
if (options.task === "help") {
  process.stdout.write(help);
  process.exit(0);
}

const cores = findCores();
if (cores !== undefined) moveThisProcessTo(cores.others);
const machine = await describeMachine(cores);
process.stdout.write(machineLines(machine));
const chosen = scenarios.filter(({ name }) => options.names.includes(name));
const useWrk = options.useWrk && isWrkInstalled();
const upstream = await startUpstream();
try {
  switch (options.task) {
    case "compare":
      await compare();
      break;
    case "start": {
      const verdict = await startVerdict(9);
      process.stdout.write(verdictTable([verdict]));
      break;
    }
    case "leak": {
      const requests = options.quick ? 200_000 : 1_000_000;
      for (const scenario of chosen.slice(0, 1)) {
        process.stdout.write(growthReport(await measureGrowth(scenario, requests, upstream.port, cores?.tested)));
      }
      break;
    }
    case "profile":
      for (const scenario of chosen) {
        process.stdout.write(profileReport(await profileScenario(scenario, upstream.port, cores?.tested, useWrk)));
      }
      break;
  }
} finally {
  await upstream.stop();
}
process.exit();

async function compare(): Promise<void> {
  const subjects = availableSubjects();
  if (!subjects.includes("nginx")) process.stdout.write("nginx is not installed here and left out.\n");
  if (options.quick)
    process.stdout.write("A quick run: the runtime is still compiling, the gateway costs less later.\n");
  process.stdout.write(`Medians of ${options.rounds} rounds in turn.\n\n${tableHead()}`);
  const all: { scenario: Scenario; loadBy: string; figures: readonly SubjectFigures[] }[] = [];
  const verdicts: Verdict[] = [];
  for (const scenario of chosen) {
    const result = await runScenario(scenario, {
      ...options,
      subjects,
      upstreamPort: upstream.port,
      core: cores?.tested,
      useWrk,
    });
    const figures = figuresOf(result);
    process.stdout.write(scenarioBlock(result, figures));
    verdicts.push(...verdictsOf(result, figures));
    all.push({ scenario, loadBy: result.loadBy, figures });
  }
  verdicts.push(await startVerdict(options.quick ? 3 : 5));
  process.stdout.write(verdictTable(verdicts));
  const othersPercentAfter = await measureOthers();
  process.stdout.write(noiseLine(othersPercentAfter, "after the end"));
  if (options.jsonFile !== undefined) {
    writeFileSync(
      options.jsonFile,
      `${JSON.stringify({ machine, othersPercentAfter, scenarios: all, verdicts }, undefined, 2)}\n`,
    );
  }
  if (all.some(({ figures }) => figures.some(({ wrong }) => wrong > 0))) process.exitCode = 1;
}

async function startVerdict(starts: number): Promise<Verdict> {
  // A process has the cores of the one that starts it.
  if (cores !== undefined) moveThisProcessTo(cores.tested, cores.others);
  const startMs = await measureStart(upstream.port, starts);
  if (cores !== undefined) moveThisProcessTo(cores.others);
  return {
    what: "start to first answer, ms",
    value: startMs.toFixed(0),
    target: String(targetStartMs),
    ok: startMs <= targetStartMs,
  };
}
