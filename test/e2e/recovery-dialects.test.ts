// A stream that breaks goes on at a provider of another dialect, in whatever dialect its caller reads it.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerText } from "../../src/upstream-simulator/answer-text.ts";
import { dialectGateway, model, providerKinds } from "../support/dialect-gateway.ts";
import { type CallerDialect, callerDialects, seenByCaller } from "../support/seen-by-caller.ts";
import type { SimulatedGateway } from "../support/simulated-gateway.ts";

const terminals: Readonly<Record<CallerDialect, readonly string[]>> = {
  "chat-completions": ["[DONE]"],
  responses: ["response.completed"],
  messages: ["message_stop"],
};
const broken: Readonly<Record<CallerDialect, readonly string[]>> = {
  "chat-completions": ["error stream_incomplete"],
  responses: ["error stream_incomplete", "response.failed stream_incomplete"],
  messages: ["error api_error"],
};

let gateway: SimulatedGateway;
beforeAll(async () => {
  gateway = await dialectGateway();
});
afterAll(() => gateway.stop());

function faults(first: string, second: string): void {
  for (const kind of providerKinds) {
    gateway.simulator(`first-${kind}`).setFault(model, first);
    gateway.simulator(`second-${kind}`).setFault(model, second);
  }
  for (const kind of [...providerKinds, "vllm"]) gateway.simulator(`prefill-${kind}`).setFault(model, second);
}

const pairs = providerKinds.flatMap((first) => providerKinds.map((second) => [first, second] as const));
const goingOn = providerKinds.flatMap((first) => [...providerKinds, "vllm"].map((second) => [first, second] as const));
/** Of Gemini a call comes in one event: one that is cut is not there. */
const unrecoverable = (kind: string): readonly string[] =>
  kind === "gemini" ? ["cut-in-reasoning"] : ["cut-in-tool-call", "cut-in-reasoning"];
const text = answerText(model, 20);
const nine = answerText(model, 9);

describe.each([...callerDialects])("to a caller of %s", (dialect) => {
  const whole = { error: undefined, problems: [], text, finalText: text, terminals: terminals[dialect], model };

  test.each(pairs)(
    "a stream of %s that is cut after 9 words goes on at %s from a fresh start",
    async (first, second) => {
      faults("cut-after-9-words~words=20", "ok-20");
      // A prompt of 11 tokens and 9 of 20 words, and again 11 and 20.
      expect(await seenByCaller(gateway.url, dialect, `${first}-to-${second}`)).toMatchObject({
        ...whole,
        usage: { input: 22, output: 29 },
      });
    },
  );

  test.each(goingOn)("a stream of %s that is cut goes on at %s, which is asked to", async (first, second) => {
    faults("cut-after-9-words~words=20", "ok-20~prefill=go-on");
    // Asked with 9 words more.
    expect(await seenByCaller(gateway.url, dialect, `${first}-to-prefill-${second}`)).toMatchObject({
      ...whole,
      usage: { input: 11 + 11 + 9, output: 20 },
    });
  });

  test.each(goingOn)("a stream of %s goes on at %s, which refuses to, from a fresh start", async (first, second) => {
    faults("cut-after-9-words~words=20", "ok-20~prefill=refuse");
    expect(await seenByCaller(gateway.url, dialect, `${first}-to-prefill-${second}`)).toMatchObject(whole);
  });

  test.each(pairs)("a stream of %s that fails in its middle goes on at %s", async (first, second) => {
    faults("error-middle-503~words=20", "ok-20");
    expect(await seenByCaller(gateway.url, dialect, `${first}-to-${second}`)).toMatchObject(whole);
  });

  test.each(pairs)("a stream of %s that %s says differently ends as broken, once", async (first, second) => {
    faults("cut-after-9-words~words=20", "ok-20");
    gateway.simulator(`second-${second}`).setFault(model, "reasoning");
    const seen = await seenByCaller(gateway.url, dialect, `${first}-to-${second}`);
    expect(seen).toMatchObject({ text: nine, problems: [], terminals: broken[dialect], finalText: undefined });
    expect(seen.error).toBeInstanceOf(Error);
  });

  test.each([...providerKinds])(
    "a stream of %s that breaks where nobody is left ends as broken, once",
    async (first) => {
      for (const fault of ["cut-after-9-words~words=20", "stall-9-words~words=20", ...unrecoverable(first)]) {
        faults(fault, "ok-20");
        const seen = await seenByCaller(gateway.url, dialect, `${first}-alone`);
        expect(seen).toMatchObject({ problems: [], terminals: broken[dialect], finalText: undefined });
      }
    },
  );

  test.each(pairs)("a stream of %s with a tool call or thoughts is not gone on with at %s", async (first, second) => {
    for (const fault of unrecoverable(first)) {
      faults(fault, "ok-20");
      const seen = await seenByCaller(gateway.url, dialect, `${first}-to-${second}`);
      expect(seen).toMatchObject({ problems: [], terminals: broken[dialect], finalText: undefined });
    }
  });
});
