// Streams that are held back until they are whole: the caller gets one answer of one model, or an error status.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { answerText } from "../../src/upstream-simulator/answer-text.ts";
import { type RescueGateway, rescueGateway } from "../support/rescue-gateway.ts";
import { seenError } from "../support/simulated-gateway.ts";

let gateway: RescueGateway;

beforeAll(async () => {
  gateway = await rescueGateway(
    {
      whole: [["a/whole", "paced-2-60"]],
      cut: [
        ["a/cut", "cut-after-41~words=60"],
        ["b/second", "ok-60"],
      ],
      silent: [
        ["a/silent", "stall-21~words=60"],
        ["b/second", "ok-60"],
      ],
      "in-band": [
        ["a/in-band", "error-middle-401"],
        ["b/second", "ok-60"],
      ],
      tools: [
        ["a/tools", "cut-in-tool-call"],
        ["b/tools", "tools"],
      ],
      "broken-event": [["a/broken-event", "event-malformed-middle"]],
      "no-done": [["a/no-done", "cut-after-finish~end=reset"]],
      lost: [
        ["a/lost", "cut-after-41~words=60"],
        ["b/lost", "cut-after-5~end=reset"],
      ],
    },
    { recovery: "buffer" },
  );
});
afterAll(() => gateway.stop());

test.each([
  ["whole", "whole", 60],
  ["cut", "second", 60],
  ["silent", "second", 60],
  ["in-band", "second", 60],
  ["broken-event", "broken-event", 12],
  ["no-done", "no-done", 12],
])("of %s the caller gets the whole answer of one model", async (name, model, words) => {
  const seen = await gateway.stream(name);
  expect(seen).toMatchObject({
    text: answerText(model, words),
    ids: [`chatcmpl-simulated-${model}`],
    roles: 1,
    finishes: 1,
    terminals: 1,
    error: undefined,
  });
  expect(seen.ms).toBeLessThan(1500);
});

test("a tool call that is cut comes whole from the next target", async () => {
  const response = await gateway.chat("tools", { stream: true });
  expect(response.headers.get("x-gomodel-provider")).toBe("b");
  expect(await response.text()).toContain('"finish_reason":"tool_calls"');
});

test("what breaks everywhere is an error status", async () => {
  const error = await seenError(await gateway.chat("lost", { stream: true }));
  expect(error).toMatchObject({ status: 502, type: "provider_error" });
});
