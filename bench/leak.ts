// Whether memory grows with the number of requests: after a million against after a hundred thousand.

import { residentMegabytes } from "./cpu-meter.ts";
import { loadOf } from "./apply-load.ts";
import { compareAnswers } from "./compare-answers.ts";
import { answerOf, type Scenario, variantOf } from "./scenarios.ts";
import { startSubject } from "./subjects.ts";

const early = 100_000;
/** RSS later as a multiple of that after `early` requests, at most. */
const targetGrowth = 1.1;
/** Rows are written and garbage is collected before memory is read. */
const settleMs = 2000;

export interface Growth {
  readonly requests: number;
  readonly earlyMegabytes: number;
  readonly lateMegabytes: number;
  readonly wrong: number;
  readonly ok: boolean;
}

/** After `requests` requests in all. */
export async function measureGrowth(
  scenario: Scenario,
  requests: number,
  upstreamPort: number,
  core: number | undefined,
): Promise<Growth> {
  const settings = {
    upstreamPort,
    answer: answerOf(scenario),
    caller: scenario.caller,
    gateway: variantOf(scenario),
    core,
  };
  const gateway = await startSubject("gateway", settings);
  try {
    const apply = loadOf(scenario, await compareAnswers(scenario, [gateway]), "own");
    const first = await apply(gateway, Number.POSITIVE_INFINITY, early);
    await Bun.sleep(settleMs);
    const earlyMegabytes = residentMegabytes(gateway.pid ?? 0);
    const rest = await apply(gateway, Number.POSITIVE_INFINITY, requests - early);
    await Bun.sleep(settleMs);
    const lateMegabytes = residentMegabytes(gateway.pid ?? 0);
    const wrong = first.wrong + rest.wrong;
    const ok = wrong === 0 && lateMegabytes <= earlyMegabytes * targetGrowth;
    return { requests, earlyMegabytes, lateMegabytes, wrong, ok };
  } finally {
    await gateway.stop();
  }
}

export function growthReport({ requests, earlyMegabytes, lateMegabytes, wrong, ok }: Growth): string {
  const growth = ((lateMegabytes / earlyMegabytes - 1) * 100).toFixed(1);
  return `RSS after ${early} requests ${earlyMegabytes.toFixed(1)} MB, after ${requests} ${lateMegabytes.toFixed(1)} MB: ${growth} % more (target <= 10 %), ${wrong} wrong answers: ${ok ? "ok" : "MISSED"}\n`;
}
