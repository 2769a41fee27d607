// The room of a batch holds what is put into it until the next batch begins, no more than that, and the thread sees the same.

import { expect, test } from "bun:test";
import { newChunks, type Place, RoomView, SharedRoom } from "./shared-room.ts";

const megabyte = 1_048_576;

function fill(room: SharedRoom, places: readonly Place[]): void {
  places.forEach((place, index) => room.bytes(place).fill(index + 1, place.start, place.end));
}

test("what lies in one batch does not touch each other, whatever its sizes, and the thread sees all of it", () => {
  const room = new SharedRoom();
  const view = new RoomView();
  let sent: readonly SharedArrayBuffer[] = [];
  for (let batch = 0; batch < 3; batch++) {
    room.begin();
    const sizes = [1, megabyte, 20_000, 5, 0, 3 * megabyte, megabyte - 1, 2, megabyte, 700_000, 700_000 + batch];
    const places = sizes.map((size) => room.take(size));
    fill(room, places);
    view.update(newChunks(room.chunks(), sent));
    sent = room.chunks();
    const seen = places.map((place) => view.at(place));
    expect(seen.map((bytes) => bytes.length)).toEqual(sizes);
    seen.forEach((bytes, index) => expect(bytes.every((byte) => byte === index + 1)).toBe(true));
  }
});

test("the next batch uses the same memory, and after a large one only a part of it is kept", () => {
  const room = new SharedRoom();
  const takeChunks = (count: number): readonly SharedArrayBuffer[] => {
    for (let index = 0; index < count; index++) room.take(megabyte);
    return room.chunks();
  };
  const first = takeChunks(12);
  room.begin();
  const second = takeChunks(12);
  expect(second.map((buffer, index) => buffer === first[index])).toEqual([
    ...Array<boolean>(8).fill(true),
    ...Array<boolean>(4).fill(false),
  ]);
});

test("a chunk for something large is not kept", () => {
  const room = new SharedRoom();
  room.take(5 * megabyte);
  room.take(1);
  expect(room.chunks().map(({ byteLength }) => byteLength)).toEqual([5 * megabyte, megabyte]);
  room.begin();
  expect(room.chunks().map(({ byteLength }) => byteLength)).toEqual([megabyte]);
});

test("a thread is sent only the chunks that it has not got, and one that is new all of them", () => {
  const [a, b, c] = [1, 2, 3].map((length) => new SharedArrayBuffer(length)) as [
    SharedArrayBuffer,
    SharedArrayBuffer,
    SharedArrayBuffer,
  ];
  expect(newChunks([a, b], [])).toEqual([a, b]);
  expect(newChunks([a, c, b], [a, b])).toEqual([null, c, b]);
  const view = new RoomView();
  view.update([a, b]);
  view.update([null, c]);
  expect(view.at({ chunk: 0, start: 0, end: 1 }).buffer).toBe(a);
  expect(view.at({ chunk: 1, start: 1, end: 3 }).buffer).toBe(c);
});
