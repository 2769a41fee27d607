// Which thinking goes to which provider, what is left of messages that lose theirs, and what the rest of a body has to do with it.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { messagesRequest } from "../../../test/support/messages-request.ts";
import { markState, stateMark } from "../foreign-state.ts";
import { editObject } from "../json/edit-object.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { cleanHistory, type HistoryOptions } from "./history.ts";

const direct: HistoryOptions = { issuer: "anthropic", failedOver: false };

/** The body that goes out, as text. */
function sent(body: string, options: HistoryOptions = direct): string {
  const request = messagesRequest(body);
  const edited = editObject(request.body, request.members, cleanHistory(request, options));
  return new TextDecoder().decode(edited);
}

const user = { role: "user", content: "hi" };
const signed = { type: "thinking", thinking: "hm", signature: "c2ln" };
const redacted = { type: "redacted_thinking", data: "ZGF0YQ" };
const text = { type: "text", text: "Hello" };
const call = { type: "tool_use", id: "t", name: "f", input: {} };
const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "1" }] };

/** What becomes of the blocks of one assistant message; undefined: the message is gone. */
function blocksSent(blocks: readonly unknown[], options: HistoryOptions = direct): unknown {
  const body = { model: "m", messages: [user, { role: "assistant", content: blocks }, user] };
  const parsed: unknown = JSON.parse(sent(JSON.stringify(body), options));
  const messages: unknown = isJsonObject(parsed) ? parsed.messages : undefined;
  if (!Array.isArray(messages)) throw new Error("no messages were sent");
  return messages.length === 2 ? undefined : messages[1].content;
}

describe("the body stays as it is, and nothing is edited,", () => {
  test.each([
    ["without thinking", { messages: [user, { role: "assistant", content: [text, call] }, result] }],
    ["with thinking asked for", { thinking: { type: "adaptive" }, messages: [user] }],
    [
      "with the provider's own thinking",
      { messages: [user, { role: "assistant", content: [signed, redacted, text] }] },
    ],
    ["with texts about it", { messages: [{ role: "user", content: '"thinking" and "extra_content" "thinking"' }] }],
    ["with a message that is no object", { messages: ["thinking", { role: "user", content: 3 }] }],
    ["with messages that are no list", { messages: { type: "thinking" } }],
    ["without messages", { x: { type: "thinking", extra_content: 1 } }],
  ])("%s", (_name, members) => {
    expect(cleanHistory(messagesRequest(JSON.stringify({ model: "m", ...members })), direct)).toEqual([]);
  });
});

describe("thinking", () => {
  test.each([
    ["an empty signature", { type: "thinking", thinking: "hm", signature: "" }],
    ["no signature", { type: "thinking", thinking: "hm" }],
    ["a signature that is no text", { type: "thinking", thinking: "hm", signature: 1 }],
    ["no data", { type: "redacted_thinking" }],
    ["empty data", { type: "redacted_thinking", data: "" }],
    ["a mark with nothing behind it", { type: "thinking", thinking: "", signature: `${stateMark}x` }],
  ])("with %s is left out", (_name, block) => {
    expect(blocksSent([block, text])).toEqual([text]);
  });

  test("of another provider, marked, is left out", () => {
    const google = markState({ issuer: "google", kind: "thought", value: "v" });
    const openai = markState({ issuer: "openai", kind: "encrypted", value: "v", id: "rs_1" });
    expect(
      blocksSent([
        { type: "thinking", thinking: "hm", signature: google },
        signed,
        { type: "redacted_thinking", data: openai },
        text,
      ]),
    ).toEqual([signed, text]);
  });

  test("of this provider, marked, gets its own form back, whoever has failed before", () => {
    const blocks = [
      {
        type: "thinking",
        thinking: "",
        signature: markState({ issuer: "zai", kind: "signature", value: "s" }, "deep"),
      },
      { type: "thinking", thinking: "shown", signature: markState({ issuer: "zai", kind: "signature", value: "s" }) },
      { type: "redacted_thinking", data: markState({ issuer: "zai", kind: "redacted", value: "r" }) },
      { type: "redacted_thinking", data: markState({ issuer: "zai", kind: "encrypted", value: "e" }) },
      text,
    ];
    for (const failedOver of [false, true]) {
      expect(blocksSent(blocks, { issuer: "zai", failedOver })).toEqual([
        { type: "thinking", thinking: "deep", signature: "s" },
        { type: "thinking", thinking: "shown", signature: "s" },
        { type: "redacted_thinking", data: "r" },
        text,
      ]);
    }
  });

  test("without a mark goes to the provider that has the request first, and to no other issuer after it", () => {
    const blocks = [signed, redacted, text];
    expect(blocksSent(blocks, { issuer: "zai", failedOver: false })).toEqual(blocks);
    expect(blocksSent(blocks, { issuer: "zai", failedOver: true })).toEqual([text]);
    expect(blocksSent(blocks, { issuer: "anthropic", failedOver: true })).toEqual([text]);
    expect(blocksSent(blocks, { issuer: "anthropic", failedOver: true, firstIssuer: "zai" })).toEqual([text]);
    expect(blocksSent(blocks, { issuer: "anthropic", failedOver: true, firstIssuer: "anthropic" })).toEqual(blocks);
  });

  test("that was all of a message takes the message with it", () => {
    const unsigned = { type: "thinking", thinking: "hm", signature: "" };
    expect(blocksSent([unsigned])).toBeUndefined();
    expect(blocksSent([unsigned, { type: "text", text: "" }])).toBeUndefined();
    const only = { model: "m", messages: [{ role: "assistant", content: [{ type: "redacted_thinking", data: "" }] }] };
    expect(sent(JSON.stringify(only))).toBe('{"model":"m","messages":[{"role":"assistant","content":"(no content)"}]}');
  });

  test("an empty message of the caller's stays the caller's", () => {
    expect(blocksSent([])).toEqual([]);
    expect(blocksSent([{ ...text, extra_content: {} }])).toEqual([text]);
  });
});

describe("thinking that is asked for", () => {
  const unsigned = { type: "thinking", thinking: "hm", signature: "" };
  const asked = { type: "enabled", budget_tokens: 2000 };

  function askedAfter(messages: readonly unknown[], more: object = {}): unknown {
    return JSON.parse(sent(JSON.stringify({ thinking: asked, messages, ...more })));
  }

  test("is not when the last tool turn has lost its own", () => {
    const turn = [user, { role: "assistant", content: [unsigned, call] }, result];
    expect(askedAfter(turn)).toEqual({ messages: [user, { role: "assistant", content: [call] }, result] });
    expect(askedAfter([...turn, { role: "system", content: "now" }])).not.toHaveProperty("thinking");
  });

  test("is when that turn still begins with some, or an earlier one has lost it", () => {
    for (const messages of [
      [user, { role: "assistant", content: [signed, unsigned, call] }, result],
      [user, { role: "assistant", content: [unsigned, call] }, result, { role: "assistant", content: [text] }, user],
      [
        user,
        { role: "assistant", content: [unsigned, call] },
        result,
        { role: "assistant", content: [signed, call] },
        result,
      ],
    ]) {
      expect(askedAfter(messages)).toHaveProperty("thinking", asked);
    }
  });

  test("that is turned off stays turned off", () => {
    const body = {
      thinking: { type: "disabled" },
      messages: [user, { role: "assistant", content: [unsigned, call] }, result],
    };
    expect(JSON.parse(sent(JSON.stringify(body)))).toHaveProperty("thinking", { type: "disabled" });
  });

  test("takes the clearing of thinking with it, and nothing else of the context management", () => {
    const turn = [user, { role: "assistant", content: [unsigned, call] }, result];
    const clearThinking = { type: "clear_thinking_20251015", keep: "all" };
    const clearTools = { type: "clear_tool_uses_20250919" };
    expect(askedAfter(turn, { context_management: { edits: [clearThinking] } })).not.toHaveProperty(
      "context_management",
    );
    expect(askedAfter(turn, { context_management: { edits: [clearThinking, clearTools] } })).toHaveProperty(
      "context_management",
      { edits: [clearTools] },
    );
    expect(askedAfter(turn, { context_management: { edits: [clearTools] } })).toHaveProperty("context_management", {
      edits: [clearTools],
    });
  });
});

test("extra_content goes from messages, blocks, results, system, tools and the top, and stays in what tools are given", () => {
  const extra = { google: { thought_signature: "x" } };
  const schema = { type: "object", properties: { extra_content: { type: "string" } } };
  const inner = { extra_content: 1, n: 1 };
  const body = {
    model: "m",
    extra_content: extra,
    system: [{ ...text, extra_content: extra }],
    tools: [{ name: "f", input_schema: schema, extra_content: extra }],
    messages: [
      { ...user, extra_content: extra },
      { role: "assistant", content: [{ ...call, input: inner, extra_content: extra }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t", content: [{ ...text, extra_content: extra }] }],
      },
    ],
  };
  expect(JSON.parse(sent(JSON.stringify(body)))).toEqual({
    model: "m",
    system: [text],
    tools: [{ name: "f", input_schema: schema }],
    messages: [
      user,
      { role: "assistant", content: [{ ...call, input: inner }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: [text] }] },
    ],
  });
});

describe("system messages between the others", () => {
  const cached = { ...text, cache_control: { type: "ephemeral" } };
  const messages = [user, { role: "system", content: "Be brief." }, { role: "system", content: [cached] }];
  const brief = { type: "text", text: "Be brief." };

  test("are put behind the system prompt for a model that takes none, with their cache marks", () => {
    const hoists = { ...direct, hoistsSystem: true };
    for (const [system, blocks] of [
      [undefined, []],
      ["", []],
      ["You", [{ type: "text", text: "You" }]],
      [[{ ...text, extra_content: {} }], [text]],
    ] as const) {
      expect(JSON.parse(sent(JSON.stringify({ system, messages }), hoists))).toEqual({
        system: [...blocks, brief, cached],
        messages: [user],
      });
    }
    expect(cleanHistory(messagesRequest(JSON.stringify({ system: "system", messages: [user] })), hoists)).toEqual([]);
  });

  test("stay where they are for any other", () => {
    expect(cleanHistory(messagesRequest(JSON.stringify({ messages })), direct)).toEqual([]);
  });
});

test("numbers and odd names survive, and every byte outside of the messages", () => {
  const input = '{"n":12345678901234567890,"f":1.0,"__proto__":{"a":1}}';
  const before = '{ "model" : "m", "max_tokens":1.0e3,  "messages":[{"role":"assistant","content":[';
  const after = `{"type":"tool_use","id":"t","name":"f","input":${input}}]}] , "z":1}`;
  expect(sent(`${before}{"type":"thinking","thinking":"hm","signature":""},${after}`)).toBe(before + after);
});

test("of 2000 made-up histories a second pass has nothing to do, and no foreign state is left", () => {
  const block = fc.constantFrom<object>(
    signed,
    redacted,
    text,
    call,
    { type: "thinking", thinking: "x", signature: "" },
    { type: "thinking", thinking: "x", signature: markState({ issuer: "google", kind: "thought", value: "v" }) },
    { type: "thinking", thinking: "x", signature: markState({ issuer: "anthropic", kind: "signature", value: "own" }) },
    { ...call, extra_content: { google: {} } },
    { type: "tool_result", tool_use_id: "t", content: [{ ...text, extra_content: {} }] },
  );
  const message = fc.record({ role: fc.constantFrom("user", "assistant"), content: fc.array(block, { maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.boolean(), (messages, failedOver) => {
      const options = { issuer: "anthropic", failedOver };
      const once = sent(JSON.stringify({ thinking: { type: "adaptive" }, messages }), options);
      expect(once).not.toContain("extra_content");
      expect(once).not.toContain(stateMark);
      expect(cleanHistory(messagesRequest(once), { issuer: "anthropic", failedOver: false })).toEqual([]);
    }),
    { numRuns: 2000, seed: 4 },
  );
});
