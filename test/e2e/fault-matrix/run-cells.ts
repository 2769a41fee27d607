// Runs cells, many at a time, and gives those that are wrong.

import type { SimulatorCall } from "../../../src/upstream-simulator/simulator-call.ts";
import { callsOf, observe, type Observation } from "./observe.ts";
import type { Cell } from "./cell.ts";
import { startFaultGateway, type FaultGateway } from "./fault-gateway.ts";
import { judge } from "./judge.ts";
import type { ProfileName } from "./profiles.ts";

export interface MatrixResult {
  readonly cells: number;
  /** Sentences by the name of the cell. */
  readonly wrong: ReadonlyMap<string, readonly string[]>;
  /** What belongs to no cell: leaked connections, unexpected errors. */
  readonly trouble: readonly string[];
  readonly ms: number;
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
  const onRejection = (reason: unknown): void => {
    trouble.push(`unhandled rejection: ${String(reason)}`);
  };
  process.on("unhandledRejection", onRejection);
  try {
    for (const profile of ["patient", "quick", "backoff", "deadline"] as const) {
      const group = cells.filter((cell) => cell.profile === profile);
      for (let start = 0; start < group.length; start += batchSize) {
        await runBatch(profile, group.slice(start, start + batchSize), wrong, trouble);
      }
    }
  } finally {
    process.off("unhandledRejection", onRejection);
  }
  return { cells: cells.length, wrong, trouble, ms: performance.now() - begun };
}

async function runBatch(
  profile: ProfileName,
  cells: readonly Cell[],
  wrong: Map<string, readonly string[]>,
  trouble: string[],
): Promise<void> {
  const faultGateway = await startFaultGateway(profile, cells);
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
    const openModels = await faultGateway.openModels();
    for (const cell of cells) {
      const observation = seen.get(cell);
      if (observation === undefined) continue;
      const calls = callsOf(cell, faultGateway).map(({ call }) => call);
      const counted = new Map<string, number>();
      for (const { model = "" } of calls) counted.set(model, (counted.get(model) ?? 0) + 1);
      const unclosed = calls.filter(isOpen).length;
      const evidence = {
        seen: observation,
        rows: rows.get(cell.virtualModel) ?? [],
        calls: counted,
        unclosed,
        openModels,
      };
      const problems = judge(cell, evidence);
      if (problems.length > 0) wrong.set(cell.name, problems);
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
