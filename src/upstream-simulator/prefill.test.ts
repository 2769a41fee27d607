import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { answerText } from "./answer-text.ts";
import { startSimulator, type Simulator } from "./simulator.ts";

let simulator: Simulator;

beforeEach(() => {
  simulator = startSimulator();
});

afterEach(() => simulator.stop());

function ask(model: string, prefill: string | undefined, stream = false): Promise<Response> {
  const given = prefill === undefined ? [] : [{ role: "assistant", content: prefill }];
  const body = JSON.stringify({ model, stream, messages: [{ role: "user", content: "Hello" }, ...given] });
  return fetch(`${simulator.baseUrl}/chat/completions`, { method: "POST", body });
}

/** What a buffered answer says. */
async function said(model: string, prefill?: string): Promise<string> {
  const answer = (await (await ask(model, prefill)).json()) as { choices: { message: { content: string } }[] };
  return answer.choices[0]?.message.content ?? "";
}

/** What a stream says; it may be cut. */
async function streamed(model: string, prefill?: string): Promise<string> {
  const events = (await (await ask(model, prefill, true)).text()).split("\n\n");
  return events
    .filter((event) => event.startsWith("data: {"))
    .map((event) => JSON.parse(event.slice(6)) as { choices: { delta?: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta?.content ?? "")
    .join("");
}

describe("a last message from the assistant", () => {
  test("is passed over by a model that says nothing about it: it starts anew", async () => {
    expect(await said("ok-4", "[ok-4] this")).toBe("[ok-4] this text was");
    expect(await said("ok-4~prefill=ignore", "any")).toBe("[ok-4~prefill=ignore] this text was");
  });

  test("is gone on from: its own words to the character, at any place in a word", async () => {
    const name = "ok-4~prefill=go-on";
    for (const given of [`[${name}]`, `[${name}] th`, `[${name}] this `]) {
      const whole = `[${name}] this text was`;
      expect(given + (await said(name, given))).toBe(whole);
      expect(given + (await streamed(name, given))).toBe(whole);
    }
  });

  test("is gone on from behind another model's words with a word that names this one", async () => {
    expect(await said("ok-4~prefill=go-on", "[other] this")).toBe(" [ok-4~prefill=go-on] was");
  });

  test("is said once more by one that echoes", async () => {
    expect(await said("ok-4~prefill=echo", "[other] this")).toBe("[other] this [ok-4~prefill=echo] was");
  });

  test("is refused with 400, in both modes, and only where there is one", async () => {
    for (const stream of [false, true]) {
      const response = await ask("ok~prefill=refuse", "[ok] this", stream);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: "prefill_not_supported" } });
    }
    expect((await ask("ok~prefill=refuse", undefined)).status).toBe(200);
  });

  test("counts as a token in for each of its words", async () => {
    const answer = await (await ask("ok-4~prefill=go-on", "[other] this")).json();
    expect(answer).toMatchObject({ usage: { prompt_tokens: 13, completion_tokens: 2, total_tokens: 15 } });
  });

  test("is gone on from by a stream that is then cut", async () => {
    const name = "cut-after-2~prefill=go-on";
    expect(await streamed(name, `[${name}] this`)).toBe(" text");
  });
});

describe("a fault that heals", () => {
  test("says afterwards what it had begun to say, with as many words", async () => {
    const name = "cut-after-3@1~words=60";
    expect(await streamed(name)).toBe(`[${name}] this`);
    expect(await streamed(name)).toBe(answerText(name, 60));
  });

  test("keeps what it makes of a last message from the assistant", async () => {
    const name = "status-503@1~prefill=go-on";
    expect((await ask(name, `[${name}] this`)).status).toBe(503);
    expect(`[${name}] this${await said(name, `[${name}] this`)}`).toBe(answerText(name));
  });
});

test("an option with a value that means nothing makes a name that means nothing", async () => {
  for (const name of ["ok~prefill=maybe", "ok~words=many", "ok~words=1000000"]) {
    expect((await ask(name, undefined)).status).toBe(404);
  }
});
