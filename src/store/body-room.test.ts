// The room of a batch holds what is put into it until the next batch begins, and no more than that.

import { expect, test } from "bun:test";
import { BodyRoom, maxBodyBytes } from "./body-room.ts";

test("bodies of one batch do not touch each other, whatever their sizes", () => {
  const room = new BodyRoom();
  for (let batch = 0; batch < 3; batch++) {
    room.begin();
    const sizes = [1, maxBodyBytes, 20_000, 5, maxBodyBytes - 1, 2, maxBodyBytes, 700_000, 700_000];
    const bodies = sizes.map((size) => room.take(size));
    bodies.forEach((body, index) => body.fill(index + 1));
    expect(bodies.map((body) => body.length)).toEqual(sizes);
    bodies.forEach((body, index) => expect(body.every((byte) => byte === index + 1)).toBe(true));
  }
});

test("the next batch uses the same memory, and after a large one only a part of it is kept", () => {
  const room = new BodyRoom();
  const buffers = (count: number) => Array.from({ length: count }, () => room.take(maxBodyBytes).buffer);
  const first = buffers(12);
  room.begin();
  const second = buffers(12);
  expect(second.map((buffer, index) => buffer === first[index])).toEqual([
    ...Array<boolean>(8).fill(true),
    ...Array<boolean>(4).fill(false),
  ]);
});
