// A simulated model that calls a tool of the caller's choice, once, wherever it is offered.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { modelRequest, openRawConnection } from "../../test/support/raw-exchange.ts";
import { startSimulator, type Simulator } from "./simulator.ts";

let simulator: Simulator;

beforeAll(() => {
  simulator = startSimulator();
});
afterAll(() => simulator.stop());

const command = JSON.stringify({ command: "cat notes~1.txt" });
const settings = `~tool=Bash~arguments=${encodeURIComponent(command).replaceAll("~", "%7E")}`;
const parameters = { type: "object", properties: { command: { type: "string" } } };
const question = { role: "user", content: "Read it" };

interface Dialog {
  readonly path: string;
  /** With a tool of this name. */
  asking(name: string): object;
  readonly answering: object;
  readonly call: object;
}

const dialogs: Readonly<Record<string, Dialog>> = {
  "chat-completions": {
    path: "/v1/chat/completions",
    asking: (name) => ({ messages: [question], tools: [{ type: "function", function: { name, parameters } }] }),
    answering: { messages: [question, { role: "tool", tool_call_id: "call_1", content: "secret" }] },
    call: { function: { name: "Bash", arguments: command } },
  },
  responses: {
    path: "/v1/responses",
    asking: (name) => ({ input: [question], tools: [{ type: "function", name, parameters }] }),
    answering: { input: [question, { type: "function_call_output", call_id: "call_1", output: "secret" }] },
    call: { type: "function_call", name: "Bash", arguments: command },
  },
  messages: {
    path: "/v1/messages",
    asking: (name) => ({ messages: [question], tools: [{ name, input_schema: parameters }] }),
    answering: {
      messages: [question, { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "secret" }] }],
    },
    call: { type: "tool_use", name: "Bash", input: JSON.parse(command) },
  },
  gemini: {
    path: "/v1beta/models/MODEL:generateContent",
    asking: (name) => ({
      contents: [{ role: "user", parts: [{ text: "Read it" }] }],
      tools: [{ functionDeclarations: [{ name, parameters }] }],
    }),
    answering: {
      contents: [{ role: "user", parts: [{ functionResponse: { name: "Bash", response: { output: "secret" } } }] }],
    },
    call: { functionCall: { name: "Bash", args: JSON.parse(command) } },
  },
};

async function ask(dialect: string, model: string, fields: object): Promise<unknown> {
  const path = dialogs[dialect]?.path.replace("MODEL", encodeURIComponent(model)) ?? "";
  const answer = await fetch(simulator.origin + path, {
    method: "POST",
    body: JSON.stringify({ model, ...fields }),
  });
  return answer.status === 200 ? answer.json() : answer.status;
}

/** Whether an object like this is anywhere in the value. */
function holds(value: unknown, wanted: object): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Bun.deepMatch(wanted, value) || Object.values(value).some((member) => holds(member, wanted));
}

describe.each(Object.entries(dialogs))("in %s", (dialect, { asking, answering, call }) => {
  test("it is called with its arguments, then answered with words", async () => {
    const offered = asking("Bash");
    expect(holds(await ask(dialect, `ok${settings}`, offered), call)).toBe(true);
    const said = JSON.stringify(await ask(dialect, `ok${settings}`, { ...offered, ...answering }));
    expect([said.includes("made up by the upstream simulator"), said.includes('Bash"')]).toEqual([true, false]);
  });

  test("a request that does not offer it gets words", async () => {
    const said = JSON.stringify(await ask(dialect, `ok${settings}`, asking("Write")));
    expect(said).toContain("made up by the upstream simulator");
  });

  test("it is called after the faulty calls, too", async () => {
    const model = `first.status-503@1${settings}`;
    expect(await ask(dialect, `${model}~code=${dialect}`, asking("Bash"))).toBe(503);
    expect(holds(await ask(dialect, `${model}~code=${dialect}`, asking("Bash")), call)).toBe(true);
  });
});

test("answers that call tools anyway call it", async () => {
  const tools = { messages: [question] };
  const call = { function: { name: "Bash", arguments: command } };
  expect(holds(await ask("chat-completions", `ok-tools${settings}`, tools), call)).toBe(true);
  const both = await ask("chat-completions", `ok-parallel-tools${settings}`, tools);
  expect(both).toMatchObject({
    choices: [
      {
        message: {
          tool_calls: [
            { id: "call_1", ...call },
            { id: "call_2", ...call },
          ],
        },
      },
    ],
  });
});

test("a stream that is cut in a call has begun this one", async () => {
  const client = openRawConnection(simulator.port);
  client.send(modelRequest("chat/completions", `cut-in-tool-call~end=fin${settings}`, { stream: true }));
  const { text } = await client.receive(() => false);
  expect([text.includes('"name":"Bash"'), text.includes('"finish_reason":"tool_calls"')]).toEqual([true, false]);
});
