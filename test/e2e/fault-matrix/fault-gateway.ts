// A gateway and two simulators set up for a number of cells of one profile, breakers that must be open opened.

import type { AuditEntry, AuditLogPage, ProviderStatusReport } from "../../../src/admin/contract.ts";
import { startSimulator, type Simulator } from "../../../src/upstream-simulator/simulator.ts";
import { startGateway, type RunningGateway } from "../../support/start-gateway.ts";
import type { Cell, CellTarget } from "./cell.ts";
import { maxRetries, profiles, type ProfileName } from "./profiles.ts";

export interface FaultGateway {
  readonly gateway: RunningGateway;
  /** By the start of a provider's name. */
  simulatorOf(target: CellTarget): Simulator;
  readonly simulators: readonly Simulator[];
  /** Requests that were needed to open breakers, by the id of the log. */
  readonly preparations: ReadonlySet<string>;
  /** Every row, by request id; waits until so many are there, 10 s at most. */
  rows(count: number): Promise<ReadonlyMap<string, readonly AuditEntry[]>>;
  /** Models with an open breaker. */
  openModels(): Promise<ReadonlySet<string>>;
  stop(): Promise<void>;
}

export async function startFaultGateway(profile: ProfileName, cells: readonly Cell[]): Promise<FaultGateway> {
  const targets = cells.flatMap((cell) => cell.targets);
  const main = startSimulator();
  const silent = startSimulator();
  const gateway = await startGateway(configuration(profile, cells, main, silent));
  const simulatorOf = (target: CellTarget): Simulator => (target.providerName.startsWith("main") ? main : silent);

  const preparations = new Set<string>();
  await Promise.all(
    targets
      .filter(({ open }) => open)
      .map(async (target) => {
        const id = `prepare-${target.model}`;
        preparations.add(id);
        simulatorOf(target).setFault(target.model, "status-500");
        const answer = await gateway.chat(
          `${target.providerName}/${target.model}`,
          {},
          { headers: { "x-request-id": id } },
        );
        if (answer.status !== 500) throw new Error(`${id} was answered with ${answer.status}`);
        simulatorOf(target).setFault(target.model, target.model);
      }),
  );
  main.reset();
  silent.reset();

  const json = async <Body>(path: string): Promise<Body> => {
    const response = await fetch(`${gateway.url}${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const page = (limit: number, offset: number): Promise<AuditLogPage> =>
    json(`/admin/audit/log?limit=${limit}&offset=${offset}`);

  return {
    gateway,
    simulatorOf,
    simulators: [main, silent],
    preparations,
    async rows(count) {
      const until = performance.now() + 10_000;
      let { total } = await page(1, 0);
      while (total < count && performance.now() < until) {
        await Bun.sleep(50);
        ({ total } = await page(1, 0));
      }
      const rows = new Map<string, AuditEntry[]>();
      for (let offset = 0; offset < total; offset += 100) {
        for (const entry of (await page(100, offset)).entries) {
          const known = rows.get(entry.request_id);
          if (known === undefined) rows.set(entry.request_id, [entry]);
          else known.push(entry);
        }
      }
      return rows;
    },
    async openModels() {
      const report = await json<ProviderStatusReport>("/admin/providers/status");
      const open = report.providers.flatMap((provider) =>
        (provider.circuit_breaker?.models ?? []).filter(({ state }) => state === "open").map(({ model }) => model),
      );
      return new Set(open);
    },
    async stop() {
      await gateway.stop();
      await Promise.all([main.stop(), silent.stop()]);
    },
  };
}

/** JSON is YAML. */
function configuration(profile: ProfileName, cells: readonly Cell[], main: Simulator, silent: Simulator): string {
  const { limitMs, backoffMs, maxRetryAfterMs, deadlineMs } = profiles[profile];
  const models = cells.flatMap(({ targets }) => targets.map(({ model }) => model));
  const provider = (simulator: Simulator) => ({
    type: "openai",
    api_key: "sk-matrix",
    base_url: simulator.baseUrl,
    models,
  });
  return JSON.stringify({
    server: deadlineMs > 0 ? { request_deadline: `${deadlineMs}ms` } : {},
    providers: {
      main1: provider(main),
      main2: provider(main),
      silent1: provider(silent),
      silent2: provider(silent),
    },
    virtual_models: cells.map(({ virtualModel, targets }) => ({
      source: virtualModel,
      strategy: "failover",
      targets: targets.map(({ providerName, model }) => ({ model: `${providerName}/${model}` })),
    })),
    // Nobody is asked for a list: its connection would be a used one for the first cell.
    models: { configured_provider_models_mode: "allowlist" },
    resilience: {
      retry: {
        max_retries: maxRetries,
        initial_backoff: `${backoffMs}ms`,
        max_backoff: `${backoffMs}ms`,
        max_retry_after: `${maxRetryAfterMs}ms`,
      },
      // Open at the first failure: then it shows whether an outcome counted.
      circuit_breaker: { scope: "model", failure_threshold: 1, timeout: "1h" },
    },
    http: { timeout: `${limitMs}ms`, response_header_timeout: `${limitMs}ms`, stream_idle_timeout: `${limitMs}ms` },
    logging: { log_bodies: false, log_headers: false },
  });
}
