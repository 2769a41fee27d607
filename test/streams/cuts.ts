// Every way in which the tests take a stream apart.

import type { Draw } from "../support/seeded-random.ts";
import type { Pieces } from "./deliver-pieces.ts";
import type { Ending, Expected } from "./expected-delivery.ts";
import { expectationOf, judgeDelivery } from "./judge-delivery.ts";
import type { NamedStream } from "./stream-texts.ts";

export const endings: readonly Ending[] = ["end", "reset"];

const never = (): boolean => false;

/** What arrived breaks off behind each of `positions`. Gives which kinds of delivery there were. */
export async function cutAt(
  positions: readonly number[],
  { name, bytes }: NamedStream,
  ending: Ending,
  cutUsageEvent: boolean,
): Promise<Set<Expected["kind"]>> {
  const kinds = new Set<Expected["kind"]>();
  for (const length of positions) {
    const given = { pieces: [bytes.subarray(0, length)], ending, cutUsageEvent, waits: never };
    kinds.add((await judgeDelivery(`${name} cut at ${length}, ${ending}`, given)).kind);
  }
  return kinds;
}

/** The whole stream in two pieces, parted at each of `positions`. */
export async function splitAt(
  positions: readonly number[],
  { name, bytes }: NamedStream,
  ending: Ending,
): Promise<void> {
  const whole: Pieces = { pieces: [bytes], ending, cutUsageEvent: true, waits: never };
  const expected = await judgeDelivery(name, whole);
  for (const at of positions) {
    const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
    await judgeDelivery(`${name} split at ${at}, ${ending}`, { ...whole, pieces }, expected);
  }
}

export function everyPosition({ bytes }: NamedStream): number[] {
  return Array.from({ length: bytes.length + 1 }, (_, position) => position);
}

/** Every position in a small stream or near a line end, every 13th elsewhere. */
export function tellingPositions(stream: NamedStream): number[] {
  const { bytes } = stream;
  const isLineEnd = (at: number): boolean => bytes[at] === 0x0a || bytes[at] === 0x0d;
  return everyPosition(stream).filter(
    (position) =>
      bytes.length < 500 || position % 13 === 0 || [-2, -1, 0].some((distance) => isLineEnd(position + distance)),
  );
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
