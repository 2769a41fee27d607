// Ids of calls that were there before.

import { expect, test } from "bun:test";
import type { ChatAnswer, ChatEvent } from "../../core/chat-answer.ts";
import type { ChatMessage } from "../../core/chat-request.ts";
import { CallIds } from "./repeated-call-ids.ts";

const call = (id: string) => ({ kind: "tool-call", id, name: "read", arguments: "{}", toolKind: "function" }) as const;
const history: readonly ChatMessage[] = [
  { role: "assistant", parts: [call("call_1"), call("call_1_2")] },
  { role: "tool", callId: "call_1", toolKind: "function", isError: false, parts: [{ kind: "text", text: "call_7" }] },
];
const event = (at: number, id: string): ChatEvent => ({
  kind: "tool-call",
  choice: 0,
  call: at,
  id,
  name: "read",
  toolKind: "function",
});

test("an id of the history gets the first number that is free, another stays", () => {
  const ids = new CallIds(history);
  const text: ChatEvent = { kind: "tool-arguments", choice: 0, call: 0, text: "{}" };
  expect(ids.inEvents([event(0, "call_1"), text])).toEqual([event(0, "call_1_3"), text]);
  expect(ids.inEvents([event(1, "call_1"), event(2, "call_7")])).toEqual([event(1, "call_1_4"), event(2, "call_7")]);
  expect(ids.inEvents([event(0, "call_1")])).toEqual([event(0, "call_1_3")]);
});

test("a whole answer gets the same", () => {
  const answer: ChatAnswer = {
    choices: [{ index: 0, parts: [{ kind: "text", text: "hm" }, call("call_1")], finish: { reason: "tool-calls" } }],
  };
  expect(new CallIds(history).inAnswer(answer)).toMatchObject({
    choices: [{ parts: [{ text: "hm" }, { id: "call_1_3" }] }],
  });
  expect(new CallIds([]).inAnswer(answer)).toBe(answer);
});

test("twenty thousand calls with one id of the history get their own in no time", () => {
  const count = 20_000;
  const events = Array.from({ length: count }, (_call, index) => event(index, "call_1"));
  const given = new CallIds(history).inEvents(events).map((one) => (one.kind === "tool-call" ? one.id : ""));
  expect(new Set(given).size).toBe(count);
  // Looking for each from the first number on would take a minute, which is more than a test may.
  expect(given.at(-1)).toBe(`call_1_${count + 2}`);
});
