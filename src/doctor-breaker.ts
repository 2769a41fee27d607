// What the circuit breaker of a virtual model's first target does: failures until it opens, one request more, and its way back.

import type { Config } from "./config/config.ts";
import type { Dialect } from "./core/chat-request.ts";
import type { Clock } from "./core/clock.ts";
import { type Target, targetName } from "./core/target.ts";
import { ask } from "./cli/doctor/ask.ts";
import { durationText } from "./cli/doctor/duration-text.ts";
import type { BreakerStory } from "./cli/doctor/findings.ts";
import { judge } from "./cli/doctor/judge.ts";
import { type CallOutcome, outcomeText } from "./cli/doctor/outcome.ts";
import { findFault } from "./upstream-simulator/faults.ts";
import type { TestedModel } from "./doctor-config.ts";
import { startInstance } from "./doctor-instance.ts";
import { spokenBy } from "./doctor-wire.ts";

const fault = "status-503";
/** In a rotation, the turn of a target of ordinary weight comes within so many requests for each target. */
const requestsPerTarget = 10;
/** More failures than this are not tried. */
const mostFailures = 50;

/** In an instance of its own, with buffered requests one after the other. */
export async function breakerStory(
  config: Config,
  model: TestedModel,
  clock: Clock,
  { longestMs }: { readonly longestMs: number },
): Promise<BreakerStory> {
  const [first] = model.targets;
  if (first === undefined) throw new Error("a route has a target");
  const target = targetName(first);
  const policy = config.providers.find(({ name }) => name === first.providerName)?.resilience.breaker;
  const tell = (...events: string[]): BreakerStory => ({ model: model.name, target, events });
  if (policy === undefined || !policy.enabled || policy.failureThreshold === 0) {
    return tell("off: a target that keeps failing is called every time");
  }
  const { failureThreshold, timeoutMs, scope } = policy;
  if (failureThreshold > mostFailures)
    return tell(`opens after ${failureThreshold} failures in a row: too many to try`);

  const instance = startInstance(config, model.reachable, clock);
  const request = async (): Promise<{ readonly outcome: CallOutcome; readonly asked: boolean }> => {
    const before = instance.calls().length;
    const patienceMs = (model.targets.length + 2) * Math.max(longestMs, 1000);
    const seen = await ask({ url: instance.url, model: model.name, mode: "buffered", choices: 1, patienceMs, clock });
    const calls = instance.calls().slice(before);
    const description = findFault(fault)?.fault;
    if (description === undefined) throw new Error(`the simulator knows ${fault}`);
    const speaks = (of: Target): Dialect => spokenBy(config, of, clock);
    const { bugs } = instance;
    const outcome = judge({ mode: "buffered", seen, calls, faulty: [], fault: description, speaks, bugs });
    return { outcome, asked: calls.some((call) => targetName(call) === target) };
  };
  /** In turn, every target is the first one of some request; otherwise the same one of every request. */
  const requestsPerRound = model.strategy === "round_robin" ? model.reachable.length * requestsPerTarget : 1;
  /** Requests until one has called the target, a round at most. */
  const untilAsked = async (): Promise<{ readonly outcome: CallOutcome; readonly asked: boolean }> => {
    let last = await request();
    for (let more = 1; more < requestsPerRound && !last.asked; more++) last = await request();
    return last;
  };
  try {
    instance.setFault(first, fault);
    for (let failure = 0; failure < failureThreshold; failure++) await untilAsked();
    const open = await untilAsked();
    const guarded = scope === "provider" ? `all of ${first.providerName}` : target;
    const failures = failureThreshold === 1 ? `one ${fault}` : `${failureThreshold} times ${fault}`;
    if (open.asked) return tell(`stays closed after ${failures}: ${target} is still called`);
    const skipped = `after ${failures}${failureThreshold === 1 ? "" : " in a row"} it opens for ${guarded}; the next request does not call ${target}: ${outcomeText([open.outcome])}`;
    instance.setFault(first, "ok");
    await new Promise<void>((resolve) => clock.schedule(timeoutMs, resolve));
    const probe = await untilAsked();
    const after = probe.asked ? outcomeText([probe.outcome]) : `${target} is still not called`;
    return tell(skipped, `${durationText(timeoutMs)} later, ${target} healthy again: ${after}`);
  } finally {
    await instance.stop();
  }
}
