// The load of a scenario, whichever generator makes it.

import type { LeastBytes } from "./compare-answers.ts";
import { masterKey } from "./gateway-settings.ts";
import type { LoadResult } from "./load.ts";
import { runOwnLoad } from "./own-load.ts";
import { encodeRequests } from "./requests.ts";
import type { Scenario } from "./scenarios.ts";
import type { Subject } from "./subjects.ts";
import { runWrkLoad } from "./wrk-load.ts";

export type ApplyLoad = (subject: Subject, durationMs: number, maxRequests?: number) => Promise<LoadResult>;

/** How the scenario loads a subject. */
export function loadOf(scenario: Scenario, leastBodyBytes: LeastBytes, loadBy: "wrk" | "own"): ApplyLoad {
  const { connections, bodyBytes, stream } = scenario;
  return (subject, durationMs, maxRequests) => {
    const requests = encodeRequests({ path: subject.path, bodyBytes, stream: stream !== undefined, key: masterKey });
    const load = { port: subject.port, requests, connections, durationMs };
    if (loadBy === "wrk") return runWrkLoad(load);
    return runOwnLoad({
      ...load,
      // Long enough for a connection each, and no longer than it takes until streams are at different events.
      spreadMs: stream?.kind === "paced" ? Math.min(stream.everyMs * 25, durationMs / 2) : 0,
      leastBodyBytes: leastBodyBytes.get(subject.name) ?? 1,
      latencyUntil: stream?.kind === "paced" ? "first-byte" : "end",
      ...(maxRequests === undefined ? {} : { maxRequests }),
    });
  };
}
