// The strong profile over real sockets: trouble that passes is waited out at the same target, trouble that stays is left behind.

import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { strongGateway } from "../support/strong-gateway.ts";

const modes = [
  ["buffered", false],
  ["streaming", true],
] as const;

const whole = /"finish_reason":"stop"/;

describe.each(modes)("a %s call", (_, stream) => {
  test("after one 429 with Retry-After: 2 is answered by the same target when the two seconds are over", async () => {
    await using gateway = await strongGateway({ a: "status-429@1~retry-after=2", b: "ok" });
    const seen = await gateway.ask(stream);
    expect(seen).toMatchObject({ status: 200, answeredBy: "a 2" });
    expect(seen.text).toMatch(whole);
    expect(seen.tookMs).toBeGreaterThanOrEqual(2000);
    expect(gateway.calls()).toEqual([2, 0]);
  });

  test("after a 429 for ever is answered by the second target, and the first was asked twice", async () => {
    await using gateway = await strongGateway({ a: "status-429", b: "ok" });
    const seen = await gateway.ask(stream);
    expect(seen).toMatchObject({ status: 200, answeredBy: "b 3" });
    expect(seen.text).toMatch(whole);
    expect(gateway.calls()).toEqual([2, 1]);
  });

  test("after a 429 for ever at the only target is that 429 after four attempts, not to be repeated", async () => {
    await using gateway = await strongGateway({ a: "status-429~retry-after=1" });
    const seen = await gateway.ask(stream);
    expect(seen).toMatchObject({ status: 429, answeredBy: "a 4" });
    expect(seen.headers.get("retry-after")).toBe("1");
    expect(seen.headers.get("x-should-retry")).toBe("false");
    expect(seen.tookMs).toBeGreaterThanOrEqual(3000);
  });

  test("after a 429 with Retry-After: 45 fails over at once", async () => {
    await using gateway = await strongGateway({ a: "status-429~retry-after=45", b: "ok" });
    const seen = await gateway.ask(stream);
    expect(seen).toMatchObject({ status: 200, answeredBy: "b 2" });
    expect(seen.tookMs).toBeLessThan(45_000);
  });

  test("after a 429 with Retry-After: 45 at the only target is that 429, which an SDK may wait out", async () => {
    await using gateway = await strongGateway({ a: "status-429~retry-after=45" });
    const seen = await gateway.ask(stream);
    expect(seen).toMatchObject({ status: 429, answeredBy: "a 1" });
    expect(seen.headers.get("retry-after")).toBe("45");
    expect(seen.headers.get("x-should-retry")).toBeNull();
  });

  test("after one 500 is answered by the same target", async () => {
    await using gateway = await strongGateway({ a: "status-500@1", b: "ok" });
    expect(await gateway.ask(stream)).toMatchObject({ status: 200, answeredBy: "a 2" });
    expect(gateway.calls()).toEqual([2, 0]);
  });

  // The connection of the listing is reset first, which is no attempt: an idle one may always turn out to be dead.
  test("after one reset before any byte is answered by the same target", async () => {
    await using gateway = await strongGateway({ a: "reset-before-answer@2", b: "ok" });
    expect(await gateway.ask(stream)).toMatchObject({ status: 200, answeredBy: "a 2" });
    expect(gateway.calls()).toEqual([3, 0]);
  });

  test("after a 503 for ever is answered by the second target, which the answer names", async () => {
    await using gateway = await strongGateway({ a: "status-503", b: "ok" });
    const seen = await gateway.ask(stream);
    expect(seen).toMatchObject({ status: 200, answeredBy: "b 3" });
    expect(seen.text).toMatch(whole);
    expect(seen.headers.get("x-gomodel-model")).toBe("m");
  });

  test("that nobody can answer ends after six attempts in all with the last error, not to be repeated", async () => {
    await using gateway = await strongGateway({ a: "status-503", b: "status-500", c: "status-502", d: "status-504" });
    const seen = await gateway.ask(stream);
    expect(seen).toMatchObject({ status: 502, answeredBy: "c 6" });
    expect(seen.headers.get("x-should-retry")).toBe("false");
    expect(gateway.calls()).toEqual([2, 2, 2, 0]);
  });

  test("to open circuits is a 503 at once with the seconds left, not to be repeated", async () => {
    await using gateway = await strongGateway({ a: "status-503" }, { env: { RETRY_MAX_RETRIES: "0" } });
    for (let request = 1; request <= 5; request++) await gateway.ask(stream);
    const seen = await gateway.ask(stream);
    expect(seen).toMatchObject({ status: 503, answeredBy: "a 0" });
    expect(seen.text).toContain('"circuit_open"');
    expect(Number(seen.headers.get("retry-after"))).toBeWithin(1, 11);
    expect(seen.headers.get("x-should-retry")).toBe("false");
    expect(gateway.calls()).toEqual([5]);
  });
});

describe("a stream", () => {
  test("whose first event is an error of status 429 is retried by that status", async () => {
    await using gateway = await strongGateway({ a: "error-first-429@1", b: "ok" });
    expect(await gateway.ask(true)).toMatchObject({ status: 200, answeredBy: "a 2" });
  });

  test("that ends properly without [DONE] is whole, has one, and is sent once", async () => {
    await using gateway = await strongGateway({ a: "cut-before-done~end=clean", b: "ok" });
    const seen = await gateway.ask(true);
    expect(seen).toMatchObject({ status: 200, answeredBy: "a 1" });
    expect(seen.text).toMatch(whole);
    expect(seen.text).toEndWith("data: [DONE]\n\n");
    expect(seen.text).not.toContain('"error"');
    expect(gateway.calls()).toEqual([1, 0]);
  });
});

describe("advice not to repeat", () => {
  test.each([400, 401, 409])("a %i of the provider has none", async (status) => {
    await using gateway = await strongGateway({ a: `status-${status}`, b: "ok" });
    const seen = await gateway.ask(false);
    expect(seen.status).toBe(status);
    expect(seen.headers.has("x-should-retry")).toBe(false);
  });

  test("a request that no target was asked for has none", async () => {
    await using gateway = await strongGateway({ a: "ok" });
    const seen = await gateway.ask(false, "nobody-knows-it");
    expect(seen.status).toBeWithin(400, 405);
    expect(seen.headers.has("x-should-retry")).toBe(false);
  });

  test("keeps the OpenAI SDK from repeating the chain, which it would do twice", async () => {
    await using gateway = await strongGateway({ a: "status-503", b: "status-503" });
    const ask = (): Promise<unknown> =>
      new OpenAI({ apiKey: "sk-any", baseURL: `${gateway.url}/v1` }).chat.completions.create({
        model: "v",
        messages: [{ role: "user", content: "Hello" }],
      });
    expect(await ask().catch((error: unknown) => error)).toBeInstanceOf(OpenAI.InternalServerError);
    expect(gateway.calls()).toEqual([2, 4]);
  });

  test("the classic profile gives none", async () => {
    await using gateway = await strongGateway({ a: "status-503" }, { env: { RESILIENCE_PROFILE: "classic" } });
    const seen = await gateway.ask(false);
    expect(seen).toMatchObject({ status: 503, answeredBy: "a 4" });
    expect(seen.headers.has("x-should-retry")).toBe(false);
  });
});
