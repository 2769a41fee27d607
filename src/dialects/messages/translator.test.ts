// The least that the translator has to do; what it does in each case stands in test/golden/messages.

import { expect, test } from "bun:test";
import { golden } from "../../../test/golden/messages/run-golden.ts";

test("a question comes to the hub and leaves it as it came", () => {
  const wire = { model: "claude-sonnet-4-5", max_tokens: 100, messages: [{ role: "user", content: "Hello, Claude" }] };
  const request = golden.decodeRequest(wire);
  expect(request.messages).toEqual([{ role: "user", parts: [{ kind: "text", text: "Hello, Claude" }] }]);
  expect(golden.encodeRequest(request, "claude-sonnet-4-5")).toEqual({ wire, dropped: [] });
});
