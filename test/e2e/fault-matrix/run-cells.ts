// Runs cells, many at a time, and gives those that are wrong.

import type { SimulatorCall } from "../../../src/upstream-simulator/simulator-call.ts";
import { kindOf } from "./bound.ts";
import { callsOf, observe, type Observation } from "./observe.ts";
import type { Cell } from "./cell.ts";
import { startFaultGateway, type FaultGateway } from "./fault-gateway.ts";
import { judge } from "./judge.ts";
import type { ProfileName, Resilience } from "./profiles.ts";

export interface MatrixResult {
  readonly cells: number;
  /** Sentences by the name of the cell. */
  readonly wrong: ReadonlyMap<string, readonly string[]>;
  /** What belongs to no cell: leaked connections, unexpected errors. */
  readonly trouble: readonly string[];
  /** The slowest cell of each kind of ending, milliseconds. */
  readonly longestMs: ReadonlyMap<string, number>;
  readonly ms: number;
}

interface Findings {
  readonly wrong: Map<string, readonly string[]>;
  readonly trouble: string[];
  readonly longestMs: Map<string, number>;
}

/** Cells that share a gateway; well below the 1,024 breakers of a provider. */
const batchSize = 400;
/** Faults that send or expand megabytes, or are cut off by a reset, must not wait for each other. */
const heavy =
  /^(?:gzip-bomb|json-endless|json-deep|line-endless|head-endless|chunk-size-endless|status-503-(?:large|unending)|large|event-large|comment-large|bytes)$/;
const breaks = /reset/;

export async function runCells(cells: readonly Cell[]): Promise<MatrixResult> {
  const begun = performance.now();
  const wrong = new Map<string, readonly string[]>();
  const trouble: string[] = [];
  const longestMs = new Map<string, number>();
  const onRejection = (reason: unknown): void => {
    trouble.push(`unhandled rejection: ${String(reason)}`);
  };
  process.on("unhandledRejection", onRejection);
  try {
    for (const resilience of ["classic", "strong"] as const) {
      for (const profile of ["patient", "quick", "giving-way", "backoff", "deadline"] as const) {
        const group = cells.filter((cell) => cell.profile === profile && cell.resilience === resilience);
        for (let start = 0; start < group.length; start += batchSize) {
          await runBatch(profile, resilience, group.slice(start, start + batchSize), { wrong, trouble, longestMs });
        }
      }
    }
  } finally {
    process.off("unhandledRejection", onRejection);
  }
  return { cells: cells.length, wrong, trouble, longestMs, ms: performance.now() - begun };
}

async function runBatch(
  profile: ProfileName,
  resilience: Resilience,
  cells: readonly Cell[],
  { wrong, trouble, longestMs }: Findings,
): Promise<void> {
  const faultGateway = await startFaultGateway(profile, resilience, cells);
  try {
    const seen = new Map<Cell, Observation>();
    const run = async (cell: Cell): Promise<void> => {
      seen.set(cell, await observe(cell, faultGateway));
    };
    const isHeavy = ({ example }: Cell): boolean => heavy.test(example);
    const isBreak = (cell: Cell): boolean => !isHeavy(cell) && breaks.test(cell.example);
    await inParallel(
      cells.filter((cell) => !isHeavy(cell) && !isBreak(cell)),
      32,
      run,
    );
    await inParallel(cells.filter(isBreak), 4, run);
    await inParallel(cells.filter(isHeavy), 2, run);
    trouble.push(...(await settledSockets(faultGateway)));
    const rows = await faultGateway.rows(cells.length + faultGateway.preparations.size);
    const openTargets = await faultGateway.openTargets();
    for (const cell of cells) {
      const observation = seen.get(cell);
      if (observation === undefined) continue;
      const calls = callsOf(cell, faultGateway);
      const counted = new Map<string, number>();
      for (const { target } of calls) counted.set(target, (counted.get(target) ?? 0) + 1);
      const unclosed = calls.filter(({ call }) => isOpen(call)).length;
      const evidence = {
        seen: observation,
        rows: rows.get(cell.virtualModel) ?? [],
        calls: counted,
        unclosed,
        openTargets,
      };
      const problems = judge(cell, evidence);
      if (problems.length > 0) wrong.set(cell.name, problems);
      const kind = kindOf(cell);
      longestMs.set(kind, Math.max(longestMs.get(kind) ?? 0, observation.ms));
    }
    const bugs = faultGateway.gateway.logLines.filter(
      ({ level, msg }) => level === "error" || msg === "unexpected error",
    );
    trouble.push(...bugs.map((line) => JSON.stringify(line)));
  } finally {
    await faultGateway.stop();
  }
  const left = faultGateway.simulators.reduce((sum, { openSockets }) => sum + openSockets, 0);
  if (left > 0) trouble.push(`${left} connections to providers are open after the stop (${profile})`);
}

/** Whether a call's answer is neither at its end nor cut off by the gateway. */
function isOpen({ answeredAt, closedByPeerAt }: SimulatorCall): boolean {
  return answeredAt === undefined && closedByPeerAt === undefined;
}

/** Both ends must come to agree about what is open: the idle connections of the pool. A whole answer's connection has a second for that. */
async function settledSockets({ gateway, simulators }: FaultGateway): Promise<string[]> {
  const counts = () => ({
    ours: gateway.application.upstreamSockets,
    theirs: simulators.reduce((sum, { openSockets }) => sum + openSockets, 0),
  });
  const until = performance.now() + 3000;
  while (performance.now() < until) {
    const { ours, theirs } = counts();
    if (ours === theirs && !simulators.some(({ calls }) => calls.some(isOpen))) return [];
    await Bun.sleep(20);
  }
  const { ours, theirs } = counts();
  return ours === theirs ? [] : [`the gateway holds ${ours} connections, the providers ${theirs}`];
}

async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
