import { describe, expect, test } from "bun:test";
import { faultsIn } from "../../upstream-simulator/faults.ts";
import { readModelName } from "../../upstream-simulator/model-name.ts";
import { allFaults, chosenFaults } from "./fault-list.ts";

const all = allFaults(300_000);
const words = (chosen: ReturnType<typeof chosenFaults>): readonly string[] | string =>
  typeof chosen === "string" ? chosen : chosen.map(({ word }) => word);

test("every fault of the simulator is there, and the simulator understands every word", () => {
  const dialects = ["chat-completions", "responses", "messages", "gemini"] as const;
  const missing = dialects.flatMap(faultsIn).filter((fault) => !all.some(({ description }) => description === fault));
  expect(missing).toEqual([]);
  expect(all.filter(({ word }) => readModelName(word) === undefined)).toEqual([]);
  expect(new Set(all.map(({ word }) => word)).size).toBe(all.length);
});

test.each([
  ["done-twice", "chat-completions", ["stream"]],
  ["done-twice", "gemini", []],
  ["cut-after-3-words~end=fin", "chat-completions", []],
  ["cut-after-3-words~end=fin", "gemini", ["stream"]],
  ["choices-empty", "messages", ["buffered"]],
  ["redacted-reasoning", "messages", ["buffered", "stream"]],
  ["redacted-reasoning", "responses", []],
] as const)("%s is sent by a provider of %s in these modes: %j", (word, dialect, modes) => {
  expect(all.find((fault) => fault.word === word)?.modesIn(dialect)).toEqual([...modes]);
});

test("slow answers take 30 s, and signs of life come every 15 s", () => {
  expect(all.map(({ word }) => word)).toEqual(
    expect.arrayContaining(["slow-first-30000", "slow-body-30000", "heartbeats-15000", "informational-endless-15000"]),
  );
});

test.each([
  [0, "heartbeats-15000"],
  [4000, "heartbeats-2000"],
  [10, "heartbeats-20"],
])("where streams may be silent for %d ms, the heartbeats are %s", (idleLimitMs, word) => {
  expect(allFaults(idleLimitMs).some((fault) => fault.word === word)).toBe(true);
});

describe("--fault", () => {
  test("without names everything is chosen", () => {
    expect(chosenFaults([], all)).toBe(all);
  });

  test("the name of a fault means all its forms", () => {
    expect(words(chosenFaults(["stall"], all))).toEqual(["stall-1", "stall-4", "stall-3-words"]);
  });

  test("one form means that form, and nothing is chosen twice", () => {
    expect(words(chosenFaults(["status-503", "status-503", "stall", "stall-4"], all))).toEqual([
      "status-503",
      "stall-1",
      "stall-4",
      "stall-3-words",
    ]);
  });

  test("what the simulator understands may be spelled out, with the family of its fault", () => {
    const chosen = chosenFaults(["status-503@2~retry-after=3"], all);
    expect(chosen).toMatchObject([{ word: "status-503@2~retry-after=3", family: "Error statuses" }]);
  });

  test.each([
    ["sttus-503", 'the simulator knows no fault named "sttus-503"; did you mean "status-503"?'],
    ["earthquake", 'the simulator knows no fault named "earthquake"; docs/failure-modes.md lists them'],
  ])("%s is no fault", (name, complaint) => {
    expect(chosenFaults([name], all)).toBe(complaint);
  });
});
