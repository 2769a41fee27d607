// Many streams at once of which half lose their caller at a random moment.

import { eventually } from "../support/eventually.ts";
import { callStreams } from "./stream-caller.ts";
import type { WatchedGateway } from "./watched-gateway.ts";
import { wholeAnswer } from "./whole-answer.ts";

export interface CrowdFigures {
  /** Bodies of the callers who stayed, each once. */
  readonly bodies: ReadonlySet<string | undefined>;
  readonly stayed: number;
  readonly left: number;
  readonly peakMegabytes: number;
  readonly peakSockets: number;
  /** From the last departure until no stream of a caller who left was open upstream, milliseconds. */
  readonly closedAfterMs: number;
}

export interface CrowdOptions {
  readonly streams: number;
  readonly model: string;
  /** In which they leave: well before the end of a stream, so that a stream that is left is one under way. */
  readonly leavingMs: number;
  readonly random: () => number;
}

export async function leavingCrowd(
  { gateway, simulator, now }: WatchedGateway,
  { streams, model, leavingMs, random }: CrowdOptions,
): Promise<CrowdFigures> {
  const callers = await callStreams(gateway.port, Array(streams).fill(`openai/${model}`));
  const leaving = callers.filter((_, index) => index % 2 === 1);
  const staying = callers.filter((_, index) => index % 2 === 0);
  let lastDeparture = 0;
  for (const [index, caller] of leaving.entries()) {
    setTimeout(() => {
      caller.leave(index % 2 === 0 ? "FIN" : "RST");
      lastDeparture = performance.now();
    }, random() * leavingMs);
  }
  await Bun.sleep(leavingMs / 4);
  const peak = now();
  await Promise.all(leaving.map((caller) => caller.ended));
  const left = performance.now();
  // Who leaves after the end of the stream leaves a connection that is kept.
  const late = (await Promise.all(leaving.map((caller) => caller.ended))).filter((answer) => wholeAnswer(answer));
  await eventually(
    "the streams of those who left are closed upstream",
    () => simulator.openSockets <= staying.length + late.length,
  );
  const closedAfterMs = performance.now() - Math.max(left, lastDeparture);
  const answers = await Promise.all(staying.map((caller) => caller.ended));
  return {
    bodies: new Set(answers.map((answer) => wholeAnswer(answer)?.body)),
    stayed: staying.length,
    left: leaving.length - late.length,
    peakMegabytes: peak.rssMegabytes,
    peakSockets: peak.sockets,
    closedAfterMs,
  };
}
