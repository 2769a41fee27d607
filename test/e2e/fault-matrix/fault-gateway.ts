// A gateway with a simulator behind each provider, set up for a number of cells of one profile, breakers that must be open opened.

import type { AuditEntry, AuditLogPage, ProviderStatusReport } from "../../../src/admin/contract.ts";
import { startSimulator, type Simulator } from "../../../src/upstream-simulator/simulator.ts";
import { startGateway, type RunningGateway } from "../../support/start-gateway.ts";
import type { Cell, CellTarget } from "./cell.ts";
import { maxRetries, profiles, type ProfileName, type Resilience } from "./profiles.ts";

export interface FaultGateway {
  readonly gateway: RunningGateway;
  simulatorOf(target: CellTarget): Simulator;
  readonly simulators: readonly Simulator[];
  /** Requests that were needed to open breakers, by the id of the log. */
  readonly preparations: ReadonlySet<string>;
  /** Every row, by request id; waits until so many are there, 10 s at most. */
  rows(count: number): Promise<ReadonlyMap<string, readonly AuditEntry[]>>;
  /** Targets with an open breaker: `provider/model`. */
  openTargets(): Promise<ReadonlySet<string>>;
  stop(): Promise<void>;
}

/** All cells of one resilience profile. */
export async function startFaultGateway(
  profile: ProfileName,
  resilience: Resilience,
  cells: readonly Cell[],
): Promise<FaultGateway> {
  const targets = cells.flatMap((cell) => cell.targets);
  const names = new Set(targets.map(({ providerName }) => providerName));
  const byProvider = new Map([...names].map((name) => [name, startSimulator()] as const));
  const simulators = [...byProvider.values()];
  const gateway = await startGateway(configuration(profile, resilience, cells, byProvider));
  const simulatorOf = ({ providerName }: CellTarget): Simulator => {
    const simulator = byProvider.get(providerName);
    if (simulator === undefined) throw new RangeError(`there is no provider ${providerName}`);
    return simulator;
  };
  for (const target of targets) if (target.healed) simulatorOf(target).setFault(target.model, "ok");

  const preparations = new Set<string>();
  await Promise.all(
    targets
      .filter(({ open }) => open)
      .map(async (target) => {
        const id = `prepare-${target.model}`;
        preparations.add(id);
        // Counts, and is retried under neither profile.
        simulatorOf(target).setFault(target.model, "status-501");
        const answer = await gateway.chat(
          `${target.providerName}/${target.model}`,
          {},
          { headers: { "x-request-id": id } },
        );
        if (answer.status !== 501) throw new Error(`${id} was answered with ${answer.status}`);
        simulatorOf(target).setFault(target.model, target.healed ? "ok" : target.model);
      }),
  );
  for (const simulator of simulators) simulator.reset();

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
    simulators,
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
    async openTargets() {
      const report = await json<ProviderStatusReport>("/admin/providers/status");
      const open = report.providers.flatMap(({ name, circuit_breaker: breaker }) =>
        (breaker?.models ?? []).filter(({ state }) => state === "open").map(({ model }) => `${name}/${model}`),
      );
      return new Set(open);
    },
    async stop() {
      await gateway.stop();
      await Promise.all(simulators.map((simulator) => simulator.stop()));
    },
  };
}

/** JSON is YAML. */
function configuration(
  profile: ProfileName,
  resilience: Resilience,
  cells: readonly Cell[],
  simulators: ReadonlyMap<string, Simulator>,
): string {
  const { limitMs, backoffMs, maxRetryAfterMs, deadlineMs, firstEventMs, answerMs } = profiles[profile];
  const models = [...new Set(cells.flatMap(({ targets }) => targets.map(({ model }) => model)))];
  const types = new Map(
    cells.flatMap(({ targets }) => targets).map(({ providerName, providerType }) => [providerName, providerType]),
  );
  const providers = [...simulators].map(([name, { origin }]) => {
    const type = types.get(name);
    const baseUrl = `${origin}/${type === "gemini" ? "v1beta" : "v1"}`;
    return [name, { type, api_key: "sk-matrix", base_url: baseUrl, models }] as const;
  });
  const givesWay = { first_event_timeout: `${firstEventMs}ms`, answer_timeout: `${answerMs}ms` };
  return JSON.stringify({
    server: deadlineMs > 0 ? { request_deadline: `${deadlineMs}ms` } : {},
    providers: Object.fromEntries(providers),
    virtual_models: cells.map(({ virtualModel, targets }) => ({
      source: virtualModel,
      strategy: "failover",
      targets: targets.map(({ providerName, model }) => ({ model: `${providerName}/${model}` })),
    })),
    // Nobody is asked for a list: its connection would be a used one for the first cell.
    models: { configured_provider_models_mode: "allowlist" },
    resilience: {
      profile: resilience,
      retry: {
        max_retries: maxRetries,
        initial_backoff: `${backoffMs}ms`,
        max_backoff: `${backoffMs}ms`,
        max_retry_after: `${maxRetryAfterMs}ms`,
      },
      // Open at the first failure: then it shows whether an outcome counted.
      circuit_breaker: { scope: "model", failure_threshold: 1, timeout: "1h" },
    },
    http: {
      timeout: `${limitMs}ms`,
      response_header_timeout: `${limitMs}ms`,
      stream_idle_timeout: `${limitMs}ms`,
      ...(resilience === "strong" ? givesWay : {}),
    },
    logging: { log_bodies: false, log_headers: false },
  });
}
