// What must hold after every kill, and the figures of all of them in one line.

import { expect } from "bun:test";
import type { KillOutcome } from "./kill-cycles.ts";
import { spread } from "./spread.ts";

/** The flush interval as shipped; rows recorded since the last flush may be gone. */
const flushIntervalMs = 250;
/** For the batch that was being written, on a machine that does other things as well. */
const writingMs = 750;
/** A batch that waits, one that is being written, and what comes meanwhile. */
const windowRows = 400;
/** A start takes less than a second; a busy machine gets ten times as long. */
const startLimitMs = 10_000;

export function judgeKills(outcomes: readonly KillOutcome[]): void {
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      acknowledgedLost: [],
      twice: [],
      foreign: [],
      badStatuses: [],
      integrity: '[{"integrity_check":"ok"}]',
    });
    expect(outcome.answered).toBeGreaterThan(0);
    expect(outcome.oldestLostMs).toBeLessThan(flushIntervalMs + writingMs);
    expect(outcome.lost).toBeLessThan(windowRows);
    expect(outcome.startMs + outcome.recoveryMs).toBeLessThan(startLimitMs);
  }
  const acknowledged = sum(outcomes, (outcome) => outcome.acknowledged);
  expect(acknowledged).toBeGreaterThan(outcomes.length);
  console.log(
    `${outcomes.length} kills: ${sum(outcomes, (outcome) => outcome.answered)} answered, ` +
      `${acknowledged} seen stored before the kill, ${sum(outcomes, (outcome) => outcome.lost)} lost within the window; ` +
      `lost per kill ${spread(outcomes.map(({ lost }) => lost))}; ` +
      `oldest lost, ms: ${spread(outcomes.map(({ oldestLostMs }) => oldestLostMs))}; ` +
      `start to first answer, ms: ${spread(outcomes.map(({ startMs }) => startMs))}; ` +
      `then to the first answer from the database, ms: ${spread(outcomes.map(({ recoveryMs }) => recoveryMs))}`,
  );
}

function sum(outcomes: readonly KillOutcome[], value: (outcome: KillOutcome) => number): number {
  return outcomes.reduce((total, outcome) => total + value(outcome), 0);
}
