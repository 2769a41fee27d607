// A gateway in front of upstream simulators, one for each provider of its configuration.

import type { ProviderStatusReport } from "../../src/admin/contract.ts";
import type { Clock } from "../../src/core/clock.ts";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { type RunningGateway, startGateway } from "./start-gateway.ts";

/** A provider block of the configuration; `listed` is what its simulator lists, `listing` the fault with which it begins to. */
interface SimulatedProvider {
  readonly listed?: readonly string[];
  readonly listing?: string;
  readonly [key: string]: unknown;
}

interface SimulatedConfig {
  readonly providers: Readonly<Record<string, SimulatedProvider>>;
  readonly [block: string]: unknown;
}

export interface SimulatedGateway extends RunningGateway, AsyncDisposable {
  simulator(provider: string): Simulator;
  /** Models that this provider was called for, in order; listings are no calls. */
  called(provider: string): readonly (string | undefined)[];
  /** `GET /admin/providers/status`. */
  status(): Promise<ProviderStatusReport>;
  /** Ids of `GET /v1/models`. */
  listedIds(): Promise<readonly string[]>;
  /** The value of one line of `/metrics`; undefined when there is no such line. */
  metric(series: string): Promise<number | undefined>;
}

/** Waits of a retry, unless the test says otherwise: short enough to be waited for. */
const quickWaits = { initial_backoff: "5ms", jitter_factor: 0 };

/**
 * `config` is `config.yaml` as an object. Metrics are on and the request log is off, which saves most of the time that a gateway
 * takes to start and stop, unless a `logging` block switches it on. `clock` is the gateway's and the simulators'; without `quickRetry` a retry waits as configured. Providers are of the type openai, at their simulator's address, unless they say otherwise.
 */
export async function simulatedGateway(
  config: SimulatedConfig,
  env: Readonly<Record<string, string>> = {},
  { clock, quickRetry = true }: { readonly clock?: Clock; readonly quickRetry?: boolean } = {},
): Promise<SimulatedGateway> {
  const simulators = new Map<string, Simulator>();
  const providers: Record<string, unknown> = {};
  for (const [name, { listed, listing, ...block }] of Object.entries(config.providers)) {
    const simulator = startSimulator({
      ...(listed === undefined ? {} : { models: listed }),
      ...(clock === undefined ? {} : { clock }),
    });
    if (listing !== undefined) simulator.setListingFault(listing);
    simulators.set(name, simulator);
    providers[name] = { type: "openai", base_url: simulator.baseUrl, ...block };
  }
  const resilience = blockOf(config["resilience"]);
  const whole = {
    logging: { enabled: false },
    ...config,
    providers,
    resilience: { ...resilience, retry: { ...(quickRetry ? quickWaits : {}), ...blockOf(resilience["retry"]) } },
    metrics: { enabled: true },
  };
  const gateway = await startGateway(JSON.stringify(whole), env, clock);
  const simulatorOf = (name: string): Simulator => {
    const simulator = simulators.get(name);
    if (simulator === undefined) throw new RangeError(`there is no provider ${name}`);
    return simulator;
  };
  const stop = async (): Promise<void> => {
    await gateway.stop();
    await Promise.all([...simulators.values()].map((simulator) => simulator.stop()));
  };

  return {
    ...gateway,
    simulator: simulatorOf,
    called: (name) =>
      simulatorOf(name)
        .calls.filter(({ method }) => method === "POST")
        .map(({ model }) => model),
    async status() {
      const response = await fetch(`${gateway.url}/admin/providers/status`);
      return (await response.json()) as ProviderStatusReport;
    },
    async listedIds() {
      const response = await fetch(`${gateway.url}/v1/models`);
      return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    },
    async metric(series) {
      const text = await (await fetch(`${gateway.url}/metrics`)).text();
      const line = text.split("\n").find((each) => each.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function blockOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** What a caller sees of an answer that is an error. */
interface SeenError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly code: string | number | null;
}

export async function seenError(response: Response): Promise<SeenError> {
  const { error } = (await response.json()) as { error: Omit<SeenError, "status"> };
  return { status: response.status, message: error.message, type: error.type, code: error.code };
}

/** The text of a buffered chat answer. */
export async function contentOf(response: Response): Promise<string> {
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? "";
}
