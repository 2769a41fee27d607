// The strong profile over real sockets: a request too long for one model goes to the next, a refusal by content policy never does.

import { describe, expect, test } from "bun:test";
import { strongGateway } from "../support/strong-gateway.ts";

const modes = [
  ["buffered", false],
  ["streaming", true],
] as const;

function fault(status: number, message: string, code?: string): string {
  const more = code === undefined ? "" : `~code=${encodeURIComponent(code)}`;
  return `status-${status}~message=${encodeURIComponent(message)}${more}`;
}

const tooLong = [
  ["OpenAI", fault(400, "This model's maximum context length is 8192 tokens.", "context_length_exceeded")],
  ["vLLM", fault(400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.")],
  ["Anthropic", fault(400, "prompt is too long: 210000 tokens > 200000 maximum")],
  ["a proxy", fault(400, "input exceeds the context window of this model")],
  ["a body limit", fault(413, "Request Entity Too Large")],
] as const;

const refused = [
  ["OpenAI", fault(400, "Your request was rejected as a result of our safety system.", "content_policy_violation")],
  ["Azure", fault(400, "The response was filtered due to the prompt triggering Azure's policy", "content_filter")],
  ["a code behind a 500", fault(500, "no", "content_policy_violation")],
  ["both at once", fault(400, "violating our usage policy: maximum context reached", "context_length_exceeded")],
] as const;

describe.each(modes)("a %s call", (_, stream) => {
  test.each(tooLong)(
    "too long for one model, as %s says it, is answered by the next after one attempt",
    async (_by, model) => {
      await using gateway = await strongGateway({ a: model, b: "ok" });
      expect(await gateway.ask(stream)).toMatchObject({ status: 200, answeredBy: "b 2" });
      expect(gateway.calls()).toEqual([1, 1]);
    },
  );

  test("too long for every model is the last one's error", async () => {
    await using gateway = await strongGateway({ a: tooLong[0][1], b: tooLong[2][1] });
    const seen = await gateway.ask(stream);
    expect(seen).toMatchObject({ status: 400, answeredBy: "b 2" });
    expect(seen.text).toContain("prompt is too long: 210000 tokens > 200000 maximum");
  });

  test.each(refused)("refused by content policy, as %s says it, never fails over", async (_by, model) => {
    await using gateway = await strongGateway({ a: model, b: "ok" });
    const seen = await gateway.ask(stream);
    expect(seen).toMatchObject({ status: Number(/\d+/.exec(model)?.[0]) });
    expect(gateway.calls()[1]).toBe(0);
  });

  test("too long for its model is that error under the classic profile", async () => {
    await using gateway = await strongGateway(
      { a: tooLong[0][1], b: "ok" },
      { env: { RESILIENCE_PROFILE: "classic" } },
    );
    expect(await gateway.ask(stream)).toMatchObject({ status: 400, answeredBy: "a 1" });
  });
});

test("a 400 is neither retried nor counted by the breaker, however often the prompt is too long", async () => {
  await using gateway = await strongGateway({ a: tooLong[0][1], b: "ok" });
  for (let request = 1; request <= 8; request++) {
    expect(await gateway.ask(false)).toMatchObject({ status: 200, answeredBy: "b 2" });
  }
  expect(gateway.calls()).toEqual([8, 8]);
});
