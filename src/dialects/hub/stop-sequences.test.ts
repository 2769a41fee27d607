// What is kept of answers and streams that run into a stop sequence, and when held text goes on.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatAnswer, ChatEvent } from "../../core/chat-answer.ts";
import type { AssistantPart } from "../../core/chat-request.ts";
import { cutAnswerAtStop, StopCutter } from "./stop-sequences.ts";

const answerOf = (...parts: AssistantPart[]): ChatAnswer => ({
  choices: [{ index: 0, parts, finish: { reason: "stop", raw: "stop" } }],
});
const said = (text: string, choice = 0): ChatEvent => ({ kind: "text", choice, text });
const call: AssistantPart = { kind: "tool-call", id: "c", name: "f", arguments: "{}", toolKind: "function" };
const atStop = (sequence: string) => ({ reason: "stop-sequence" as const, stopSequence: sequence });

test("an answer ends before the first sequence, and what comes behind it is gone", () => {
  expect(cutAnswerAtStop(answerOf({ kind: "text", text: "one END two" }, call), ["END"])).toEqual({
    choices: [{ index: 0, parts: [{ kind: "text", text: "one " }], finish: atStop("END") }],
  });
});

test("an answer without a sequence stays as it is", () => {
  const answer = answerOf({ kind: "text", text: "one EN" }, call);
  expect(cutAnswerAtStop(answer, ["END"])).toEqual(answer);
});

test("a sequence across two texts ends the first; one across a call is none", () => {
  const parts: AssistantPart[] = [
    { kind: "text", text: "one E" },
    { kind: "text", text: "ND two" },
  ];
  expect(cutAnswerAtStop(answerOf(...parts), ["END"]).choices[0]?.parts).toEqual([{ kind: "text", text: "one " }]);
  const parted = answerOf({ kind: "text", text: "one E" }, call, { kind: "text", text: "ND" });
  expect(cutAnswerAtStop(parted, ["END"])).toEqual(parted);
});

test("citations and probabilities behind the cut are gone with their text", () => {
  const raw = { dialect: "chat-completions", value: {} } as const;
  const tokens = [{ token: "ab" }, { token: "cd" }, { token: "END" }];
  const text: AssistantPart = {
    kind: "text",
    text: "abcdEND",
    logprobs: tokens,
    annotations: [
      { kind: "url", endIndex: 2, raw },
      { kind: "url", endIndex: 6, raw },
    ],
  };
  expect(cutAnswerAtStop(answerOf(text), ["END"]).choices[0]?.parts).toEqual([
    { kind: "text", text: "abcd", logprobs: tokens.slice(0, 2), annotations: [{ kind: "url", endIndex: 2, raw }] },
  ]);
});

test("a stream ends at a sequence in pieces; later events of the choice are gone, usage is not", () => {
  const cutter = new StopCutter(["END"]);
  expect(cutter.cut([said("one E")])).toEqual([said("one ")]);
  expect(cutter.cut([said("N")])).toEqual([]);
  expect(cutter.cut([said("D two")])).toEqual([{ kind: "finish", choice: 0, finish: atStop("END") }]);
  const finish: ChatEvent = { kind: "finish", choice: 0, finish: { reason: "stop" } };
  expect(cutter.cut([said("three"), finish, said("other", 1)])).toEqual([said("other", 1)]);
  expect(cutter.finish()).toEqual([]);
});

test("held text goes on before a call, before the finish and at the end of a broken stream", () => {
  const start: ChatEvent = { kind: "tool-call", choice: 0, call: 0, id: "c", name: "f", toolKind: "function" };
  expect(new StopCutter(["END"]).cut([said("E"), start])).toEqual([said("E"), start]);
  const finish: ChatEvent = { kind: "finish", choice: 0, finish: { reason: "stop" } };
  expect(new StopCutter(["END"]).cut([said("EN"), finish])).toEqual([said("EN"), finish]);
  const broken = new StopCutter(["END"]);
  expect(broken.cut([said("xE")])).toEqual([said("x")]);
  expect(broken.finish()).toEqual([said("E")]);
});

test("probabilities wait with their text", () => {
  const cutter = new StopCutter(["END"]);
  const logprobs = [{ token: "E" }];
  expect(cutter.cut([{ kind: "text", choice: 0, text: "E", logprobs }])).toEqual([]);
  expect(cutter.cut([{ kind: "text", choice: 0, text: "x", logprobs: [{ token: "x" }] }])).toEqual([
    { kind: "text", choice: 0, text: "Ex", logprobs: [{ token: "E" }, { token: "x" }] },
  ]);
});

test("a stream in any pieces keeps what the whole answer keeps", () => {
  const letters = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 20 });
  const sequences = fc.array(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 }), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(letters, sequences, fc.integer({ min: 1, max: 4 }), (text, lists, size) => {
      const stops = lists.map((list) => list.join(""));
      const cutter = new StopCutter(stops);
      const events: ChatEvent[] = [];
      for (let at = 0; at < text.length; at += size)
        events.push(...cutter.cut([said(text.slice(at, at + size).join(""))]));
      events.push(...cutter.cut([{ kind: "finish", choice: 0, finish: { reason: "stop", raw: "stop" } }]));
      const kept = events.map((event) => (event.kind === "text" ? event.text : "")).join("");
      const finishes = events.flatMap((event) => (event.kind === "finish" ? [event.finish] : []));
      const whole = cutAnswerAtStop(answerOf({ kind: "text", text: text.join("") }), stops).choices[0];
      expect(kept).toBe(whole?.parts.map((part) => (part.kind === "text" ? part.text : "")).join("") ?? "");
      expect(finishes).toEqual(whole === undefined ? [] : [whole.finish]);
    }),
    { numRuns: 2000, seed: 11 },
  );
});
