// What must hold when a provider restarts under load: errors only while the policy says so, and an end of them soon after.

import { expect } from "bun:test";
import { readError, readStream } from "../e2e/fault-matrix/read-answer.ts";
import { spread } from "./spread.ts";
import type { Answer } from "./steady-load.ts";
import { askedModels, breakerTimeoutMs, type RestartOptions, restartUpstream } from "./upstream-restarts.ts";

/** For the last retry before the return, the probe, and a busy machine. */
const slackMs = 500;

type Outcome = "whole" | "cut" | "unreachable" | "circuit-open" | "wrong";

export async function judgeRestarts(options: RestartOptions): Promise<void> {
  const { answers, downtimes, errors } = await restartUpstream(options);
  const judged = answers.map((answer) => ({ ...answer, outcome: outcomeOf(answer) }));
  const counts = Object.entries(Object.groupBy(judged, ({ outcome }) => outcome));
  const recoveries = downtimes.map(({ to }, index) => {
    const until = downtimes[index + 1]?.from ?? Infinity;
    const failed = judged.filter(({ outcome, endedAt }) => outcome !== "whole" && endedAt > to && endedAt < until);
    return Math.max(0, ...failed.map(({ endedAt }) => endedAt - to));
  });
  console.log(
    `${options.restarts} restarts, ${options.downMs} ms each: ${counts.map(([outcome, some]) => `${some.length} ${outcome}`).join(", ")}; ` +
      `last failure after the return, ms: ${spread(recoveries)} (breaker ${breakerTimeoutMs} ms)`,
  );
  expect(errors).toEqual([]);
  expect(judged.filter(({ outcome }) => outcome === "wrong")).toEqual([]);
  // A failure lies in a time without the provider, or in the time that the breaker then takes to notice its return.
  const failures = judged.filter(({ outcome }) => outcome !== "whole");
  expect(
    failures.filter(
      ({ sentAt, endedAt }) =>
        !downtimes.some(({ from, to }) => endedAt >= from && sentAt <= to + breakerTimeoutMs + slackMs),
    ),
  ).toEqual([]);
  // With a second target nobody notices, except those whose answer had begun.
  const covered = failures.filter(({ model }) => askedModels.covered.includes(model));
  expect(covered.filter(({ outcome, stream }) => outcome !== "cut" || !stream)).toEqual([]);
  // The load was there to see it.
  const outcomes = new Set(judged.map(({ outcome }) => outcome));
  expect(outcomes.intersection(new Set<Outcome>(["circuit-open", "cut", "whole"])).size).toBe(3);
}

function outcomeOf({ status, stream, text }: Answer): Outcome {
  if (status === 200 && !stream) return text.endsWith("}") ? "whole" : "wrong";
  if (status === 200) {
    const { end } = readStream(text, "chat-completions");
    if (end?.kind === "whole") return "whole";
    return end?.code === "stream_incomplete" ? "cut" : "wrong";
  }
  if (status === 503 && codeOf(text) === "circuit_open") return "circuit-open";
  return status === 502 ? "unreachable" : "wrong";
}

function codeOf(text: string): unknown {
  return readError(text, "chat-completions")?.code;
}
