// Every field of every caller's dialect becomes at every provider what is written down about it.

import { describe, expect, test } from "bun:test";
import type { Dialect } from "../../../src/core/chat-request.ts";
import { Failure } from "../../../src/core/failure.ts";
import { callerRequest, translated } from "../../support/translated-exchange.ts";
import { openAiChat, targets, type Json } from "../pairs/pair.ts";
import { chatFields } from "./chat-fields.ts";
import type { FieldRow, FieldTable, Outcome } from "./field-row.ts";
import { messagesFields } from "./messages-fields.ts";
import { responsesFields } from "./responses-fields.ts";

const providers: readonly Dialect[] = ["chat-completions", "responses", "messages", "gemini"];
/** Models without habits of their own. */
const models: Partial<Record<Dialect, string>> = { responses: "gpt-4.1" };

interface Encoded {
  readonly body: Json;
  readonly dropped: readonly string[];
}

function encoded(table: FieldTable, provider: Dialect, row: FieldRow, members: Json, isOpenAi: boolean): Encoded {
  const model = row.models?.[provider] ?? models[provider];
  const target = { ...targets[provider], ...(provider === "chat-completions" && isOpenAi ? openAiChat : {}) };
  const request = callerRequest(table.caller, { model: "m", ...table.smallest, ...members });
  const { body, dropped } = translated({
    caller: table.caller,
    provider,
    target: model === undefined ? target : { ...target, model },
    request,
    madeUp: { newId: () => "new", now: 0, inputTokens: 0 },
  });
  return { body: JSON.parse(body) as Json, dropped };
}

/** Everything that stands at a place; `[]` goes through a list. */
function at(value: unknown, path: readonly string[]): unknown[] {
  const [step, ...rest] = path;
  if (value === undefined || value === null) return [];
  if (step === undefined) return [value];
  const isList = step.endsWith("[]");
  const member: unknown = Object(value)[isList ? step.slice(0, -2) : step];
  if (!isList) return at(member, rest);
  return Array.isArray(member) ? member.flatMap((one) => at(one, rest)) : [];
}

function check(table: FieldTable, provider: Dialect, row: FieldRow, outcome: Outcome): void {
  const withField = (isOpenAi = true) => encoded(table, provider, row, row.request, isOpenAi);
  const without = (isOpenAi = true) => encoded(table, provider, row, row.without ?? {}, isOpenAi);
  switch (outcome.kind) {
    case "passes":
      return expect<Dialect>(provider).toBe(table.caller);
    case "translated": {
      const path = outcome.as.split(".");
      const found = at(withField().body, path);
      expect(found.length).toBeGreaterThan(0);
      expect(found).not.toEqual(at(without().body, path));
      if (outcome.onlyOpenAi === true) expect(withField(false).body).toEqual(without(false).body);
      return;
    }
    case "unchanged":
      return expect(withField().body).toEqual({ ...without().body, ...row.request });
    case "left-out": {
      const { body, dropped } = withField();
      expect(body).toEqual(
        outcome.note?.startsWith("with the tools") === true ? smallest(table, provider, row) : without().body,
      );
      if (outcome.note === undefined) expect(dropped.length).toBeGreaterThan(without().dropped.length);
      return;
    }
    case "refused": {
      let failure: unknown;
      try {
        withField();
      } catch (error) {
        failure = error;
      }
      expect(failure).toBeInstanceOf(Failure);
      expect(failure).toMatchObject({ status: 400, origin: "request" });
    }
  }
}

function smallest(table: FieldTable, provider: Dialect, row: FieldRow): Json {
  return encoded(table, provider, row, {}, true).body;
}

describe.each([chatFields, responsesFields, messagesFields].map((table) => [table.caller, table] as const))(
  "a field of %s",
  (_caller, table) => {
    const cases = table.rows.flatMap((row) =>
      providers.map((provider) => [row.field, provider, row.to[provider].kind, row] as const),
    );
    test.each(cases)("%s to %s: %s", (_field, provider, _kind, row) => {
      check(table, provider, row, row.to[provider]);
    });

    test("has one row each", () => {
      const fields = table.rows.map(({ field }) => field);
      expect(new Set(fields).size).toBe(fields.length);
    });
  },
);
