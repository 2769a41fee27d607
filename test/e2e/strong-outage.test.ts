// The strong profile over real sockets: an outage of a minute costs no caller an answer, and the primary is back soon after it.

import { expect, test } from "bun:test";
import { strongGateway } from "../support/strong-gateway.ts";

const outageMs = 60_000;
const everyMs = 4000;

test.concurrent.each([
  ["503", "status-503", false],
  ["resets", "reset-before-answer", true],
  ["silence", "hang-before-answer", true],
] as const)(
  "60 s of %s with a request every 4 s: all are answered, and within 30 s of recovery by the primary again",
  async (_, fault, stream) => {
    await using gateway = await strongGateway({ primary: fault, backup: "ok" }, { speed: 50 });
    const begun = gateway.clock.now();
    const seen: { readonly at: number; readonly by: string; readonly status: number }[] = [];
    const request = async (at: number): Promise<void> => {
      const { status, answeredBy } = await gateway.ask(stream);
      seen.push({ at, by: answeredBy.split(" ")[0] ?? "", status });
    };
    const running: Promise<void>[] = [];
    for (let at = 0; at <= outageMs + 40_000; at += everyMs) {
      const wait = begun + at - gateway.clock.now();
      if (wait > 0) await new Promise<void>((resolve) => void gateway.clock.schedule(wait, resolve));
      if (at >= outageMs) gateway.simulator("primary").setFault("m", "ok");
      running.push(request(at));
    }
    await Promise.all(running);
    expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
    const byPrimary = seen.filter(({ by }) => by === "primary").map(({ at }) => at);
    expect(Math.min(...byPrimary)).toBeWithin(outageMs, outageMs + 30_000);
    const late = seen.filter(({ at }) => at > outageMs + 30_000);
    expect(late.map(({ by }) => by)).toEqual(late.map(() => "primary"));
  },
  20_000,
);
