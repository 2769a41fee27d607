// Damaged streams of Messages in 120,000 made-up ways, more than a million events, or as many as GOMODEL_TEST_STREAMS says.

import { expect, test } from "bun:test";
import { judgeDamagedStreams } from "../../../test/streams/damaged-messages.ts";

const total = Number(process.env["GOMODEL_TEST_STREAMS"] ?? 120_000);
const parts = 10;

test.each(Array.from({ length: parts }, (_, part) => part))(
  `part %d of ${parts}: one end each, and no event that was not sent`,
  (part) => {
    expect(judgeDamagedStreams(Math.ceil(total / parts), 1000 + part).size).toBe(6);
  },
);
