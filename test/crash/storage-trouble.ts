// A gateway under load whose database gets into trouble and out of it again, and what callers, log and counter say of that.

import { Database } from "bun:sqlite";
import { openDatabase } from "../../src/store/database.ts";
import { startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { eventually } from "../support/eventually.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { quantile } from "./spread.ts";
import { type Answer, startLoad } from "./steady-load.ts";

/** One way in which a database cannot be written. */
export interface Trouble {
  readonly begin: () => void;
  readonly end: () => void;
}

export interface TroubleOptions extends Trouble {
  /** The folder of the database. */
  readonly folder: string;
  /** How long each episode lasts at least, milliseconds. It goes on until rows had to be dropped. */
  readonly lastsMs: number;
  /** Between episodes, and after the last, milliseconds. */
  readonly wellMs: number;
  readonly episodes: number;
  /** The first episode has begun when the process starts. */
  readonly fromTheStart: boolean;
}

export interface TroubleFigures {
  readonly answered: number;
  readonly failed: readonly Answer[];
  readonly stored: number;
  readonly storedTwice: number;
  /** `gomodel_log_rows_dropped_total` at the end. */
  readonly dropped: number;
  /** Requests after the last episode that have no row. */
  readonly missingAfterwards: number;
  /** What the log said about itself, in order. */
  readonly lines: readonly { readonly level: unknown; readonly text: string; readonly dropped: unknown }[];
  /** Milliseconds per request. */
  readonly latencyWell: { readonly median: number; readonly p99: number };
  readonly latencyInTrouble: { readonly median: number; readonly p99: number };
  readonly integrity: string;
}

/** Rows that may wait: few, so that in each episode some have to be dropped, but enough for a busy moment of the machine. */
const bufferRows = 300;
const droppedPerEpisode = 50;
const callers = 4;
const pauseMs = 5;

export async function troubledLog(options: TroubleOptions): Promise<TroubleFigures> {
  const { folder, begin, end, lastsMs, wellMs, episodes, fromTheStart } = options;
  const path = `${folder}/gomodel.db`;
  const simulator = startSimulator({ recordCalls: false });
  let gateway: GatewayProcess | undefined;
  let troubled = false;
  const inTrouble: [from: number, to: number][] = [];
  try {
    if (fromTheStart) {
      openDatabase(path).close();
      begin();
      troubled = true;
    }
    const running = await startGatewayProcess([], {
      SQLITE_PATH: path,
      OPENAI_BASE_URL: simulator.baseUrl,
      OPENAI_API_KEY: "k",
      OPENAI_MODELS: "ok,burst-5",
      CONFIGURED_PROVIDER_MODELS_MODE: "allowlist",
      LOGGING_BUFFER_SIZE: String(bufferRows),
      METRICS_ENABLED: "true",
    });
    gateway = running;
    // Its code is compiled by the time the figures count.
    const warm = await callFor(300, running);
    const load = startLoad({
      url: running.url,
      callers,
      pauseMs,
      models: ["openai/ok", "openai/burst-5"],
      prefix: "req-",
    });
    for (let episode = 0; episode < episodes; episode++) {
      if (!troubled) {
        await Bun.sleep(wellMs);
        begin();
        troubled = true;
      }
      const from = performance.now();
      const droppedBefore = await droppedRows(running);
      await Bun.sleep(lastsMs);
      const enough = droppedBefore + droppedPerEpisode;
      await lookNowAndThen("rows are dropped", async () => (await droppedRows(running)) >= enough);
      inTrouble.push([from, performance.now()]);
      end();
      troubled = false;
      await eventually("the log is written again", () => logLines(running).length === 2 * (episode + 1), 20_000);
    }
    const wellAgain = load.sent.size;
    await Bun.sleep(wellMs);
    await load.stop();
    await lookNowAndThen("every row is written", async () => (await metric(running, "gomodel_log_queue_rows")) === 0);
    const dropped = await droppedRows(running);
    return figures({ path, running, warm, answers: load.answers, dropped, wellAgain, inTrouble });
  } finally {
    if (troubled) end();
    await gateway?.dispose();
    await simulator.stop();
  }
}

async function callFor(ms: number, { url }: GatewayProcess): Promise<readonly Answer[]> {
  const load = startLoad({ url, callers, pauseMs, models: ["openai/ok", "openai/burst-5"], prefix: "warm-" });
  await Bun.sleep(ms);
  await load.stop();
  return load.answers;
}

/** Seldom enough not to be the larger part of the load. */
async function lookNowAndThen(what: string, look: () => Promise<boolean>): Promise<void> {
  await eventually(
    what,
    async () => {
      await Bun.sleep(50);
      return look();
    },
    20_000,
  );
}

async function metric({ url }: GatewayProcess, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
  if (value === undefined) throw new Error(`there is no metric ${name}`);
  return Number(value);
}

function droppedRows(gateway: GatewayProcess): Promise<number> {
  return metric(gateway, "gomodel_log_rows_dropped_total");
}

/** What the request log said about itself so far. */
function logLines({ lines }: GatewayProcess): readonly Record<string, unknown>[] {
  return lines.filter((line) => /request log|unexpected/.test(String(line["msg"])));
}

function figures(seen: {
  readonly path: string;
  readonly running: GatewayProcess;
  readonly warm: readonly Answer[];
  readonly answers: readonly Answer[];
  readonly dropped: number;
  readonly wellAgain: number;
  readonly inTrouble: readonly (readonly [from: number, to: number])[];
}): TroubleFigures {
  const { answers, wellAgain } = seen;
  const database = new Database(seen.path, { readonly: true });
  const ids = database
    .query<{ request_id: string }, []>("SELECT request_id FROM requests")
    .all()
    .map((row) => row.request_id);
  const integrity = JSON.stringify(database.query("PRAGMA integrity_check").all());
  database.close();
  const stored = new Set(ids);
  const troubledNow = ({ sentAt }: Answer): boolean =>
    seen.inTrouble.some(([from, to]) => sentAt >= from && sentAt < to);
  const took = (some: readonly Answer[]): number[] => some.map(({ sentAt, endedAt }) => endedAt - sentAt);
  const latency = (some: readonly Answer[]) => ({ median: quantile(took(some), 0.5), p99: quantile(took(some), 0.99) });
  return {
    answered: seen.warm.length + answers.length,
    failed: [...seen.warm, ...answers].filter(({ status }) => status !== 200),
    stored: ids.length,
    storedTwice: ids.length - stored.size,
    dropped: seen.dropped,
    missingAfterwards: answers.filter(({ id }) => Number(id.slice("req-".length)) >= wellAgain && !stored.has(id))
      .length,
    lines: logLines(seen.running).map((line) => ({
      level: line["level"],
      text: String(line["msg"]),
      dropped: line["dropped_rows"],
    })),
    latencyWell: latency(answers.filter((answer) => !troubledNow(answer))),
    latencyInTrouble: latency(answers.filter(troubledNow)),
    integrity,
  };
}
