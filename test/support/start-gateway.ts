// A whole gateway in this process, configured from YAML text, with its log in a temporary folder.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEntry, AuditLogPage } from "../../src/admin/contract.ts";
import { type Application, startApplication } from "../../src/application.ts";
import { formatProblems } from "../../src/config/format-problems.ts";
import { loadConfig } from "../../src/config/load.ts";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import { providerTypes } from "../../src/providers/registry.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { eventually } from "./eventually.ts";

export interface RunningGateway {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  readonly application: Application;
  /** What went to the log, parsed. */
  readonly logLines: readonly Record<string, unknown>[];
  /** A chat completion; `fields` are merged into the body. */
  chat(model: string, fields?: Record<string, unknown>, init?: RequestInit): Promise<Response>;
  /** Rows of the request log once `count` are there, newest first, with their details. */
  rows(count: number): Promise<readonly AuditEntry[]>;
  /** The row of this request, once it is there: rows of earlier ones may come at the same moment. */
  row(requestId: string): Promise<AuditEntry>;
  stop(): Promise<void>;
}

/** Port 0 on the loopback address; the first listings have ended. Throws with every problem of the configuration. */
export async function startGateway(
  yaml: string,
  env: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
): Promise<RunningGateway> {
  const folder = mkdtempSync(join(tmpdir(), "gomodel-"));
  const loaded = loadConfig({
    env: { PORT: "0", HOST: "127.0.0.1", SQLITE_PATH: join(folder, "gomodel.db"), ...env },
    configPath: "config.yaml",
    cwd: folder,
    readFile: (path) => (path.endsWith("config.yaml") ? yaml : undefined),
    directoryExists: () => false,
    platform: "linux",
    providerTypes: providerTypes.map(({ info }) => info),
  });
  if (!loaded.ok) throw new Error(formatProblems(loaded.problems));
  const logLines: Record<string, unknown>[] = [];
  const application = startApplication({
    config: loaded.config,
    env: {},
    clock,
    logger: createLogger({
      format: "json",
      level: "debug",
      write: (line) => logLines.push(JSON.parse(line)),
      clock: systemClock,
    }),
  });
  await application.firstListings();
  const url = `http://127.0.0.1:${application.port}`;
  const headers = { "content-type": "application/json", ...authorization(env["GOMODEL_MASTER_KEY"]) };

  return {
    url,
    port: application.port,
    application,
    logLines,
    chat: (model, fields = {}, init = {}) =>
      fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }], ...fields }),
        ...init,
        headers: { ...headers, ...headersOf(init) },
      }),
    async rows(count) {
      const until = performance.now() + 10_000;
      for (;;) {
        const page: AuditLogPage = await json(`${url}/admin/audit/log?limit=100`, headers);
        if (page.entries.length >= count) {
          return Promise.all(
            page.entries.map((entry) => json<AuditEntry>(`${url}/admin/audit/detail?log_id=${entry.id}`, headers)),
          );
        }
        if (performance.now() > until) throw new Error(`${page.entries.length} rows instead of ${count} after 10 s`);
        await Bun.sleep(20);
      }
    },
    row: (requestId) =>
      eventually(`the row of ${requestId}`, async () => {
        const page: AuditLogPage = await json(`${url}/admin/audit/log?limit=100`, headers);
        const found = page.entries.find((entry) => entry.request_id === requestId);
        return found && json<AuditEntry>(`${url}/admin/audit/detail?log_id=${found.id}`, headers);
      }),
    async stop() {
      await application.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function authorization(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

function headersOf({ headers }: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
}

async function json<Body>(url: string, headers: Record<string, string>): Promise<Body> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}
