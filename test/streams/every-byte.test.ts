// Wherever a stream breaks off and in whatever pieces it comes, its caller gets a whole answer or one error; every-byte.long.ts leaves out nothing.

import { describe, expect, test } from "bun:test";
import { drawFrom } from "../support/seeded-random.ts";
import { cutAt, endings, splitAt, takeApart, tellingPositions } from "./cuts.ts";
import { expectedDelivery } from "./expected-delivery.ts";
import { streams } from "./stream-texts.ts";

const named = streams.map((stream) => [stream.name, stream] as const);

test.each(named)("%s, cut: the whole answer, or what was whole and one error", async (_name, stream) => {
  const positions = tellingPositions(stream);
  const kinds = new Set<string>();
  for (const ending of endings) for (const kind of await cutAt(positions, stream, ending, true)) kinds.add(kind);
  expect([...kinds]).toContain("refused");
});

test.each(named)("%s, in two pieces: the same answer as in one", async (_name, stream) => {
  await splitAt(tellingPositions(stream), stream, "end");
});

test.each(named)("%s, in random pieces", async (_name, stream) => {
  await takeApart(stream, 40, drawFrom(20_261_130));
});

describe("the judge itself knows", () => {
  const text = (name: string): string => {
    const found = streams.find((stream) => stream.name === name);
    if (found === undefined) throw new Error(`there is no stream ${name}`);
    return Buffer.from(found.bytes).toString("latin1");
  };

  test("that a good recording is delivered as it is", () => {
    const recording = text("openai-tools.sse");
    expect(expectedDelivery(recording, "end", true)).toEqual({
      kind: "whole",
      delivered: recording,
      status: undefined,
    });
  });

  test("that leading comments are dropped, and usage that was not asked for", () => {
    const whole = text("deepseek-reasoning.sse");
    expect(expectedDelivery(whole, "end", true).delivered).toBe(whole.slice(whole.indexOf("data:")));
    const usage = text("openai-usage.sse");
    expect(expectedDelivery(usage, "end", false).delivered).toBe(usage);
    expect(usage.length - expectedDelivery(usage, "end", true).delivered.length).toBe(
      usage.length - "data: [DONE]\n\n".length - usage.lastIndexOf("data: {"),
    );
  });

  test("that a missing terminal is added after the finish, and a missing finish is an error", () => {
    const whole = text("no-done.sse");
    expect(expectedDelivery(whole, "end", true)).toMatchObject({
      kind: "whole",
      delivered: `${whole}data: [DONE]\n\n`,
    });
    expect(expectedDelivery(whole.slice(0, 150), "end", true).kind).toBe("refused");
    const cut = text("openai-text.sse");
    expect(expectedDelivery(cut.slice(0, 3000), "reset", true)).toEqual({
      kind: "broken",
      delivered: cut.slice(0, cut.slice(0, 3000).lastIndexOf("\n\n") + 2),
      status: undefined,
    });
  });

  test("that an error of the provider goes on as it is once the answer has begun, and is an error answer before", () => {
    const late = text("openrouter-error-mid-stream.sse");
    const told = expectedDelivery(late, "end", true);
    expect(told.kind).toBe("told");
    expect(late).toContain(told.delivered);
    expect(told.delivered).toContain('"error"');
    expect(expectedDelivery(text("openrouter-error-first.sse"), "end", true)).toEqual({
      kind: "refused",
      delivered: "",
      status: 429,
    });
  });
});
