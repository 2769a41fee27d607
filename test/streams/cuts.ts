// Every way in which the tests take a stream apart.

import type { Draw } from "../support/seeded-random.ts";
import type { Pieces } from "./deliver-pieces.ts";
import type { Ending } from "./expected-delivery.ts";
import { expectationOf, judgeDelivery } from "./judge-delivery.ts";
import type { NamedStream } from "./stream-texts.ts";

export const endings: readonly Ending[] = ["end", "reset"];

const never = (): boolean => false;

/** What arrived breaks off behind each `step`-th byte. Gives how many of each kind of delivery there were. */
export async function cutEverywhere(
  { name, bytes }: NamedStream,
  ending: Ending,
  cutUsageEvent: boolean,
  step: number,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let length = 0; length <= bytes.length; length += step) {
    const given = { pieces: [bytes.subarray(0, length)], ending, cutUsageEvent, waits: never };
    const { kind } = await judgeDelivery(`${name} cut at ${length}, ${ending}`, given);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** The whole stream in two pieces, parted behind each `step`-th byte. */
export async function splitEverywhere({ name, bytes }: NamedStream, ending: Ending, step: number): Promise<void> {
  const whole: Pieces = { pieces: [bytes], ending, cutUsageEvent: true, waits: never };
  const expected = await judgeDelivery(name, whole);
  for (let at = 1; at < bytes.length; at += step) {
    const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
    await judgeDelivery(`${name} split at ${at}, ${ending}`, { ...whole, pieces }, expected);
  }
}

/** Cut anywhere and in any pieces, empty ones too, some of which have to be waited for. */
export async function takeApart({ name, bytes }: NamedStream, times: number, draw: Draw): Promise<void> {
  for (let round = 0; round < times; round++) {
    const length = draw(3) === 0 ? bytes.length : draw(bytes.length + 1);
    const longest = 1 + draw(draw(2) === 0 ? 8 : 400);
    const pieces: Uint8Array[] = [];
    for (let from = 0; from < length;) {
      const to = Math.min(length, from + draw(longest + 1));
      // The runtime may use the memory of a piece again.
      pieces.push(bytes.slice(from, to));
      from = to;
    }
    const pattern = draw(4);
    const given: Pieces = {
      pieces,
      ending: draw(2) === 0 ? "end" : "reset",
      cutUsageEvent: draw(2) === 0,
      waits: (read) => pattern > 0 && read % pattern === 0,
    };
    const sizes = pieces.map((piece) => piece.length).join(",");
    await judgeDelivery(`${name}, ${given.ending}, pieces of ${sizes}`, given, expectationOf(given));
  }
}
