// The complete version: every stream cut and split behind every byte, both ways for a connection to end, with usage asked for and not, and in 20,000 random ways.

import { describe, test } from "bun:test";
import { drawFrom } from "../support/seeded-random.ts";
import { cutAt, endings, everyPosition, splitAt, takeApart } from "./cuts.ts";
import { streams } from "./stream-texts.ts";

const named = streams.map((stream) => [stream.name, stream] as const);

describe.each(endings)("the connection ends by %s", (ending) => {
  test.each(named)("%s, cut at every byte", async (_name, stream) => {
    for (const cutUsageEvent of [true, false]) await cutAt(everyPosition(stream), stream, ending, cutUsageEvent);
  });

  test.each(named)("%s, split at every byte", async (_name, stream) => {
    await splitAt(everyPosition(stream), stream, ending);
  });
});

test.each(named)("%s, in random pieces", async (_name, stream) => {
  await takeApart(stream, Math.ceil(20_000 / streams.length), drawFrom(1));
});
