// What must hold of timers after calls of every kind: none is left that was not there before.

import { expect } from "bun:test";
import { startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/start-gateway.ts";
import { createCountingClock } from "./counted-timers.ts";
import { callStreams } from "./stream-caller.ts";

/** Half of the callers leave at a random moment of the first second. */
export async function judgeTimers(choice: readonly string[], streams: number, random: () => number): Promise<void> {
  const clock = createCountingClock();
  const simulator = startSimulator({ recordCalls: false });
  const models = ["ok", "hang-before-answer", "status-503", "paced-10-50", ...choice];
  const limits = { HTTP_TIMEOUT: "1s", HTTP_STREAM_IDLE_TIMEOUT: "500ms", REQUEST_DEADLINE: "3s" };
  const gateway = await startGateway(
    JSON.stringify({
      providers: { sim: { type: "openai", base_url: simulator.baseUrl, api_key: "k", models } },
      models: { configured_provider_models_mode: "allowlist" },
      resilience: { retry: { max_retries: 2, initial_backoff: "200ms" }, circuit_breaker: { enabled: false } },
    }),
    limits,
    clock,
  );
  try {
    const [first] = await callStreams(gateway.port, ["sim/ok"]);
    await first?.ended;
    // The log's flush comes and goes; what stays belongs to the gateway at rest.
    await eventually("the flush", () => gateway.application.inFlight === 0);
    await Bun.sleep(600);
    const atRest = clock.pending;
    const asked = Array.from({ length: streams }, (_, index) => {
      const model = index % 3 === 0 ? models[Math.floor(random() * 4)] : models[Math.floor(random() * models.length)];
      return `sim/${model}`;
    });
    const callers = await callStreams(gateway.port, asked);
    let most = clock.pending;
    callers.forEach((caller, index) => {
      if (index % 2 === 0) return;
      setTimeout(() => {
        most = Math.max(most, clock.pending);
        caller.leave(index % 4 === 1 ? "FIN" : "RST");
      }, random() * 1000);
    });
    await Promise.all(callers.map((caller) => caller.ended));
    await eventually("the end of every call", () => gateway.application.inFlight === 0);
    await eventually(`${atRest} timers again, not ${clock.pending}`, () => clock.pending <= atRest);
    console.log(
      `${streams} streams, half of them left: timers at rest ${atRest}, at most ${most}, then ${clock.pending}`,
    );
    expect(most).toBeGreaterThan(atRest);
    expect(gateway.logLines.filter((line) => line["level"] === "error")).toEqual([]);
  } finally {
    await gateway.stop();
    await simulator.stop();
  }
  expect(clock.pending).toBe(0);
}
