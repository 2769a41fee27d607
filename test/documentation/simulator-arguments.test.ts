import { describe, expect, test } from "bun:test";
import { readSimulators } from "../../scripts/documentation/simulator-arguments.ts";

test("each port has the models behind it, and a fault may hold an equals sign", () => {
  expect(readSimulators(["9001", "gpt=status-429@1~retry-after=2", "other=ok", "9002", "gpt=ok"])).toEqual([
    {
      port: 9001,
      faults: new Map([
        ["gpt", "status-429@1~retry-after=2"],
        ["other", "ok"],
      ]),
    },
    { port: 9002, faults: new Map([["gpt", "ok"]]) },
  ]);
});

describe("what is wrong is told with what to write", () => {
  test.each([
    [[], "no port is given"],
    [["gpt=ok"], "gpt=ok needs a port before it, for example: 9001 gpt=ok"],
    [["9001"], "port 9001 has no model, for example: 9001 gpt=ok"],
    [["9001", "gpt"], "gpt is neither a port nor MODEL=FAULT"],
    [["70000", "gpt=ok"], "70000 is neither a port nor MODEL=FAULT"],
    [["9001", "=ok"], "=ok needs the name of a model before the ="],
    [["9001", "gpt=nonsense"], "there is no fault nonsense; docs/failure-modes.md has them all"],
  ])("%j: %s", (words, complaint) => {
    expect(readSimulators(words)).toBe(complaint);
  });
});
