// The benchmark's text: a block per scenario, then every target with its verdict.

import type { SubjectFigures, Verdict } from "./figures.ts";
import type { ScenarioResult } from "./run-scenario.ts";

const columns = [
  ["", 13],
  ["CPU us/req", 11],
  ["main thread", 12],
  ["ratio", 7],
  ["req/s", 9],
  ["p50 ms", 9],
  ["p99 ms", 9],
  ["+p50", 9],
  ["+p99", 9],
  ["RSS MB", 8],
] as const;

export function tableHead(): string {
  return `${row(columns.map(([title]) => title))}\n`;
}

export function scenarioBlock({ scenario, loadBy }: ScenarioResult, figures: readonly SubjectFigures[]): string {
  const { name, title, connections, stream } = scenario;
  const latency = stream?.kind === "paced" ? ", latency to the first event" : "";
  const heading = `${name}: ${title}, ${connections} at a time (${loadBy === "wrk" ? "wrk" : "own load"}${latency})`;
  const rows = figures.map((one) =>
    row([
      `  ${one.subject}`,
      figure(one.cpuMicroseconds),
      figure(one.mainThreadMicroseconds),
      Number.isNaN(one.ratio) ? "-" : one.ratio.toFixed(2),
      figure(one.perSecond),
      milliseconds(one.p50Ms),
      milliseconds(one.p99Ms),
      one.subject === "straight" ? "-" : milliseconds(one.addedP50Ms),
      one.subject === "straight" ? "-" : milliseconds(one.addedP99Ms),
      figure(one.megabytes),
    ]),
  );
  return `\n${heading}\n${rows.join("\n")}\n`;
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  const lines = verdicts.map(
    ({ what, value, target, ok }) =>
      `${ok ? "ok    " : "MISSED"}  ${what.padEnd(52)} ${value.padStart(7)}  <= ${target}`,
  );
  const missed = verdicts.filter(({ ok }) => !ok).length;
  return `\nTargets\n${lines.join("\n")}\n${verdicts.length - missed} ok, ${missed} missed\n`;
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, index) => {
      const width = columns[index]?.[1] ?? 0;
      return index === 0 ? cell.padEnd(width) : cell.padStart(width);
    })
    .join(" ");
}

/** Three digits that count. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return "-";
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

function milliseconds(value: number): string {
  return Number.isFinite(value) ? value.toFixed(value < 10 ? 3 : 1) : "-";
}
