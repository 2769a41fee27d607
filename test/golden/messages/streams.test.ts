// Golden streams of the Messages dialect, to the hub and from it.

import { expect, test } from "bun:test";
import { messagesTranslator } from "../../../src/dialects/messages/translator.ts";
import { contextOf, eventsIn, golden, streamOf } from "./run-golden.ts";
import { foreignStreams, streams } from "./streams.ts";

const anthropic = { providerType: "anthropic", issuer: "anthropic" };

for (const { name, wire, hub, back = wire } of streams) {
  test(`decoded: ${name}`, () => {
    expect(golden.decodeStream([streamOf(wire)])).toEqual([...hub]);
  });

  test(`encoded: ${name}`, () => {
    expect(eventsIn(golden.encodeStream(hub, anthropic))).toEqual([...back]);
  });

  test(`the same, cut at every byte: ${name}`, () => {
    const bytes = streamOf(wire);
    // Of a huge stream every 997th place.
    const step = bytes.length > 20_000 ? 997 : 1;
    for (let cut = 0; cut < bytes.length; cut += step) {
      const events = golden.decodeStream([bytes.slice(0, cut), bytes.slice(cut)]);
      if (!Bun.deepEquals(events, [...hub])) expect([cut, events]).toEqual([cut, [...hub]]);
    }
    const single = bytes.length > 20_000 ? [] : Array.from(bytes, (_, at) => bytes.slice(at, at + 1));
    if (single.length > 0) expect(golden.decodeStream(single)).toEqual([...hub]);
  });
}

for (const { name, hub, wire } of foreignStreams) {
  test(`encoded: ${name}`, () => {
    expect(eventsIn(golden.encodeStream(hub))).toEqual([...wire]);
  });
}

test("a stream that broke ends with one error event, and asking for it changes nothing", () => {
  const encoder = messagesTranslator.createEncoder(contextOf());
  encoder.encode([{ kind: "start" }, { kind: "text", choice: 0, text: "Hel" }]);
  const broken = () => new TextDecoder().decode(encoder.breakOff("the stream broke", "stream_incomplete"));
  expect(broken()).toBe(
    'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"the stream broke","code":"stream_incomplete"}}\n\n',
  );
  expect(broken()).toBe(broken());
  expect(eventsIn(new TextDecoder().decode(encoder.finish())).at(-1)).toEqual({ type: "message_stop" });
});

test("events that add nothing give no bytes", () => {
  const encoder = messagesTranslator.createEncoder(contextOf());
  encoder.encode([{ kind: "start" }]);
  expect(encoder.encode([])).toBeUndefined();
  expect(encoder.encode([{ kind: "finish", choice: 0, finish: { reason: "stop" } }])).toBeUndefined();
});

test("there are twenty-five cases, each with its source", () => {
  expect(streams.length).toBeGreaterThanOrEqual(25);
  expect([...streams, ...foreignStreams].filter(({ source }) => source === "")).toEqual([]);
});
