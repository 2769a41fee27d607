// Many streams at once, each with a fault of its own choice, and how each of them ended.

import { faults } from "../../src/upstream-simulator/faults.ts";
import { readError, readStream } from "../e2e/fault-matrix/read-answer.ts";
import { callStreams } from "./stream-caller.ts";
import { wholeAnswer } from "./whole-answer.ts";

/** Too big for a thousand of them at once; or comments in mid-stream for ever, which only the caller or REQUEST_DEADLINE ends. */
const leftOut = /endless|large|enormous|bomb|bytes|json-deep|head-many|heartbeats-middle/;

/** Faults of streams, with every form that their list of examples has. */
export const streamFaults: readonly string[] = faults
  .filter(({ name, modes }) => modes.includes("stream") && !leftOut.test(name))
  .flatMap(({ examples }) => examples)
  .filter((example) => !example.includes(","));

/** Those that show what they are within a second or so. */
export const quickStreamFaults = streamFaults.filter((model) => !/after-finish|trickle|slow/.test(model));

export interface StreamEnd {
  readonly model: string;
  readonly end: "done" | "error-event" | "error-status" | "wrong";
  /** What is wrong with it. */
  readonly why: string;
}

export async function faultyStreams(
  port: number,
  choice: readonly string[],
  streams: number,
  random: () => number,
): Promise<readonly StreamEnd[]> {
  const models = Array.from({ length: streams }, () => choice[Math.floor(random() * choice.length)] ?? "");
  const callers = await callStreams(
    port,
    models.map((model) => `openai/${model}`),
  );
  const answers = await Promise.all(callers.map((caller) => caller.ended));
  return answers.map((answer, index) => ({ model: models[index] ?? "", ...endOf(answer) }));
}

function endOf(answer: string): Omit<StreamEnd, "model"> {
  const whole = wholeAnswer(answer);
  if (whole === undefined) return { end: "wrong", why: answer.slice(-300) };
  const { status, body: text } = whole;
  if (status !== 200) {
    const right = status >= 400 && readError(text, "chat-completions")?.isComplete === true;
    return { end: right ? "error-status" : "wrong", why: `${status} ${text.slice(-200)}` };
  }
  const { end, problems, rest } = readStream(text, "chat-completions");
  if (end === undefined || rest !== "") return { end: "wrong", why: `${problems.join()} then ${text.slice(-300)}` };
  return { end: end.kind === "whole" ? "done" : "error-event", why: "" };
}
