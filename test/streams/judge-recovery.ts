// Makes up a stream that breaks and the targets that go on with it, and says what is wrong with what the caller got.

import { type Draw, drawFrom } from "../support/seeded-random.ts";
import { type AnswerPlan, writeAnswer } from "./chat-writer.ts";
import { type Asked, recoverStream, type Recovery, type Seen, seenByClient, type Sent } from "./recover-stream.ts";

/** What a target that takes over does. Of those that may be asked to go on, the first four; the last four can only go wrong. */
const behaviours = ["whole", "cut", "error", "echo", "diverges", "ends-early", "tool-call", "reasoning"] as const;
export type Behaviour = (typeof behaviours)[number];

/** With text delivered, these end it all. */
export const wrong: readonly Behaviour[] = ["diverges", "ends-early", "tool-call", "reasoning"];

/** How it came out, for tests that want to know that all of it was tried. */
export type Outcome = "unbroken" | "going-on" | "diverged" | "given-up";

const toolCall =
  'data: {"id":"t","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":null}]}\n\n';
const thought = 'data: {"id":"t","choices":[{"index":0,"delta":{"reasoning_content":"hm"},"finish_reason":null}]}\n\n';
const malformed = 'data: {"id":"x","choices":[\n\n';
const error = 'data: {"error":{"message":"overloaded","code":503}}\n\n';

const intruders: Readonly<Partial<Record<Behaviour, { readonly event: string; readonly at?: number }>>> = {
  error: { event: error },
  "tool-call": { event: toolCall, at: 0 },
  reasoning: { event: thought, at: 0 },
};

/** One answer, `text`, at the hands of several targets. Throws when the caller got a wrong byte. */
export function judgeRecovery(
  text: string,
  seed: number,
): { readonly outcome: Outcome; readonly used: readonly Behaviour[] } {
  const draw = drawFrom(seed);
  const wantsUsage = draw(3) !== 0;
  const supportsPrefill = draw(2) === 0;
  const used: Behaviour[] = [];
  const rescuer = ({ prefill, delivered, turn }: Asked): Sent | undefined => {
    if (turn > 4) return undefined;
    if (prefill !== undefined && prefill !== delivered) {
      throw new Error(
        `seed ${seed}: the prefill is ${JSON.stringify(prefill)}, the caller has ${JSON.stringify(delivered)}`,
      );
    }
    const behaviour = chooseBehaviour(prefill, delivered, draw);
    used.push(behaviour);
    return send(behaviour, { name: `next-${turn}`, text: textOf(behaviour, text, prefill, delivered, draw) }, draw);
  };
  const start = draw(6) === 0 ? "error" : "cut";
  const recovery = recoverStream(send(start, { name: "first", text }, draw), rescuer, draw, {
    wantsUsage,
    supportsPrefill,
  });
  const outcome = outcomeOf(recovery);
  const problem = problemWith({ text, wantsUsage, used, recovery, outcome });
  if (problem !== undefined) {
    const got = new TextDecoder().decode(recovery.bytes);
    throw new Error(
      `seed ${seed}: ${problem}\n${JSON.stringify({ text, used, ...recovery, bytes: got }, undefined, 1)}`,
    );
  }
  return { outcome, used };
}

/** Nothing can differ from no text. */
function chooseBehaviour(prefill: string | undefined, delivered: string, draw: Draw): Behaviour {
  const choices = prefill !== undefined ? 4 : delivered === "" ? 3 : behaviours.length;
  return draw(2) === 0 ? "whole" : (behaviours[draw(choices)] ?? "whole");
}

export function textOf(
  behaviour: Behaviour,
  text: string,
  prefill: string | undefined,
  delivered: string,
  draw: Draw,
): string {
  if (behaviour === "ends-early") return text.slice(0, draw(delivered.length));
  if (behaviour === "diverges") {
    const at = draw(delivered.length);
    return `${text.slice(0, at)}${text[at] === "#" ? "%" : "#"}${text.slice(at + 1)}`;
  }
  return prefill === undefined || behaviour === "echo" ? text : text.slice(prefill.length);
}

/** The stream of a target that behaves so; any may have a malformed event too many. */
export function send(behaviour: Behaviour, answer: Pick<AnswerPlan, "name" | "text">, draw: Draw): Sent {
  const intruder = intruders[behaviour] ?? (draw(6) === 0 ? { event: malformed } : undefined);
  const events = writeAnswer(
    {
      ...answer,
      usage: draw(3) === 0 ? undefined : { prompt_tokens: 5 + draw(50), completion_tokens: 1 + draw(50) },
      ...(intruder === undefined ? {} : { intruder: { at: draw(1000), ...intruder } }),
    },
    draw,
  );
  const bytes = new TextEncoder().encode(events.join(""));
  return behaviour === "cut" ? { bytes: bytes.subarray(0, draw(bytes.length + 1)), reset: draw(2) === 0 } : { bytes };
}

function outcomeOf({ complete, states }: Recovery): Outcome {
  if (complete) return states.length === 0 ? "unbroken" : "going-on";
  return states.at(-1) === "diverged" ? "diverged" : "given-up";
}

interface Judged {
  readonly text: string;
  readonly wantsUsage: boolean;
  readonly used: readonly Behaviour[];
  readonly recovery: Recovery;
  readonly outcome: Outcome;
}

function problemWith(judged: Judged): string | undefined {
  const { text, used, recovery, outcome } = judged;
  const seen = seenByClient(recovery.bytes);
  if (!text.startsWith(seen.text)) return `the caller has ${JSON.stringify(seen.text)}`;
  if (seen.identities.size > 1) return "the answer changed its identity";
  if (seen.usages.length > 1) return "usage came twice";
  const [atBreak] = recovery.lengths;
  const rolesBefore = atBreak === undefined ? 0 : seenByClient(recovery.bytes.subarray(0, atBreak)).roles;
  if (rolesBefore > 0 && seen.roles > rolesBefore) return "the role came again";
  const isWrong = wrong.includes(used.at(-1) ?? "whole");
  switch (outcome) {
    case "unbroken":
    case "going-on":
      if (isWrong) return "an answer that differs was taken";
      if (seen.text !== text) return `text is missing: ${JSON.stringify(seen.text)}`;
      if (seen.finishes !== 1 || seen.terminals !== 1) return `${seen.finishes} finishes, ${seen.terminals} terminals`;
      return usageProblem(judged, seen);
    case "diverged":
      if (!isWrong) return "an answer that fits was refused";
      break;
    case "given-up":
      if (isWrong) return "the difference was not seen";
      if (recovery.obstacle !== "finished" && used.length < 4) return `given up: ${recovery.obstacle}`;
      break;
  }
  if (outcome === "diverged" && recovery.bytes.length !== recovery.lengths.at(-1))
    return "something of it was delivered";
  return seen.terminals === 0 ? undefined : "a broken answer has a terminal";
}

/** The caller's numbers are those that are billed, of all parts together. */
function usageProblem({ wantsUsage, recovery: { parts, lastFacts } }: Judged, seen: Seen): string | undefined {
  const [usage] = seen.usages;
  if (usage === undefined) return wantsUsage && lastFacts.usage !== undefined ? "usage is missing" : undefined;
  if (!wantsUsage && seen.events.some((data) => data.includes('"choices":[]') && data.includes("prompt_tokens"))) {
    return "an event with usage alone, which nobody asked for";
  }
  const all = [...parts, lastFacts].map((facts) => facts.usage);
  const input = all.reduce((sum, each) => sum + (each?.inputTokens ?? Number.NaN), 0);
  const output = all.reduce((sum, each) => sum + (each?.outputTokens ?? Number.NaN), 0);
  if (usage["prompt_tokens"] !== input || usage["completion_tokens"] !== output) {
    return `usage is ${JSON.stringify(usage)} instead of ${input} and ${output}`;
  }
  const isEstimated = parts.some((part) => part.usage?.caveat !== undefined);
  return (usage["estimated"] === true) === isEstimated ? undefined : "an estimate is not marked, or the mark is wrong";
}
