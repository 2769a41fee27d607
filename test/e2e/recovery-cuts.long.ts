// Streams of every dialect cut at any byte and gone on with at any other: the caller has the whole text once, or what came of it and one broken end.

import { expect, test } from "bun:test";
import { answerText } from "../../src/upstream-simulator/answer-text.ts";
import { dialectGateway, model, providerKinds } from "../support/dialect-gateway.ts";
import { callerDialects, seenByCaller } from "../support/seen-by-caller.ts";

const stepBytes = Number(process.env["CUT_STEP_BYTES"] ?? 211);
const longestBytes = 6000;

test("every cut of every stream", async () => {
  await using gateway = await dialectGateway();
  const text = answerText(model, 12);
  let whole = 0;
  let broken = 0;
  for (const second of providerKinds) gateway.simulator(`second-${second}`).setFault(model, "ok");
  for (const first of providerKinds) {
    for (let at = 1; at < longestBytes; at += stepBytes) {
      gateway.simulator(`first-${first}`).setFault(model, `cut-at-${at}`);
      const asked = callerDialects.flatMap((dialect) =>
        providerKinds.map(async (second) => {
          const seen = await seenByCaller(gateway.url, dialect, `${first}-to-${second}`);
          const what = `${dialect} ${first} ${second} ${at}`;
          expect([what, ...seen.problems]).toEqual([what]);
          expect(`${what} ${text.startsWith(seen.text)}`).toBe(`${what} true`);
          const isWhole = seen.error === undefined;
          if (isWhole) {
            whole++;
            expect([what, seen.text, seen.finalText, seen.terminals.length]).toEqual([what, text, text, 1]);
          } else {
            broken++;
            // Only behind all of the text: there is nothing left to go on with.
            expect([what, seen.text]).toEqual([what, text]);
          }
        }),
      );
      await Promise.all(asked);
    }
  }
  expect(whole).toBeGreaterThan(10 * broken);
}, 600_000);
