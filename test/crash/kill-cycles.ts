// Kills the real process under load, again and again on the same database, and compares what it had said with what it kept.

import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditLogPage } from "../../src/admin/contract.ts";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { type Answer, startLoad } from "./steady-load.ts";

/** What one kill left. Request ids are given where something is wrong. */
export interface KillOutcome {
  /** Rows that `/admin/audit/log` had shown before the kill: committed, for it reads the database. */
  readonly acknowledged: number;
  /** Requests whose whole answer their caller had. */
  readonly answered: number;
  /** Answered, and without a row. */
  readonly lost: number;
  /** How long before the kill the oldest of these was answered, milliseconds; 0 of none. */
  readonly oldestLostMs: number;
  readonly acknowledgedLost: readonly string[];
  readonly twice: readonly string[];
  /** Rows of requests that nobody had sent. */
  readonly foreign: readonly string[];
  readonly badStatuses: readonly number[];
  readonly integrity: string;
  /** From the start of the next process to its first answer. */
  readonly startMs: number;
  /** From there to its first answer from the database. */
  readonly recoveryMs: number;
}

export interface KillOptions {
  readonly cycles: number;
  readonly random: () => number;
}

/** Load before a kill, at least; at most four times as long, which is more than the window in which rows may be lost. */
const loadMs = 200;

interface Started {
  readonly gateway: GatewayProcess;
  readonly startMs: number;
  readonly recoveryMs: number;
}

interface Killed {
  readonly killedAt: number;
  readonly sent: ReadonlySet<string>;
  readonly answers: readonly Answer[];
  readonly acknowledged: ReadonlySet<string>;
}

export async function killCycles({ cycles, random }: KillOptions): Promise<readonly KillOutcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "gomodel-kill-"));
  const simulator = startSimulator({ recordCalls: false });
  const path = join(folder, "gomodel.db");
  const outcomes: KillOutcome[] = [];
  let started = await start(path, simulator);
  let lastId = 0;
  try {
    for (let cycle = 0; cycle < cycles; cycle++) {
      const killed = await killUnderLoad(started.gateway, `c${cycle}-`, loadMs * (1 + 3 * random()));
      started = await start(path, simulator);
      const database = new Database(path, { readonly: true });
      outcomes.push(compare(database, lastId, killed, started));
      lastId = database.query<{ id: number }, []>("SELECT coalesce(max(id), 0) AS id FROM requests").get()?.id ?? 0;
      database.close();
    }
    return outcomes;
  } finally {
    await started.gateway.dispose();
    await simulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(path: string, simulator: Simulator): Promise<Started> {
  const begunAt = performance.now();
  const gateway = await startGatewayProcess([], {
    SQLITE_PATH: path,
    OPENAI_BASE_URL: simulator.baseUrl,
    OPENAI_API_KEY: "k",
    OPENAI_MODELS: "ok,burst-5",
    CONFIGURED_PROVIDER_MODELS_MODE: "allowlist",
    LOGGING_LOG_BODIES: "true",
  });
  await fetch(`${gateway.url}/health`);
  const answeredAt = performance.now();
  await shownRows(gateway);
  return { gateway, startMs: answeredAt - begunAt, recoveryMs: performance.now() - answeredAt };
}

async function shownRows({ url }: GatewayProcess): Promise<readonly string[]> {
  const response = await fetch(`${url}/admin/audit/log?limit=100`);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as AuditLogPage).entries.map((entry) => entry.request_id);
}

async function killUnderLoad(gateway: GatewayProcess, prefix: string, afterMs: number): Promise<Killed> {
  const load = startLoad({
    url: gateway.url,
    callers: 8,
    pauseMs: 4,
    models: ["openai/ok", "openai/burst-5"],
    prefix,
  });
  const acknowledged = new Set<string>();
  let killed = false;
  const watching = (async () => {
    while (!killed) {
      // The kill may come while the answer is on its way.
      const ids = await shownRows(gateway).catch(() => []);
      for (const id of ids) if (id.startsWith(prefix)) acknowledged.add(id);
      await Bun.sleep(10);
    }
  })();
  await Bun.sleep(afterMs);
  const killedAt = performance.now();
  killed = true;
  gateway.signal("SIGKILL");
  await gateway.exited;
  await Promise.all([load.stop(), watching]);
  await gateway.dispose();
  return { killedAt, sent: load.sent, answers: load.answers, acknowledged };
}

function compare(database: Database, lastId: number, killed: Killed, started: Started): KillOutcome {
  const { killedAt, sent, acknowledged } = killed;
  const rows = database
    .query<{ request_id: string; status_code: number }, [number]>(
      "SELECT request_id, status_code FROM requests WHERE id > ? ORDER BY id",
    )
    .all(lastId);
  const stored = new Set(rows.map((row) => row.request_id));
  const answered = killed.answers.filter(({ status }) => status !== undefined);
  const lost = answered.filter(({ id }) => !stored.has(id));
  return {
    acknowledged: acknowledged.size,
    answered: answered.length,
    lost: lost.length,
    oldestLostMs: Math.max(0, ...lost.map(({ endedAt }) => killedAt - endedAt)),
    acknowledgedLost: [...acknowledged].filter((id) => !stored.has(id)),
    twice: database
      .query<{ request_id: string }, []>("SELECT request_id FROM requests GROUP BY request_id HAVING count(*) > 1")
      .all()
      .map((row) => row.request_id),
    foreign: [...stored].filter((id) => !sent.has(id)),
    badStatuses: rows.map((row) => row.status_code).filter((status) => status !== 200),
    integrity: JSON.stringify(database.query("PRAGMA integrity_check").all()),
    startMs: started.startMs,
    recoveryMs: started.recoveryMs,
  };
}
