// Streams in the Messages dialect as no provider sends them: parts missing, of other types, in any order.

import fc from "fast-check";
import type { StreamEvent } from "../../src/core/chat-answer.ts";
import { Failure } from "../../src/core/failure.ts";
import { messagesTranslator } from "../../src/dialects/messages/translator.ts";
import { contextOf, eventsIn, origin, streamOf } from "../golden/messages/run-golden.ts";

type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

const odd = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant([]), fc.constant({}), fc.boolean());
/** Mostly what belongs there. */
const mostly = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(
    { weight: 30, arbitrary: value },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
const index = mostly(fc.nat({ max: 3 }));
const text = mostly(fc.string({ maxLength: 8 }));
const piece = mostly(fc.constantFrom("", "{", "}", '{"a":1}', '"', "\\", "[1", "]"));

const block = fc.oneof(
  fc.record({
    type: fc.constant("text"),
    text,
    citations: fc.constantFrom(undefined, [], [{ type: "char_location" }, 7]),
  }),
  fc.record({ type: fc.constant("thinking"), thinking: text, signature: text }),
  fc.record({ type: fc.constant("redacted_thinking"), data: text }),
  fc.record({ type: fc.constant("tool_use"), id: text, name: text, input: mostly(fc.constantFrom({}, { a: 1 })) }),
  fc.record({ type: mostly(fc.constantFrom("server_tool_use", "web_search_tool_result")) }),
);
const delta = fc.oneof(
  fc.record({ type: fc.constant("text_delta"), text }),
  fc.record({ type: fc.constant("thinking_delta"), thinking: text }),
  fc.record({ type: fc.constant("signature_delta"), signature: text }),
  fc.record({ type: fc.constant("input_json_delta"), partial_json: piece }),
  fc.record({ type: fc.constant("citations_delta"), citation: odd }),
);
const tokens = mostly(fc.nat({ max: 1000 }));
const usage = mostly(fc.record({ input_tokens: tokens, output_tokens: tokens, cache_read_input_tokens: tokens }));
const event: fc.Arbitrary<WireEvent> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("message_start"), message: mostly(fc.record({ id: text, usage })) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("content_block_start"), index, content_block: mostly(block) }),
  },
  { weight: 8, arbitrary: fc.record({ type: fc.constant("content_block_delta"), index, delta: mostly(delta) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("content_block_stop"), index }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("message_delta"),
      delta: mostly(
        fc.record({ stop_reason: mostly(fc.constantFrom("end_turn", "refusal", "odd")), stop_details: odd }),
      ),
      usage,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom("ping", "message_stop", "of_next_year") }) },
);

export const fuzzedStream = fc.array(event, { maxLength: 40 });

/** `refused`: a member of another type was told as such. Throws for anything that is no whole stream of the dialect. */
export function judgeFuzzedStream(wire: readonly WireEvent[]): "refused" | "whole" {
  const decoder = messagesTranslator.createDecoder(origin);
  const encoder = messagesTranslator.createEncoder(contextOf());
  const events: StreamEvent[] = [];
  try {
    decoder.push(streamOf(wire), events);
    decoder.finish(events);
  } catch (error) {
    if (error instanceof Failure && error.origin === "answer" && error.status === 502) return "refused";
    throw error;
  }
  const begun = new TextDecoder().decode(encoder.encode(events));
  judgeWhole(eventsIn(begun + new TextDecoder().decode(encoder.finish())));
  return "whole";
}

/** Begins once, one block at a time with its number, one terminal, nothing behind it. */
function judgeWhole(events: readonly Record<string, unknown>[]): void {
  let open: unknown;
  let blocks = 0;
  for (const [at, { type, index: number }] of events.entries()) {
    const isAtPlace =
      (type === "message_start" && at === 0) ||
      (type === "content_block_start" && open === undefined && number === blocks) ||
      ((type === "content_block_delta" || type === "content_block_stop") && open !== undefined && number === open) ||
      (type === "message_delta" && at === events.length - 2 && open === undefined) ||
      (type === "message_stop" && at === events.length - 1 && at >= 2);
    if (!isAtPlace) throw new Error(`event ${at} (${String(type)}) is out of place: ${JSON.stringify(events)}`);
    if (type === "content_block_start") open = blocks++;
    if (type === "content_block_stop") open = undefined;
  }
}
