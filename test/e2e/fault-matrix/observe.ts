// Runs one cell as a caller would, and tells what that caller saw.

import type { SimulatorCall } from "../../../src/upstream-simulator/simulator-call.ts";
import { askAs } from "./ask-as.ts";
import type { Cell } from "./cell.ts";
import type { FaultGateway } from "./fault-gateway.ts";
import { saidText } from "./said.ts";
import { readStream } from "./read-answer.ts";

export interface Observation {
  /** Undefined when the caller left before there was one. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly body: string;
  /** From asking to the end. */
  readonly ms: number;
  /** What the caller's own client said, other than that it left. */
  readonly trouble: string | undefined;
  /** From leaving until the provider's connection was closed; undefined when none was open, or nobody left. */
  readonly closedAfterMs: number | undefined;
}

/** Longest wait for the moment to leave. */
const patienceMs = 10_000;

export async function observe(cell: Cell, faultGateway: FaultGateway): Promise<Observation> {
  const abort = new AbortController();
  const begun = performance.now();
  const seen = { status: undefined as number | undefined, headers: undefined as Headers | undefined, body: "" };
  let trouble: string | undefined;
  const asked = ask(cell, faultGateway, abort.signal, seen).catch((error: unknown) => {
    if (!abort.signal.aborted) trouble = String(error);
  });
  let closedAfterMs: number | undefined;
  if (cell.caller !== "stays") {
    const late = await momentToLeave(
      cell,
      faultGateway,
      () => seen.body,
      () => seen.status !== undefined,
    );
    trouble ??= late;
    const open = callsOf(cell, faultGateway).filter(({ call }) => call.answeredAt === undefined);
    abort.abort();
    closedAfterMs = await closingOf(open);
  }
  await asked;
  return { ...seen, ms: performance.now() - begun, trouble, closedAfterMs };
}

async function ask(
  cell: Cell,
  { gateway }: FaultGateway,
  signal: AbortSignal,
  seen: { status: number | undefined; headers: Headers | undefined; body: string },
): Promise<void> {
  const response = await askAs(cell, gateway.url, signal);
  seen.status = response.status;
  seen.headers = response.headers;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const bytes of response.body ?? []) seen.body += decoder.decode(bytes, { stream: true });
  seen.body += decoder.decode();
}

interface FoundCall {
  /** `provider/model`. */
  readonly target: string;
  readonly call: SimulatorCall;
  closed(timeoutMs: number): Promise<number>;
}

export function callsOf(cell: Cell, { simulatorOf }: FaultGateway): FoundCall[] {
  return cell.targets.flatMap((target) => {
    const simulator = simulatorOf(target);
    const name = `${target.providerName}/${target.model}`;
    return simulator.calls.flatMap((call, index) =>
      call.model === target.model
        ? [{ target: name, call, closed: (timeoutMs: number) => simulator.waitForClosed(index, timeoutMs) }]
        : [],
    );
  });
}

/** Undefined at the right moment; else why it did not come. */
async function momentToLeave(
  cell: Cell,
  faultGateway: FaultGateway,
  body: () => string,
  answered: () => boolean,
): Promise<string | undefined> {
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const calls = callsOf(cell, faultGateway);
    if (calls.length > 0 && (answered() || cell.caller === "leaves at once")) {
      if (cell.caller !== "leaves while held" || hasArrived(cell, body())) return undefined;
    } else if (calls.length > 0) {
      const isOver = calls.every(({ call }) => call.answeredAt !== undefined || call.closedByPeerAt !== undefined);
      if (isOver || holdsBeforeAnswer(cell)) {
        // Time for the gateway to have read what was sent, and to wait.
        await Bun.sleep(40);
        return undefined;
      }
    }
    await Bun.sleep(2);
  }
  return "the moment to leave did not come";
}

function heldTarget(cell: Cell) {
  return cell.targets.find(({ open }) => !open);
}

function holdsBeforeAnswer(cell: Cell): boolean {
  const holds = heldTarget(cell)?.ending.holds;
  return cell.caller === "leaves while held" && holds !== "relaying" && holds !== "after-finish";
}

/** Everything that the provider said before it fell silent has come. */
function hasArrived(cell: Cell, body: string): boolean {
  const target = heldTarget(cell);
  if (target === undefined || target.ending.kind === "failed" || target.ending.kind === "in-band") return true;
  const { text, finished } = readStream(body, cell.asks);
  // Of a translated answer only a caller of chat completions is told why it ended before its end, and Gemini's reason may not be the last one.
  const isTold = target.speaks === cell.asks || (cell.asks === "chat-completions" && target.speaks !== "gemini");
  const isAfterFinish = isTold && target.ending.holds === "after-finish";
  return text === saidText(target.ending.said, target.model) && (finished || !isAfterFinish) && body !== "";
}

async function closingOf(open: readonly FoundCall[]): Promise<number | undefined> {
  let longest: number | undefined;
  for (const { closed } of open) longest = Math.max(longest ?? 0, await closed(5000).catch(() => Infinity));
  return longest;
}
