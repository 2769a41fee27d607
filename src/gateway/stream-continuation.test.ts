// What a target that is to go on with a broken stream is asked, and what becomes of its answer.

import { expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { FakeProvider, statusFailure } from "../../test/support/fake-provider.ts";
import type { ModelRequest } from "../core/model-request.ts";
import type { PreparedCall, UpstreamAnswer } from "../core/provider.ts";
import type { DeliveredStream } from "../core/stream-recovery.ts";
import { ReaderChain, StreamContinuation } from "./stream-continuation.ts";

const target = { providerName: "b", model: "m" };

function answerThat(onCancel: () => void): UpstreamAnswer {
  const body = { read: () => undefined, started() {}, cancel: onCancel };
  const step = { relay: undefined, events: 0, finished: false, complete: false, failure: undefined, inBand: false };
  const facts = { usage: undefined, emptyReason: undefined };
  const reader = { contentType: "text/event-stream", push: () => step, end: () => step, facts: () => facts };
  return { status: 200, headers: [], body, reader };
}

/** Nothing can be resumed: following was a mistake of ours. */
const delivered: DeliveredStream = {
  took() {},
  obstacle: () => undefined,
  continuation: () => undefined,
  resume() {
    throw new TypeError("oops");
  },
  brokenParts: () => [],
};

function continuing(call: PreparedCall): PreparedCall {
  const provider = new FakeProvider("b", new FakeClock(), []);
  provider.prepare = () => call;
  const chain = new ReaderChain(delivered, answerThat(() => {}).reader, target);
  return new StreamContinuation(chain, {} as ModelRequest, target).prepare(provider, "m", undefined);
}

test("an answer that cannot be joined to what was delivered has its body closed", async () => {
  let cancelled = 0;
  const call = continuing({ send: () => Promise.resolve(answerThat(() => void cancelled++)) });
  const error = await call.send({ idempotencyKey: undefined }).catch((thrown: unknown) => thrown);
  expect(error).toEqual(new TypeError("oops"));
  expect(cancelled).toBe(1);
});

test("what a target is asked instead, without what it refused, goes on with the stream as well", async () => {
  let cancelled = 0;
  const reduced: PreparedCall = { send: () => Promise.resolve(answerThat(() => void cancelled++)) };
  const refused = statusFailure(400);
  const call = continuing({
    send: () => Promise.reject(refused),
    insteadAfter: (failure) => (failure === refused ? reduced : undefined),
  });
  expect(call.insteadAfter?.(statusFailure(500))).toBeUndefined();
  // It is read by what follows the stream, which is where the mistake of this test sits.
  const sent = call.insteadAfter?.(refused)?.send({ idempotencyKey: undefined });
  expect(await sent?.catch((thrown: unknown) => thrown)).toEqual(new TypeError("oops"));
  expect(cancelled).toBe(1);
});
