// What clients were seen to send, through the hub and back: everything is read, and what is lost is named here.

import { describe, expect, test } from "bun:test";
import { responsesTranslator } from "../../../src/dialects/responses/translator.ts";
import recorded from "./client-requests.json";
import { modelRequest, openaiTarget } from "./fixtures.ts";

type Body = Readonly<Record<string, unknown>>;

const cases = recorded.requests.map(({ client, name, body }) => {
  const { tools } = body as { tools?: number | readonly [] };
  const list = typeof tools === "number" ? recorded.toolLists[tools] : tools;
  return [client, name, { ...body, ...(list === undefined ? {} : { tools: list }) } as Body] as const;
});

const decode = (body: Body) => responsesTranslator.decodeRequest(modelRequest(JSON.stringify(body)));

/** Items' own ids and states of a finished item say nothing to another provider; texts alone are joined. */
const lostItemMembers: Readonly<Record<string, readonly string[]>> = {
  codex: ["message.id", "reasoning.content", "function_call.status", "function_call.id", "function_call_output.id"],
  "codex-openai": [
    "message.id",
    "message.internal_chat_message_metadata_passthrough",
    "reasoning.content",
    "reasoning.internal_chat_message_metadata_passthrough",
    "function_call.status",
    "function_call.id",
    "function_call.internal_chat_message_metadata_passthrough",
    "function_call_output.id",
    "function_call_output.internal_chat_message_metadata_passthrough",
  ],
  "copilot-responses": ["function_call.status", "function_call.id"],
  "pi-responses": ["function_call.id"],
  "opencode-openai": [],
  "openai-agents": ["function_call.id", "function_call.status"],
};

describe.each(Object.keys(lostItemMembers))("%s", (client) => {
  const own = cases.filter(([of]) => of === client);

  test.each(own.map(([, name, body]) => [name, body] as const))(
    "%s reads the same after a way through the hub",
    (_name, body) => {
      const request = decode(body);
      const again = JSON.parse(responsesTranslator.encodeRequest(request, openaiTarget({ model: String(body.model) })));
      expect(JSON.stringify(decode(again))).toBe(JSON.stringify(request));
      expect(request.unknown).toEqual({});
      const absent = Object.keys(body).filter((key) => !(key in again));
      // Lists without an entry, and the stream that the request itself says.
      expect(absent.filter((key) => key !== "stream" && JSON.stringify(body[key]) !== "[]")).toEqual([]);
    },
  );

  test("loses only what is named", () => {
    const lost = new Set(own.flatMap(([, , body]) => lostIn(body)));
    expect([...lost].toSorted()).toEqual([...(lostItemMembers[client] ?? [])].toSorted());
  });
});

function lostIn(body: Body): readonly string[] {
  const items = body.input as readonly Body[];
  const text = responsesTranslator.encodeRequest(decode(body), openaiTarget({}));
  const { input: kept, instructions } = JSON.parse(text) as { input: Body[]; instructions?: string };
  // A leading system message has become the instructions.
  if (instructions !== undefined && body.instructions === undefined)
    kept.unshift({ role: "system", content: instructions });
  expect(kept).toHaveLength(items.length);
  return items.flatMap((item, index) => {
    const type = typeof item.type === "string" ? item.type : "message";
    return Object.keys(item).flatMap((key) => (key in (kept[index] ?? {}) ? [] : [`${type}.${key}`]));
  });
}
