// What is held back, begun early, timed out, drained or left, in each caller's dialect, whatever the provider's.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerText } from "../../src/upstream-simulator/answer-text.ts";
import { dialectGateway, model, providerKinds } from "../support/dialect-gateway.ts";
import { eventually } from "../support/eventually.ts";
import { scaledClock } from "../support/scaled-clock.ts";
import { type CallerDialect, callerDialects, callerPaths, seenByCaller } from "../support/seen-by-caller.ts";
import { type SimulatedGateway, simulatedGateway } from "../support/simulated-gateway.ts";

const terminals: Readonly<Record<CallerDialect, readonly string[]>> = {
  "chat-completions": ["[DONE]"],
  responses: ["response.completed"],
  messages: ["message_stop"],
};

const bodies: Readonly<Record<CallerDialect, object>> = {
  "chat-completions": { messages: [{ role: "user", content: "hi" }] },
  responses: { input: "hi" },
  messages: { max_tokens: 100, messages: [{ role: "user", content: "hi" }] },
};

function ask({ url }: SimulatedGateway, dialect: CallerDialect, name: string, init: RequestInit = {}) {
  const body = JSON.stringify({ model: name, stream: true, ...bodies[dialect] });
  return fetch(url + callerPaths[dialect], { method: "POST", body, ...init });
}

/** The events that a failure is told in, as their names where they have one. */
function failureIn(text: string): readonly string[] {
  const events = text.split("\n\n").filter((event) => event !== "" && !event.startsWith(":"));
  return events.map((event) => /^event: (.*)$/m.exec(event)?.[1] ?? "data").filter((name) => name !== "ping");
}

const failureEvents: Readonly<Record<CallerDialect, readonly string[]>> = {
  "chat-completions": ["data"],
  responses: ["error", "response.failed"],
  messages: ["error"],
};

const pairs = providerKinds.flatMap((first) => providerKinds.map((second) => [first, second] as const));

describe("a stream that is held back", () => {
  let gateway: SimulatedGateway;
  beforeAll(async () => {
    gateway = await dialectGateway({ recovery: "buffer" });
  });
  afterAll(() => gateway.stop());

  test.each(callerDialects.flatMap((dialect) => pairs.map((pair) => [dialect, ...pair] as const)))(
    "for a caller of %s and breaks at %s is answered whole by %s",
    async (dialect, first, second) => {
      gateway.simulator(`first-${first}`).setFault(model, "cut-after-9-words~words=20");
      gateway.simulator(`second-${second}`).setFault(model, "ok-5");
      const text = answerText(model, 5);
      const seen = await seenByCaller(gateway.url, dialect, `${first}-to-${second}`);
      expect(seen).toMatchObject({
        text,
        finalText: text,
        problems: [],
        terminals: terminals[dialect],
        error: undefined,
      });
      expect(seen.header("x-gomodel-provider")).toBe(`second-${second}`);
    },
  );

  test.each(callerDialects.flatMap((dialect) => providerKinds.map((first) => [dialect, first] as const)))(
    "for a caller of %s and breaks at %s, the only one, is an error status",
    async (dialect, first) => {
      for (const fault of ["cut-after-9-words", "error-middle-503", "cut-in-reasoning"]) {
        gateway.simulator(`first-${first}`).setFault(model, fault);
        const answer = await ask(gateway, dialect, `${first}-alone`);
        // Anthropic's error events have a type and no status: `api_error` is its 500.
        const told = first === "anthropic" ? 500 : 503;
        expect([fault, answer.status]).toEqual([fault, fault === "error-middle-503" ? told : 502]);
        const { type, error } = (await answer.json()) as { type?: string; error: object };
        expect(type).toBe(dialect === "messages" ? "error" : undefined);
        expect(error).toMatchObject({ message: expect.any(String), type: expect.any(String) });
      }
    },
  );
});

describe.each([...callerDialects])("on a fast clock a caller of %s", (dialect) => {
  const fast = (env: Record<string, string>, recovery = "off") => {
    const names = ["groq", "anthropic", "gemini", "openai"];
    return simulatedGateway(
      {
        providers: Object.fromEntries(names.map((type) => [type, { type, api_key: "k", listed: [model] }])),
        logging: { enabled: true, flush_interval: "100ms" },
        resilience: { circuit_breaker: { enabled: false }, retry: { max_retries: 0 } },
        virtual_models: names.map((name) => ({
          source: name,
          strategy: "failover",
          stream_recovery: recovery,
          targets: [`${name}/${model}`],
        })),
      },
      env,
      { clock: scaledClock(60) },
    );
  };
  const heartbeat = dialect === "messages" ? /^event: ping\ndata: \{.*\}\n\n/ : /^: [a-z]+\n\n/;

  test("gets its status and heartbeats early, and then every event", async () => {
    await using gateway = await fast({ EARLY_COMMIT_AFTER: "10s" });
    await Promise.all(
      providerKinds.map(async (kind) => {
        gateway.simulator(kind).setFault(model, "slow-first-30000");
        const seen = await seenByCaller(gateway.url, dialect, kind);
        const text = answerText(model, 12);
        expect(seen).toMatchObject({ text, finalText: text, problems: [], terminals: terminals[dialect] });
        expect(seen.heartbeats).toBeGreaterThanOrEqual(2);
        expect(seen.raw()).toMatch(heartbeat);
      }),
    );
  });

  test("is told a failure behind heartbeats as an event of its dialect, and the row has it", async () => {
    await using gateway = await fast({ EARLY_COMMIT_AFTER: "10s", REQUEST_DEADLINE: "20s" });
    await Promise.all(
      providerKinds.map(async (kind) => {
        gateway.simulator(kind).setFault(model, "hang-before-answer");
        const answer = await ask(gateway, dialect, kind);
        expect(answer.status).toBe(200);
        const text = await answer.text();
        expect(text).toMatch(heartbeat);
        expect([kind, ...failureIn(text)]).toEqual([kind, ...failureEvents[dialect]]);
        expect(text).toContain("request timed out");
        const row = await gateway.row(answer.headers.get("x-request-id") ?? "");
        expect(row.data.stream_error).toBe("request timed out");
      }),
    );
  });

  test("has heartbeats while an answer is held back, which may fail as an event", async () => {
    await using gateway = await fast({ HTTP_STREAM_IDLE_TIMEOUT: "25s" }, "buffer");
    await Promise.all(
      providerKinds.map(async (kind) => {
        gateway.simulator(kind).setFault(model, "stall-9-words");
        const answer = await ask(gateway, dialect, kind);
        expect(answer.status).toBe(200);
        const text = await answer.text();
        expect(text).toMatch(heartbeat);
        expect([kind, ...failureIn(text)]).toEqual([kind, ...failureEvents[dialect]]);
      }),
    );
  });

  test("whose time is over in the middle of a stream is told so, once", async () => {
    await using gateway = await fast({ REQUEST_DEADLINE: "20s" }, "continue");
    await Promise.all(
      providerKinds.map(async (kind) => {
        gateway.simulator(kind).setFault(model, "stall-9-words");
        const seen = await seenByCaller(gateway.url, dialect, kind);
        expect(seen).toMatchObject({ text: answerText(model, 9), problems: [] });
        expect([kind, seen.terminals.length]).toEqual([kind, failureEvents[dialect].length]);
        expect(seen.raw()).toContain("request timed out");
      }),
    );
  });

  test("is told once that the gateway shuts down in the middle of a stream", async () => {
    const gateway = await fast({ SHUTDOWN_GRACE: "10s" }, "continue");
    for (const kind of providerKinds) gateway.simulator(kind).setFault(model, "stall-9-words");
    const reading = providerKinds.map((kind) => seenByCaller(gateway.url, dialect, kind));
    await eventually("all of them in flight", () => gateway.application.inFlight === providerKinds.length);
    await eventually("all of them begun", () =>
      providerKinds.every((kind) => gateway.simulator(kind).calls.some((call) => call.bytesWritten > 500)),
    );
    await gateway.stop();
    for (const seen of await Promise.all(reading)) {
      expect(seen).toMatchObject({ text: answerText(model, 9), problems: [] });
      expect(seen.terminals.length).toBe(failureEvents[dialect].length);
      expect(seen.raw()).toContain("the gateway is shutting down");
    }
  });

  test("who leaves in the middle of a stream takes the call with it", async () => {
    await using gateway = await fast({}, "continue");
    await Promise.all(
      providerKinds.map(async (kind) => {
        gateway.simulator(kind).setFault(model, "stall-9-words");
        const leave = new AbortController();
        const answer = await ask(gateway, dialect, kind, { signal: leave.signal });
        await answer.body?.getReader().read();
        leave.abort();
        const call = gateway.simulator(kind).calls.findIndex(({ method }) => method === "POST");
        await gateway.simulator(kind).waitForClosed(call, 40_000);
        const row = await gateway.row(answer.headers.get("x-request-id") ?? "");
        expect([kind, row.status_code]).toEqual([kind, 499]);
        expect(row.data.attempts).toMatchObject([{ outcome: "cancelled" }]);
      }),
    );
    await eventually("nothing in flight", () => gateway.application.inFlight === 0);
  });
});
