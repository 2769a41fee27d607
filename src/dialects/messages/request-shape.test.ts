// What of a Messages request changes when it fails over to another Claude model.

import { describe, expect, test } from "bun:test";
import { messagesRequest } from "../../../test/support/messages-request.ts";
import { editObject } from "../json/edit-object.ts";
import { traitsOf } from "./claude-models.ts";
import { cleanHistory } from "./history.ts";
import { fitToModel } from "./request-shape.ts";

function fitted(fields: object, model: string): unknown {
  const request = messagesRequest(JSON.stringify({ messages: [], ...fields }));
  const { messages: _, ...rest } = JSON.parse(
    new TextDecoder().decode(editObject(request.body, request.members, fitToModel(request, model))),
  );
  return rest;
}

test.each([
  ["claude-3-5-haiku-20241022", { neverThinks: true, thinksAdaptively: false, takesEffort: false }],
  ["claude-3-7-sonnet-20250219", { neverThinks: false, refusesBudgets: false, thinksAdaptively: false }],
  ["claude-sonnet-4-20250514", { refusesBudgets: false, thinksAdaptively: false, takesEffort: false }],
  ["anthropic/claude-opus-4.5", { refusesBudgets: false, thinksAdaptively: false, takesEffort: true }],
  ["claude-haiku-4-5-20251001", { refusesBudgets: false, thinksAdaptively: false, takesEffort: false }],
  ["us.anthropic.claude-opus-4-6-v1", { refusesBudgets: false, thinksAdaptively: true, refusesSampling: false }],
  [
    "claude-sonnet-4-6",
    { thinksAdaptively: true, takesEffort: true, refusesDisabled: false, takesSystemMessages: false },
  ],
  ["claude-opus-4-7", { refusesBudgets: true, thinksAdaptively: true, refusesSampling: true, refusesDisabled: true }],
  ["claude-opus-4-8", { thinksAdaptively: true, takesSystemMessages: true, refusesDisabled: false }],
  ["claude-fable-5", { refusesBudgets: true, thinksAdaptively: true, takesEffort: true, takesSystemMessages: true }],
  ["claude-sonnet-5-5", { thinksAdaptively: true, takesEffort: true }],
])("%s has %j", (model, traits) => {
  expect(traitsOf(model)).toMatchObject({ isKnown: true, ...traits });
});

test("a model of another name gets what the caller sent", () => {
  const fields = { thinking: { type: "adaptive" }, output_config: { effort: "high" } };
  for (const model of ["glm-4.6", "kimi-k2", "claude", "claude-instant"]) {
    expect(fitToModel(messagesRequest(JSON.stringify(fields)), model)).toEqual([]);
  }
});

describe("adaptive thinking, for a model of budgets,", () => {
  test.each([
    ["low", 5000],
    ["medium", 10_000],
    [undefined, 10_000],
    ["high", 20_000],
    ["max", 20_000],
  ])("with the effort %s is a budget of %d, with room for the answer", (effort, budget) => {
    const output_config = effort === undefined ? undefined : { effort };
    const adaptive = { thinking: { type: "adaptive", display: "omitted" }, output_config };
    const thinking = { type: "enabled", budget_tokens: budget, display: "omitted" };
    expect(fitted({ ...adaptive, max_tokens: 2000 }, "claude-sonnet-4-5")).toEqual({
      thinking,
      max_tokens: budget + 1024,
    });
    expect(fitted({ ...adaptive, max_tokens: 64_000 }, "claude-sonnet-4-5")).toEqual({ thinking, max_tokens: 64_000 });
  });

  test("takes the temperature and top_k with it, and leaves a temperature of 1", () => {
    const thinking = { type: "adaptive" };
    const enabled = { type: "enabled", budget_tokens: 10_000 };
    expect(fitted({ thinking, temperature: 0.2, top_k: 5 }, "claude-haiku-4-5")).toEqual({ thinking: enabled });
    expect(fitted({ thinking, temperature: 1 }, "claude-haiku-4-5")).toEqual({ thinking: enabled, temperature: 1 });
  });

  test("gives way to a forced tool call", () => {
    const context_management = { edits: [{ type: "clear_thinking_20251015" }] };
    for (const type of ["any", "tool"]) {
      const tool_choice = { type };
      expect(fitted({ thinking: { type: "adaptive" }, tool_choice, context_management }, "claude-haiku-4-5")).toEqual({
        tool_choice,
      });
    }
  });
});

test("a tool turn that has lost its thinking is stronger than a budget", () => {
  const call = { type: "tool_use", id: "t", name: "f", input: {} };
  const messages = [
    { role: "assistant", content: [{ type: "thinking", thinking: "hm", signature: "c2ln" }, call] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "1" }] },
  ];
  const request = messagesRequest(JSON.stringify({ thinking: { type: "adaptive" }, max_tokens: 64_000, messages }));
  const edits = [
    ...fitToModel(request, "claude-sonnet-4-5"),
    ...cleanHistory(request, { issuer: "anthropic", failedOver: true }),
  ];
  expect(JSON.parse(new TextDecoder().decode(editObject(request.body, request.members, edits)))).toEqual({
    max_tokens: 64_000,
    messages: [{ role: "assistant", content: [call] }, messages[1]],
  });
});

test.each([
  [4000, "low"],
  [10_000, "medium"],
  [32_000, "high"],
])("a budget of %d is adaptive thinking of the effort %s where there are none", (budget_tokens, effort) => {
  expect(fitted({ thinking: { type: "enabled", budget_tokens } }, "claude-opus-4-7")).toEqual({
    thinking: { type: "adaptive" },
    output_config: { effort },
  });
  expect(
    fitted({ thinking: { type: "enabled", budget_tokens }, output_config: { effort: "max" } }, "claude-opus-4-6"),
  ).toEqual({ thinking: { type: "adaptive" }, output_config: { effort: "max" } });
});

test("a model without thinking is not asked for any, one that always thinks is not told not to", () => {
  for (const type of ["enabled", "adaptive", "disabled"]) {
    expect(fitted({ thinking: { type } }, "claude-3-5-haiku-20241022")).toEqual({});
  }
  expect(fitted({ thinking: { type: "disabled" } }, "claude-fable-5")).toEqual({});
  expect(fitted({ thinking: { type: "disabled" } }, "claude-sonnet-4-6")).toEqual({ thinking: { type: "disabled" } });
});

test("the effort goes where it is not known, and the rest of its object stays", () => {
  const format = { type: "json_schema", schema: {} };
  expect(fitted({ output_config: { effort: "low", format } }, "claude-sonnet-4-5")).toEqual({
    output_config: { format },
  });
  expect(fitted({ output_config: { effort: "low" } }, "claude-sonnet-4-5")).toEqual({});
  expect(fitted({ output_config: { effort: "low" } }, "claude-opus-4-5")).toEqual({ output_config: { effort: "low" } });
});

test("sampling goes where it is refused", () => {
  const sampling = { temperature: 0.5, top_p: 0.9, top_k: 4 };
  expect(fitted(sampling, "claude-opus-4-8")).toEqual({});
  expect(fitted(sampling, "claude-sonnet-4-6")).toEqual(sampling);
});
