// Wherever a stream breaks off and in whatever pieces it comes, its caller gets a whole answer or one error; every-byte.long.ts leaves out nothing.

import { describe, expect, test } from "bun:test";
import { drawFrom } from "../support/seeded-random.ts";
import { cutEverywhere, endings, splitEverywhere, takeApart } from "./cuts.ts";
import { recordings, streams } from "./stream-texts.ts";

describe.each(endings)("the provider's connection ends with %s", (ending) => {
  test.each(streams.map((stream) => [stream.name, stream] as const))(
    "%s, cut: the whole answer, or what was whole and one error",
    async (_name, stream) => {
      await cutEverywhere(stream, ending, true, 1);
    },
  );
});
