// A gateway under the strong profile, its settings as they are, on a clock that runs faster: what a caller sees, and when.

import type { Clock } from "../../src/core/clock.ts";
import { scaledClock } from "./scaled-clock.ts";
import { type SimulatedGateway, simulatedGateway } from "./simulated-gateway.ts";

interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** On the gateway's clock. */
  readonly tookMs: number;
  /** `X-GoModel-Provider` and `X-GoModel-Attempts`, as `b 3`. */
  readonly answeredBy: string;
}

export interface StrongGateway extends SimulatedGateway {
  readonly clock: Clock;
  /** Calls the virtual model `v`, whose targets are the model `m` of each provider in order, or `model`. */
  ask(stream: boolean, model?: string): Promise<Seen>;
  /** How often each provider was called, in order. */
  calls(): readonly number[];
  /** Forgets the calls. */
  forget(): void;
}

/** Providers by name with the way in which they answer; all under `v`, in order. Waits pass `speed` times faster. */
export async function strongGateway(
  faults: Readonly<Record<string, string>>,
  options: {
    readonly speed?: number;
    readonly env?: Readonly<Record<string, string>>;
    readonly more?: Readonly<Record<string, unknown>>;
  } = {},
): Promise<StrongGateway> {
  const clock = scaledClock(options.speed ?? 40);
  const names = Object.keys(faults);
  const gateway = await simulatedGateway(
    {
      providers: Object.fromEntries(names.map((name) => [name, { listed: ["m"] }])),
      virtual_models: [{ source: "v", strategy: "failover", targets: names.map((name) => `${name}/m`) }],
      ...options.more,
    },
    { RESILIENCE_PROFILE: "strong", ...options.env },
    { clock, quickRetry: false },
  );
  for (const name of names) gateway.simulator(name).setFault("m", faults[name] ?? "ok");

  return {
    ...gateway,
    clock,
    async ask(stream, model = "v") {
      const begun = clock.now();
      const response = await gateway.chat(model, stream ? { stream } : {});
      const text = await response.text();
      const { status, headers } = response;
      const answeredBy = `${headers.get("x-gomodel-provider")} ${headers.get("x-gomodel-attempts")}`;
      return { status, headers, text, tookMs: clock.now() - begun, answeredBy };
    },
    calls: () => names.map((name) => gateway.called(name).length),
    forget() {
      for (const name of names) gateway.simulator(name).reset();
    },
  };
}
