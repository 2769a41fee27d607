// Rescues as callers live them: leaving in the middle of one, and reading one with the official openai SDK.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { answerText } from "../../src/upstream-simulator/answer-text.ts";
import { eventually } from "../support/eventually.ts";
import { loggedRows } from "../support/logged-rows.ts";
import { modelRequest, openRawConnection } from "../support/raw-exchange.ts";
import { type RescueGateway, rescueGateway } from "../support/rescue-gateway.ts";

const cut = "cut-after-41~words=60";
const messages = [{ role: "user" as const, content: "Hello" }];

let gateway: RescueGateway;

beforeAll(async () => {
  gateway = await rescueGateway(
    {
      left: [
        ["a/left", cut],
        ["b/left", "hang-before-answer"],
        ["c/left", "ok-60"],
      ],
      "left-catching-up": [
        ["a/left-catching-up", cut],
        ["b/left-catching-up", "stall-11~words=60"],
        ["c/left-catching-up", "ok-60"],
      ],
      rescued: [
        ["a/rescued", cut],
        ["b/rescued", "ok-60"],
      ],
      "rescued-by-prefill": [
        ["a/rescued-by-prefill", "error-middle-503~words=60"],
        ["p/rescued-by-prefill", "ok-60~prefill=go-on"],
      ],
      lost: [
        ["a/lost", cut],
        ["b/else", "ok-60"],
      ],
    },
    { config: { logging: { enabled: true, flush_interval: "10ms" }, http: { stream_idle_timeout: "60s" } } },
  );
});
afterAll(() => gateway.stop());

describe("a caller who leaves while another target is asked", () => {
  test.each([
    ["before it answers", "left"],
    ["while it repeats what was delivered", "left-catching-up"],
  ])("%s: its call is closed, nobody else is asked, and the row says 499", async (_, name) => {
    const id = crypto.randomUUID();
    const { calls } = gateway.simulator("b");
    const client = openRawConnection(gateway.port);
    client.send(modelRequest("chat/completions", name, { stream: true }, [`x-request-id: ${id}`]));
    await client.receive(({ text }) => text.includes('" .'));
    const index = await eventually("the second target is asked", () => {
      const found = calls.findIndex((call) => call.model === name);
      return found < 0 ? undefined : found;
    });
    const closed = gateway.simulator("b").waitForClosed(index, 2000);
    client.close();
    expect(await closed).toBeLessThan(1000);
    const [row] = await loggedRows(gateway.url, id);
    expect(row?.status_code).toBe(499);
    expect(row?.provider_name).toBe("a");
    expect(row?.data.attempts.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
      "first failed",
      "recovery cancelled",
    ]);
    expect(gateway.called("c")).not.toContain(name);
    expect(gateway.application.inFlight).toBe(0);
  });
});

describe("the openai SDK", () => {
  const client = (): OpenAI => new OpenAI({ apiKey: "sk-any", baseURL: `${gateway.url}/v1`, maxRetries: 0 });

  test.each(["rescued", "rescued-by-prefill"])("reads a stream that was %s as one whole answer", async (model) => {
    const answer = await client()
      .chat.completions.stream({ model, messages, stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(answer.choices[0]?.message.content).toBe(answerText(model, 60));
    expect(answer.choices[0]?.finish_reason).toBe("stop");
    expect(answer).toMatchObject({ id: `chatcmpl-simulated-${model}`, model });
    expect(answer.usage?.completion_tokens).toBeGreaterThan(60 - 1);
  });

  test("raises stream_incomplete for one that could not be", async () => {
    const stream = await client().chat.completions.create({ model: "lost", messages, stream: true });
    let text = "";
    const read = async (): Promise<void> => {
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
    };
    expect(await read().catch((error: unknown) => error)).toMatchObject({ code: "stream_incomplete" });
    expect(text).toBe(answerText("lost", 40));
  });
});
