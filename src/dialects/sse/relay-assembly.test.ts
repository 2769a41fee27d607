// What is relayed, against the plain joining of copies.

import { expect, test } from "bun:test";
import { drawFrom } from "../../../test/support/seeded-random.ts";
import { RelayAssembly } from "./relay-assembly.ts";

function numbered(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => index);
}

test("all of a source is the source itself", () => {
  const relay = new RelayAssembly();
  const source = numbered(10);
  relay.begin(source);
  relay.include(0, 4);
  relay.include(4, 10);
  expect(relay.finish()).toBe(source);
});

test("nothing is undefined, also after something", () => {
  const relay = new RelayAssembly();
  expect(relay.finish()).toBeUndefined();
  relay.begin(numbered(10));
  relay.include(2, 4);
  relay.append(numbered(1));
  expect(relay.finish()).toEqual(Uint8Array.of(2, 3, 0));
  expect(relay.finish()).toBeUndefined();
  relay.begin(numbered(10));
  expect(relay.finish()).toBeUndefined();
});

test("a large source with a hole is not copied", () => {
  const relay = new RelayAssembly();
  const source = new Uint8Array(10_000).fill(1);
  source.fill(2, 9_000, 9_500);
  relay.begin(source);
  relay.include(0, 9_000);
  relay.include(9_500, 10_000);
  const relayed = relay.finish();
  expect(relayed?.buffer).toBe(source.buffer);
  expect(relayed).toEqual(new Uint8Array(9_500).fill(1));
});

test("ranges and other bytes in any order come out as copies of them joined", () => {
  const relay = new RelayAssembly();
  for (let seed = 0; seed < 20_000; seed++) {
    const draw = drawFrom(seed);
    const source = numbered(draw(250));
    const kept = source.slice();
    const wanted: number[] = [];
    relay.begin(source);
    for (let at = 0; at < source.length;) {
      const from = draw(2) === 0 ? at : at + draw(1 + draw(20));
      const to = Math.min(source.length, from + draw(60));
      at = Math.max(at, to);
      if (from >= to) continue;
      relay.include(from, to);
      wanted.push(...kept.subarray(from, to));
      if (draw(8) > 0) continue;
      relay.append(Uint8Array.of(255, 254));
      wanted.push(255, 254);
    }
    const relayed = relay.finish() ?? new Uint8Array(0);
    if (!Buffer.from(relayed).equals(Buffer.from(wanted)))
      throw new Error(`seed ${seed}: ${relayed.join()} for ${wanted.join()}`);
  }
});
