// A million events of providers with wrong values in them, or as many streams as GOMODEL_TEST_STREAMS says.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../core/failure.ts";
import type { ChatEvent, StreamEvent } from "../../core/chat-answer.ts";
import { plainEvents } from "../hub/plain-events.ts";
import { broken, fault } from "../../../test/golden/responses/broken.ts";
import { decodedStreams } from "../../../test/golden/responses/decode-stream.ts";
import { answerContext, openaiOrigin } from "../../../test/golden/responses/fixtures.ts";
import { expectWellFormed } from "../../../test/golden/responses/stream-contract.ts";
import { readStream, streamText } from "../../../test/golden/responses/stream-text.ts";
import { responsesTranslator } from "./translator.ts";

/** Each has four events or more with its beginning and its end. */
const total = Number(process.env["GOMODEL_TEST_STREAMS"] ?? 250_000);
const parts = 10;

/** Undefined: it was no answer. */
function decode(text: string): readonly ChatEvent[] | undefined {
  const decoder = responsesTranslator.createDecoder(openaiOrigin);
  const events: StreamEvent[] = [];
  try {
    decoder.push(new TextEncoder().encode(text), events);
    decoder.finish(events);
    return plainEvents(events);
  } catch (error) {
    if (error instanceof Failure && error.origin === "answer") return undefined;
    throw error;
  }
}

test.each(Array.from({ length: parts }, (_part, index) => index))(
  "streams with a wrong value are read or refused, and what was read is written well, part %d",
  (part) => {
    let refused = 0;
    fc.assert(
      fc.property(fc.constantFrom(...decodedStreams), fault, ({ wire, terminal }, mistake) => {
        const created = { type: "response.created", response: { id: "resp_1" } };
        const list = broken([created, ...wire, terminal ?? { type: "response.completed", response: {} }], mistake);
        const values = Array.isArray(list) ? list.filter((one) => typeof one === "object" && one !== null) : [];
        const events = decode(streamText(values));
        if (events === undefined) {
          refused++;
          return;
        }
        const stream = responsesTranslator.createEncoder(answerContext({}));
        const begun = stream.encode(events) ?? new Uint8Array(0);
        expectWellFormed(readStream([begun, stream.finish()]).events);
      }),
      { seed: part, numRuns: total / parts },
    );
    expect(refused).toBeGreaterThan(0);
  },
  60_000,
);
