// Makes up a request, its targets and all that goes wrong at them, sends it through a gateway, and says what is wrong with what the caller got.

import { Failure } from "../../src/core/failure.ts";
import type { RequestRecord } from "../../src/core/record.ts";
import type { ResumeRule } from "../../src/core/resume-rule.ts";
import { type ChatAsked, type ChatPiece, ChatProvider, type ChatScript } from "../support/chat-provider.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { statusFailure, transportFailure } from "../support/fake-provider.ts";
import { recoveryBench } from "../support/recovery-bench.ts";
import { type Draw, drawFrom } from "../support/seeded-random.ts";
import { type Behaviour, send, textOf, wrong } from "./judge-recovery.ts";
import { type Seen, seenByClient, type Sent } from "./recover-stream.ts";

/** What a target did when it was asked; `down`: no answer came of it, `refuses`: with a 4xx, because it was asked to go on. */
type Deed = Behaviour | "down" | "refuses";

/** How it came out. */
type RescueOutcome = "whole" | "recovered" | "diverged" | "impossible" | "exhausted" | "error-status";

export interface Rescued {
  readonly outcome: RescueOutcome;
  readonly mode: "continue" | "buffer";
  readonly deeds: readonly Deed[];
}

const names = ["a", "b", "c", "d"];
const fresh: readonly Deed[] = ["whole", "cut", "error", "down", "diverges", "ends-early", "tool-call", "reasoning"];
const goingOn: readonly Deed[] = ["whole", "cut", "error", "echo", "refuses", "down"];
/** Before anything is delivered, and when nothing is until the end. */
const unseen: readonly Deed[] = ["whole", "cut", "error", "down"];
/** Of the first target: what is delivered of the last two cannot be gone on with. */
const beginnings: readonly Deed[] = [
  "cut",
  "cut",
  "cut",
  "cut",
  "error",
  "error",
  "whole",
  "down",
  "tool-call",
  "reasoning",
];
const rules: readonly (ResumeRule | undefined)[] = [undefined, "prefill", "prefill", "fresh"];

/** One answer, `text`, at the hands of two to four targets. Rejects when the caller got a wrong byte, or less than there was to be had. */
export async function judgeRescue(text: string, seed: number): Promise<Rescued> {
  const draw = drawFrom(seed);
  const mode = draw(5) === 0 ? "buffer" : "continue";
  const wantsUsage = draw(3) !== 0;
  const got: Uint8Array[] = [];
  const deeds: Deed[] = [];
  const targets = names.slice(0, 2 + draw(3));
  const problems: string[] = [];

  const scriptOf =
    (name: string, rule: ResumeRule | undefined) =>
    (asked: ChatAsked): ChatScript => {
      const delivered = seenByClient(joined(got)).text;
      const { prefill } = asked;
      if (prefill !== undefined && prefill !== delivered) problems.push(`${name} was given ${JSON.stringify(prefill)}`);
      const begins = name === "a" && mode === "continue";
      const isWell = !begins && draw(2) === 0;
      const may = begins ? beginnings : deedsFor(mode, prefill, rule, delivered);
      const deed = (isWell ? undefined : choose(may, draw)) ?? "whole";
      deeds.push(deed);
      if (deed === "refuses") return statusFailure(choose([400, 404, 422], draw) ?? 400);
      if (deed === "down") return choose([statusFailure(500), statusFailure(429), transportFailure(), []], draw) ?? [];
      const isGoingOn = prefill !== undefined && rule === "prefill";
      const said = textOf(deed, text, isGoingOn ? prefill : undefined, delivered, draw);
      const sent = send(deed, { name, text: said }, draw);
      const isBroken = begins && wrong.some((each) => each === deed);
      return piecesOf(isBroken ? { bytes: sent.bytes.subarray(0, draw(sent.bytes.length + 1)) } : sent, draw);
    };

  const clock = new FakeClock();
  const providers = targets.map((name) => {
    const rule = choose(rules, draw);
    return new ChatProvider(name, clock, scriptOf(name, rule), rule === undefined ? {} : { prefill: rule });
  });
  const bench = recoveryBench(clock, providers, { streamRecovery: mode });
  const call = bench.stream(wantsUsage ? { stream_options: { include_usage: true } } : {}, { deadlineMs: 60_000 });
  const answer = await call.outcome;
  if (!(answer instanceof Failure)) {
    for (let piece: Uint8Array | undefined = answer.first; piece !== undefined; piece = await answer.next()) {
      got.push(piece.slice());
    }
  }
  const { record } = call;
  const outcome = answer instanceof Failure ? "error-status" : (record.streamRecovery ?? "whole");
  const bytes = joined(got);
  try {
    problems.push(...problemsOf({ text, mode, wantsUsage, targets, deeds, outcome, bytes, record }));
    if (bench.turnsEnded.length !== record.turns.length) problems.push("a turn has not ended");
    if (clock.pending > 0) problems.push("a timer is still running");
  } catch (error) {
    problems.push(String(error));
  }
  if (problems.length > 0) {
    const seen = new TextDecoder().decode(bytes);
    const told = JSON.stringify({ text, mode, targets, deeds, outcome, turns: record.turns, seen }, undefined, 1);
    throw new Error(`seed ${seed}: ${problems.join("; ")}\n${told}`);
  }
  return { outcome, mode, deeds };
}

function deedsFor(
  mode: Rescued["mode"],
  prefill: string | undefined,
  rule: ResumeRule | undefined,
  delivered: string,
): readonly Deed[] {
  if (mode === "buffer" || delivered === "") return unseen;
  if (prefill === undefined) return fresh;
  // One that is known to send the text back does.
  return rule === "fresh" ? goingOn.filter((deed) => deed !== "echo") : goingOn;
}

function choose<Value>(values: readonly Value[], draw: Draw): Value | undefined {
  return values[draw(values.length)];
}

/** In reads of any size, some of which have to be waited for. */
function piecesOf({ bytes, reset = false }: Sent, draw: Draw): ChatPiece[] {
  const pieces: ChatPiece[] = [];
  const longest = 1 + draw(draw(2) === 0 ? 12 : 600);
  for (let from = 0; from < bytes.length;) {
    const to = from + 1 + draw(longest);
    if (draw(3) === 0) pieces.push(0);
    pieces.push(bytes.subarray(from, to));
    from = to;
  }
  if (reset) pieces.push("CUT");
  return pieces;
}

interface Judged {
  readonly text: string;
  readonly mode: Rescued["mode"];
  readonly wantsUsage: boolean;
  readonly targets: readonly string[];
  readonly deeds: readonly Deed[];
  readonly outcome: RescueOutcome;
  readonly bytes: Uint8Array;
  readonly record: RequestRecord;
}

function problemsOf(judged: Judged): string[] {
  const { text, outcome, deeds, bytes, record, targets } = judged;
  const { good, error } = parted(bytes);
  const seen = seenByClient(good);
  const problems: string[] = [];
  const demand = (holds: boolean, problem: string): void => void (holds || problems.push(problem));
  demand(text.startsWith(seen.text), `the caller has ${JSON.stringify(seen.text)}`);
  demand(seen.identities.size <= 1 || hasForeignEvent(good), "the answer changed its identity");
  demand(seen.usages.length <= 1, "usage came twice");
  const isWhole = outcome === "whole" || outcome === "recovered";
  // The first target's own deeds are part of a stream, not a difference from one.
  const last = deeds.at(-1);
  const isWrong = deeds.length > 1 && wrong.some((deed) => deed === last);
  if (isWhole && error === undefined) {
    demand(!isWrong, "an answer that differs was taken");
    demand(seen.text === text, `text is missing: ${JSON.stringify(seen.text)}`);
    demand(seen.finishes === 1 && seen.terminals === 1, `${seen.finishes} finishes, ${seen.terminals} terminals`);
    problems.push(...usageProblems(judged, seen));
    return problems;
  }
  demand(seen.terminals === 0, "a broken answer has a terminal");
  demand((error === undefined) === (outcome === "error-status"), "the break is not told, or told in vain");
  demand(record.failure !== undefined, "the record has no failure");
  const everybodyAsked = record.turns.length === targets.length;
  switch (outcome) {
    case "whole":
    case "recovered":
      problems.push("an error event after a whole answer");
      break;
    case "diverged":
      demand(isWrong, "an answer that fits was refused");
      break;
    case "impossible":
      demand(hasObstacle(good, seen), "somebody could have gone on");
      break;
    case "exhausted":
    case "error-status":
      demand(everybodyAsked, "not everybody was asked");
      demand(!isWrong, "the difference was not seen");
      demand(last !== "whole" && last !== "echo", "a whole answer was thrown away");
      break;
  }
  return problems;
}

/** What is good of it, and the event that ends it. */
function parted(bytes: Uint8Array): { readonly good: Uint8Array; readonly error: string | undefined } {
  const text = new TextDecoder().decode(bytes);
  const at = text.lastIndexOf('data: {"error":');
  if (at < 0 || text.indexOf("\n\n", at) + 2 !== text.length) return { good: bytes, error: undefined };
  return { good: new TextEncoder().encode(text.slice(0, at)), error: text.slice(at) };
}

function hasObstacle(bytes: Uint8Array, seen: Seen): boolean {
  return seen.finishes > 0 || hasForeignEvent(bytes);
}

/** A tool call or a thought, which are written with an identity of their own. */
function hasForeignEvent(bytes: Uint8Array): boolean {
  return /"tool_calls"|"reasoning_content"/.test(new TextDecoder().decode(bytes));
}

/** The caller's numbers are those of all parts together that it has got; what was held back and thrown away is only billed. */
function usageProblems({ mode, wantsUsage, record }: Judged, seen: Seen): string[] {
  const [usage] = seen.usages;
  const parts = mode === "buffer" ? [] : record.brokenParts.map(({ facts }) => facts);
  const all = [...parts, record.facts].map((facts) => facts?.usage);
  const thrownAway = record.turns.flatMap(({ attempts }) =>
    attempts.filter((attempt) => attempt.thrownAway !== undefined),
  );
  if (mode === "buffer" && record.brokenParts.length !== thrownAway.length)
    return ["what was thrown away is not billed"];
  if (usage === undefined) return wantsUsage && record.facts?.usage !== undefined ? ["usage is missing"] : [];
  const input = all.reduce((sum, each) => sum + (each?.inputTokens ?? Number.NaN), 0);
  const output = all.reduce((sum, each) => sum + (each?.outputTokens ?? Number.NaN), 0);
  const isRight = usage["prompt_tokens"] === input && usage["completion_tokens"] === output;
  return isRight ? [] : [`usage is ${JSON.stringify(usage)} instead of ${input} and ${output}`];
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}
