// Says what is wrong with a delivery, by the rules and by an independent parser that reads it as a client would.

import { createParser } from "eventsource-parser";
import { isListed } from "../../src/core/http-status.ts";
import { defaultBreaker } from "../support/fake-provider.ts";
import { type Delivery, deliverPieces, type Pieces } from "./deliver-pieces.ts";
import { type Expected, expectedDelivery } from "./expected-delivery.ts";

/** Throws an error that names `what` when anything differs from the rules. */
export async function judgeDelivery(what: string, given: Pieces, expected = expectationOf(given)): Promise<Expected> {
  const delivery = await deliverPieces(given);
  const problem = problemWith(delivery, expected);
  if (problem !== undefined) {
    const got = delivery.bytes.toString("latin1");
    throw new Error(`${what}: ${problem}\nexpected ${JSON.stringify(expected)}\ngot ${JSON.stringify(got)}`);
  }
  return expected;
}

export function expectationOf({ pieces, ending, cutUsageEvent }: Pieces): Expected {
  return expectedDelivery(Buffer.concat(pieces).toString("latin1"), ending, cutUsageEvent);
}

function problemWith(delivery: Delivery, expected: Expected): string | undefined {
  const { refusal, bytes, turn, verdicts, streamError } = delivery;
  if (!delivery.connectionEnded) return "the connection to the provider was left open";
  if (delivery.timers > 0) return `${delivery.timers} timers were left behind`;
  if (verdicts.length !== 1) return `${verdicts.length} verdicts`;
  const [verdict] = verdicts;
  if (expected.kind === "refused") {
    if (refusal === undefined) return "an answer was committed";
    if (refusal.status !== expected.status) return `refused with ${refusal.status}`;
    const counts = isListed(refusal.status, defaultBreaker.failureOnStatuses);
    if (verdict !== (counts ? "failure" : "success")) return `the verdict is ${verdict}`;
    return turn.outcome === "failed" && !turn.committed ? undefined : `the turn is ${turn.outcome}`;
  }
  if (refusal !== undefined) return `refused: ${refusal.message}`;
  const wanted = expected.kind === "whole" ? "succeeded" : "truncated";
  if (turn.outcome !== wanted) return `the turn is ${turn.outcome}`;
  if (turn.attempts.at(-1)?.outcome !== (expected.kind === "whole" ? "succeeded" : "failed"))
    return "the attempt disagrees";
  if (verdict !== (expected.kind === "whole" ? "success" : "failure")) return `the verdict is ${verdict}`;
  if ((streamError === undefined) !== (expected.kind === "whole")) return `the log says ${streamError}`;
  const text = bytes.toString("latin1");
  if (!text.startsWith(expected.delivered)) return "other bytes";
  const rest = text.slice(expected.delivered.length);
  if (expected.kind !== "broken") return rest === "" ? clientProblem(bytes, expected.kind) : "bytes after the last one";
  if (
    !/^data: \{"error":\{[^\r\n]*"type":"provider_error","param":null,"code":"stream_incomplete"\}\}\n\n$/.test(rest)
  ) {
    return `the error event is ${JSON.stringify(rest)}`;
  }
  return clientProblem(bytes, expected.kind);
}

/** A client sees exactly one terminal, and it is the last event. */
function clientProblem(bytes: Buffer, kind: Expected["kind"]): string | undefined {
  const terminals: { readonly at: number; readonly is: "done" | "error" }[] = [];
  const complaints: string[] = [];
  let events = 0;
  const parser = createParser({
    onEvent({ data }) {
      events++;
      if (data === "[DONE]") terminals.push({ at: events, is: "done" });
      else if (isError(data)) terminals.push({ at: events, is: "error" });
    },
    onError(error) {
      // The last line of a stream that broke off behind its finish: clients ignore a field that they do not know.
      if (error.type !== "unknown-field" || !/^[a-z]{1,4}$/.test(error.line ?? "")) complaints.push(error.message);
    },
  });
  // The comment lets the parser see that no LF follows a CR at the end.
  parser.feed(`${new TextDecoder("utf-8", { fatal: true }).decode(bytes)}:`);
  if (complaints.length > 0) return `the parser complains: ${complaints.join(", ")}`;
  if (terminals.length !== 1) return `${terminals.length} terminals`;
  const [terminal] = terminals;
  if (terminal?.at !== events) return "an event after the terminal";
  return terminal.is === (kind === "whole" ? "done" : "error") ? undefined : `the terminal is ${terminal.is}`;
}

function isError(data: string): boolean {
  if (!data.includes('"error"')) return false;
  try {
    const parsed: { error?: unknown; object?: unknown } = JSON.parse(data);
    return (parsed.error !== undefined && parsed.error !== null) || parsed.object === "error";
  } catch {
    return false;
  }
}
