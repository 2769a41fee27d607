// Streams of Messages whose events were lost, doubled, broken or joined by foreign ones, and what has to hold of each.

import { expect } from "bun:test";
import fc from "fast-check";
import { errorEventOf, messagesAnswer, messageStop, ping } from "../support/messages-events.ts";
import { readMessagesStream } from "./read-messages.ts";

const encoder = new TextEncoder();

const damageKinds = ["keep", "lose", "double", "cut", "error", "oddError", "garbage", "ping", "empty"] as const;
type Damage = (typeof damageKinds)[number];

/** What comes in place of an event. */
function damaged(event: string, kind: Damage): string[] {
  switch (kind) {
    case "lose":
      return [];
    case "double":
      return [event, event];
    case "cut":
      return [`${event.slice(0, event.length - 8)}\n\n`];
    case "error":
      return [errorEventOf("api_error", "broken"), event];
    case "oddError":
      return [event, 'data: {"error":{"message":"odd"}}\n\n'];
    case "garbage":
      return ["data: garbage\n\n", event];
    case "ping":
      return [ping, event];
    case "empty":
      return ["data:\n\n", event];
    case "keep":
      return [event];
  }
}

/** One end each, and no event that was not sent. Gives what came of them: `complete`, or the message and whether the error was in the stream. */
export function judgeDamagedStreams(runs: number, seed: number): ReadonlySet<string> {
  const damage = fc.constantFrom<Damage>(...damageKinds, "keep", "keep", "keep", "keep", "keep");
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(damage, { minLength: 9, maxLength: 9 }),
      fc.array(fc.nat(900), { maxLength: 6 }),
      fc.boolean(),
      (damages, cuts, skipMalformed) => {
        const events = messagesAnswer("a", "one two three four");
        const sent = events.flatMap((event, index) => damaged(event, damages[index] ?? "keep"));
        const bytes = encoder.encode(sent.join(""));
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.slice(places[index], end));
        const { relay, complete, failure, inBand } = readMessagesStream(pieces, { skipMalformed });
        expect(complete).toBe(failure === undefined);
        expect(relay.split(messageStop).length - 1).toBe(complete ? 1 : 0);
        expect(relay.split("event: error").length - 1).toBe(inBand ? 1 : 0);
        if (inBand) expect(relay.slice(0, -2).lastIndexOf("\n\n")).toBe(relay.indexOf("event: error") - 2);
        const known = new Set([...sent, errorEventOf("api_error", "odd"), messageStop]);
        for (const event of relay.split("\n\n").slice(0, -1)) expect(known.has(`${event}\n\n`)).toBe(true);
        outcomes.add(complete ? "complete" : `${failure?.message} ${inBand}`);
      },
    ),
    { numRuns: runs, seed },
  );
  return outcomes;
}
