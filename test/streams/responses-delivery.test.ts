// A Responses stream that ends or is reset at any byte, brought through the real reader and the real gateway.

import { expect, test } from "bun:test";
import { responsesClientDialect } from "../../src/dialects/responses/client-dialect.ts";
import { createResponsesStreamReader } from "../../src/dialects/responses/stream-reader.ts";
import { messageEvents, numberEvents, parseEvents, writeEvents } from "../support/responses-events.ts";
import { type Delivery, deliverPieces } from "./deliver-pieces.ts";
import type { Ending } from "./expected-delivery.ts";

const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
const whole = messageEvents({ name: "first", pieces: ["Hé", "llo"], usage });
const error = { type: "error", code: "server_error", message: "their words" };

async function deliver(bytes: Uint8Array, ending: Ending, pieceLength: number): Promise<Delivery> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) pieces.push(bytes.slice(at, at + pieceLength));
  const reader = createResponsesStreamReader({ providerName: "up" });
  const delivery = await deliverPieces({
    pieces,
    ending,
    cutUsageEvent: false,
    waits: (read) => read % 3 === 1,
    speaks: { operation: "responses", reader, dialect: responsesClientDialect },
  });
  expect({ timers: delivery.timers, connectionEnded: delivery.connectionEnded }).toEqual({
    timers: 0,
    connectionEnded: true,
  });
  return delivery;
}

test.each(["end", "reset"] as const)(
  "cut at every byte (%s): the whole answer, one failure or a refusal",
  async (ending) => {
    const bytes = new TextEncoder().encode(writeEvents(whole));
    const firstEvent = writeEvents(whole.slice(0, 1)).length;
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { refusal, bytes: got, streamError } = await deliver(bytes.subarray(0, cut), ending, 1 + (cut % 170));
      if (cut < firstEvent) {
        expect(refusal?.status).toBe(502);
        continue;
      }
      expect(refusal).toBeUndefined();
      const events = parseEvents(got.toString());
      expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
      const isWhole = events.length === whole.length && events.at(-1)?.type === "response.completed";
      // A terminal without its blank line counts at a proper end only.
      expect(isWhole).toBe(cut === bytes.length || (ending === "end" && cut >= bytes.length - 2));
      expect(streamError === undefined).toBe(isWhole);
      if (isWhole) expect(got.equals(bytes)).toBe(true);
      else expect(events.slice(-2).map(({ type }) => type)).toEqual(["error", "response.failed"]);
    }
  },
);

test.each([
  [1, 5],
  [50, 5],
  [10_000, 5],
  [10_000, 2],
])("a provider's error in pieces of %d bytes, behind %d events", async (pieceLength, before) => {
  const bytes = new TextEncoder().encode(writeEvents(numberEvents([...whole.slice(0, before), error])));
  const { bytes: got, streamError } = await deliver(bytes, "end", pieceLength);
  expect(streamError).toBe("their words");
  const events = parseEvents(got.toString());
  expect(events.map((event) => event.sequence_number)).toEqual(Array.from({ length: before + 2 }, (_, index) => index));
  expect(events.slice(-2)).toMatchObject([
    error,
    { type: "response.failed", response: { error: { code: "server_error" } } },
  ]);
});
