// What must hold of marked streams: each caller and each row has its own, byte for byte, and nothing of anybody else's.

import { expect } from "bun:test";
import { type MarkedOptions, markedStreams } from "./marked-streams.ts";

export async function judgeMarks(options: MarkedOptions): Promise<void> {
  const { streams, together } = await markedStreams(options);
  console.log(`${streams.length} marked streams, at most ${together} of them together`);
  expect(streams).toHaveLength(options.connections * options.requests);
  expect(streams.filter(({ body, expected }) => body !== expected)).toEqual([]);
  expect(streams.filter(({ foreignInRow, rowIsWhole }) => foreignInRow?.length !== 0 || !rowIsWhole)).toEqual([]);
  expect(together).toBeGreaterThanOrEqual(options.connections / 2);
}
