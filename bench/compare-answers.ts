// Before anything is measured: whoever stands in between gives its caller the upstream's answer, as it is where nothing is translated.

import { masterKey } from "./gateway-settings.ts";
import { encodeRequests } from "./requests.ts";
import type { Scenario } from "./scenarios.ts";
import type { Subject, SubjectName } from "./subjects.ts";

/** In each event of a stream that will tell its usage, which the gateway asks for and the caller did not. */
const noUsageYet = ',"usage":null';

/** Bytes of a right answer of each. */
export type LeastBytes = ReadonlyMap<SubjectName, number>;

/** Throws when the answers are not the same, save for that of a gateway that translates: its words have to be all there. */
export async function compareAnswers(scenario: Scenario, subjects: readonly Subject[]): Promise<LeastBytes> {
  const { bodyBytes, stream, caller, provider } = scenario;
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
    const isRight = name === "gateway" && caller !== provider ? countPieces(text) >= leastPieces : text === right?.text;
    if (!isRight || !text.startsWith("200 ")) {
      throw new Error(
        `${scenario.name}: ${name} answers ${text.slice(0, 400)} instead of ${right?.text.slice(0, 400)}`,
      );
    }
  }
  return new Map(texts.map(({ name, text }) => [name, Buffer.byteLength(text) - "200 ".length]));
}

/** Of text, in a stream of 50 events of any dialect. */
const leastPieces = 42;

function countPieces(stream: string): number {
  return stream.split(/"(?:content|text|delta)":" /).length - 1;
}
