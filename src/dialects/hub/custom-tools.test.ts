// Custom tools on the way to a target without them, and their calls on the way back.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatEvent } from "../../core/chat-answer.ts";
import type { ChatRequest } from "../../core/chat-request.ts";
import { CustomCallRestorer, customToolNames, customToolsAsFunctions, restoreCustomCalls } from "./custom-tools.ts";

const request: ChatRequest = {
  dialect: "responses",
  model: "m",
  stream: false,
  wantsStreamUsage: false,
  messages: [
    {
      role: "assistant",
      parts: [{ kind: "tool-call", id: "c1", name: "apply_patch", arguments: 'say "hi"\n', toolKind: "custom" }],
    },
    { role: "tool", callId: "c1", toolKind: "custom", parts: [{ kind: "text", text: "ok" }], isError: false },
  ],
  tools: [
    {
      kind: "custom",
      name: "apply_patch",
      description: "Edits files.",
      format: { type: "grammar", syntax: "lark", definition: "start: X" },
    },
    { kind: "function", name: "read" },
  ],
  toolChoice: { kind: "named", toolKind: "custom", name: "apply_patch" },
  own: [],
  unknown: {},
};

const names = customToolNames(request);
const started = (name: string): ChatEvent => ({
  kind: "tool-call",
  choice: 0,
  call: 0,
  id: "c",
  name,
  toolKind: "function",
});
const argued = (text: string): ChatEvent => ({ kind: "tool-arguments", choice: 0, call: 0, text });
const finished: ChatEvent = { kind: "finish", choice: 0, finish: { reason: "tool-calls" } };

/** The input that the caller gets for arguments in these pieces. */
function restored(pieces: readonly string[]): string {
  const restorer = new CustomCallRestorer(names);
  const events = restorer.restore([started("apply_patch"), ...pieces.map(argued), finished]);
  expect(events[0]).toEqual({ ...started("apply_patch"), toolKind: "custom" } as ChatEvent);
  expect(events.at(-1)).toEqual(finished);
  return events.map((event) => (event.kind === "tool-arguments" ? event.text : "")).join("");
}

test("a custom tool becomes a function with one text, told of its grammar", () => {
  expect(names).toEqual(new Set(["apply_patch"]));
  const { tools, toolChoice, messages } = customToolsAsFunctions(request);
  expect(tools[0]).toEqual({
    kind: "function",
    name: "apply_patch",
    description: "Edits files.\n\nThe input must follow this lark grammar:\nstart: X",
    parameters: {
      type: "object",
      properties: { input: { type: "string", description: "The whole input of the tool." } },
      required: ["input"],
      additionalProperties: false,
    },
  });
  expect(tools[1]).toEqual({ kind: "function", name: "read" });
  expect(toolChoice).toEqual({ kind: "named", toolKind: "function", name: "apply_patch" });
  expect(messages[0]).toEqual({
    role: "assistant",
    parts: [
      {
        kind: "tool-call",
        id: "c1",
        name: "apply_patch",
        arguments: '{"input":"say \\"hi\\"\\n"}',
        toolKind: "function",
      },
    ],
  });
  expect(messages[1]).toMatchObject({ role: "tool", toolKind: "function" });
});

test("a call of a whole answer is a custom one again, with the text as its input", () => {
  const parts = [
    { kind: "tool-call", id: "a", name: "apply_patch", arguments: '{ "input" : "x\\u00e9\\n" }', toolKind: "function" },
    { kind: "tool-call", id: "b", name: "read", arguments: '{"input":"x"}', toolKind: "function" },
  ] as const;
  const answer = { choices: [{ index: 0, parts, finish: { reason: "tool-calls" } as const }] };
  expect(restoreCustomCalls(answer, names).choices[0]?.parts).toEqual([
    { kind: "tool-call", id: "a", name: "apply_patch", arguments: "xé\n", toolKind: "custom" },
    parts[1],
  ]);
});

test("arguments in another form go out as they came, or as the text in them", () => {
  expect(restored(["plain text"])).toBe("plain text");
  expect(restored(['{"other":1,"input":"x"}'])).toBe("x");
  expect(restored(['{"patch":"x"}'])).toBe('{"patch":"x"}');
  expect(restored([])).toBe("");
});

test("the input goes on while it arrives", () => {
  const restorer = new CustomCallRestorer(names);
  restorer.restore([started("apply_patch")]);
  expect(restorer.restore([argued('{"inp')])).toEqual([]);
  expect(restorer.restore([argued('ut":"one\\')])).toEqual([argued("one")]);
  expect(restorer.restore([argued("ntwo")])).toEqual([argued("\ntwo")]);
  expect(restorer.restore([argued('"}')])).toEqual([]);
  expect(restorer.finish()).toEqual([]);
});

test("calls of functions pass", () => {
  const events = [started("read"), argued('{"input":"x"}'), finished];
  expect(new CustomCallRestorer(names).restore(events)).toEqual(events);
});

test("any text comes back in any pieces, and no piece ends in half a character", () => {
  const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "\n", "é", "😀", "\u0001", "u", "{", "}") });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 5 }), fc.boolean(), (input, size, escapesAll) => {
      const json = JSON.stringify({ input });
      // Some models write every character beyond ASCII as an escape.
      const whole = escapesAll
        ? json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        : json;
      const pieces: string[] = [];
      for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size));
      expect(restored(pieces)).toBe(input);
    }),
    { numRuns: 2000, seed: 5 },
  );
});
