// How long it takes from the start of the gateway's process until it has answered a first chat completion.

import { masterKey } from "./gateway-settings.ts";
import { medianOf } from "./load.ts";
import { requestedModel } from "./requests.ts";
import { startSubject } from "./subjects.ts";

/** Milliseconds from start to first answer, at most. */
export const targetStartMs = 300;

/** Median of several starts, milliseconds. On all cores, as a gateway starts; nothing else is being measured. */
export async function measureStart(upstreamPort: number, starts: number): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < starts; start++) {
    const begun = performance.now();
    const gateway = await startSubject("gateway", {
      upstreamPort,
      answer: "plain",
      gateway: { targets: ["plain", "plain"], records: "everything" },
      core: undefined,
    });
    try {
      const answer = await fetch(`http://127.0.0.1:${gateway.port}${gateway.path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${masterKey}`, "content-type": "application/json" },
        body: JSON.stringify({ model: requestedModel, messages: [{ role: "user", content: "Hello" }] }),
      });
      await answer.text();
      if (answer.status !== 200) throw new Error(`the first answer of the gateway is ${answer.status}`);
      times.push(performance.now() - begun);
    } finally {
      await gateway.stop();
    }
  }
  return medianOf(times);
}
