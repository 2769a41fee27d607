import { expect, test } from "bun:test";
import { markState, readMarkedState, stateMark } from "./foreign-state.ts";

test("marked state is read back with its issuer", () => {
  const state = { issuer: "google", kind: "thought", value: "AbC+/=" } as const;
  const marked = markState(state);
  expect(marked).toStartWith("gomodel.state.");
  expect(marked).toMatch(/^[\w.-]+$/);
  expect(readMarkedState(marked)).toEqual({ state, text: undefined });
});

test("the text that belongs to it comes along", () => {
  const state = { issuer: "anthropic", kind: "signature", value: "s", id: "rs_1" } as const;
  expect(readMarkedState(markState(state, "Grüße"))).toEqual({ state, text: "Grüße" });
});

test("what has no mark is not ours", () => {
  expect(readMarkedState("EqQBCgIYAhIM")).toBeUndefined();
});

test("a mark with nothing readable behind it belongs to nobody", () => {
  for (const rest of ["", "%%%", "bm8", "e30"]) expect(readMarkedState(stateMark + rest)?.state.issuer).toBe("");
});
