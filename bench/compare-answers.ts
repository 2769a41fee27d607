// Before anything is measured: whoever stands in between gives its caller the upstream's answer as it is.

import { masterKey } from "./gateway-settings.ts";
import { encodeRequests } from "./requests.ts";
import type { Scenario } from "./scenarios.ts";
import type { Subject } from "./subjects.ts";

/** In each event of a stream that will tell its usage, which the gateway asks for and the caller did not. */
const noUsageYet = ',"usage":null';

/** Bytes of the answer, which is the same from all of them. Throws when it is not. */
export async function compareAnswers(scenario: Scenario, subjects: readonly Subject[]): Promise<number> {
  const { bodyBytes, stream } = scenario;
  const texts = await Promise.all(
    subjects.map(async ({ name, port, path }) => {
      const [request] = encodeRequests({ path, bodyBytes, stream: stream !== undefined, key: masterKey });
      const body = request?.subarray(request.indexOf("\r\n\r\n") + 4) ?? "";
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${masterKey}`, "content-type": "application/json" },
        body,
      });
      return { name, text: `${answer.status} ${(await answer.text()).replaceAll(noUsageYet, "")}` };
    }),
  );
  const [right] = texts;
  for (const { name, text } of texts) {
    if (text !== right?.text || !text.startsWith("200 ")) {
      throw new Error(
        `${scenario.name}: ${name} answers ${text.slice(0, 400)} instead of ${right?.text.slice(0, 400)}`,
      );
    }
  }
  return Buffer.byteLength(right?.text ?? "") - "200 ".length;
}
