// Golden requests of callers who speak Messages: to the hub, and from there to a provider who speaks it, too.

import { expect, test } from "bun:test";
import type { ChatRequest } from "../../../src/core/chat-request.ts";
import cases from "./requests.json" with { type: "json" };
import { golden, plainRequest } from "./run-golden.ts";

interface Case {
  readonly name: string;
  /** The page that the values are from. */
  readonly source: string;
  readonly model?: string;
  /** Without `model`, and without `max_tokens` where it is 1024. */
  readonly wire: object;
  /** What differs from `plainRequest`. */
  readonly hub: object;
  /** What a provider gets, where it is not `wire` again. */
  readonly back?: object;
}

for (const { name, model = "claude-sonnet-4-5", wire, hub, back = wire } of cases as readonly Case[]) {
  const whole = (body: object): Record<string, unknown> => ({ model, max_tokens: 1024, ...body });
  const request = { ...plainRequest, dialect: "messages", model, maxTokens: 1024, ...hub } as ChatRequest;

  test(`decoded: ${name}`, () => {
    expect(golden.decodeRequest(whole(wire))).toEqual(request);
  });

  test(`encoded: ${name}`, () => {
    expect(golden.encodeRequest(request, model)).toEqual({ wire: whole(back), dropped: [] });
  });
}

test("every case names the page it is from", () => {
  expect(cases.filter(({ source }) => source === "")).toEqual([]);
  expect(cases.length).toBeGreaterThanOrEqual(25);
});
