// A stream of a dialect that nothing can follow: recovery may be configured, a break ends it as if it were not.

import { expect, test } from "bun:test";
import { benchDialect } from "../../test/support/bench-dialect.ts";
import { beginningOf } from "../../test/support/chat-events.ts";
import { ChatProvider } from "../../test/support/chat-provider.ts";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { describeTurns } from "../../test/support/gateway-bench.ts";
import { recoveryBench } from "../../test/support/recovery-bench.ts";
import type { CallerDialect } from "../core/stream-recovery.ts";

const { streamContentType, heartbeat, errorBody, streamError, failureEvent } = benchDialect;
const dialect: CallerDialect = { streamContentType, heartbeat, errorBody, streamError, failureEvent };

test("ends with the dialect's own error, and the second target is not asked", async () => {
  const clock = new FakeClock();
  const script = [...beginningOf("a", "The quick brown fox", 2), "CUT"] as const;
  const providers = ["a", "b"].map((name) => new ChatProvider(name, clock, [[...script]]));
  const call = recoveryBench(clock, providers, { dialect }).stream();
  expect(await call.bytes()).toMatch(/!stream_incomplete: [^!]+$/);
  expect(describeTurns(call.record)).toEqual(["a/m: first 200 -> truncated"]);
  expect(call.record.streamRecovery).toBeUndefined();
  expect(call.record.streamError).toBeDefined();
  expect(providers[1]?.asked).toEqual([]);
});
