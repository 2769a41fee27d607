// What is known of a stream from the bytes that the caller got: what stands in the way of going on, and the text to go on from.

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import path from "node:path";
import { chatRequest } from "../../../test/streams/recover-stream.ts";
import type { RecoveryObstacle } from "../../core/stream-recovery.ts";
import { followChatStream } from "./delivered-stream.ts";

const plainBody = '{"model":"m","messages":[{"role":"user","content":"hi"}]}';
const encoder = new TextEncoder();

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function text(content: string): string {
  return event({ id: "c", choices: [{ index: 0, delta: { content }, finish_reason: null }] });
}

function choice(delta: unknown, more: object = {}): string {
  return event({ id: "c", choices: [{ index: 0, delta, finish_reason: null, ...more }] });
}

interface Known {
  readonly obstacle: RecoveryObstacle | undefined;
  /** Of the request that asks to go on. */
  readonly text: string | undefined;
}

function known(pieces: readonly (string | Uint8Array)[], body = plainBody): Known {
  const delivered = followChatStream(chatRequest(body));
  for (const piece of pieces) delivered.took(typeof piece === "string" ? encoder.encode(piece) : piece);
  const obstacle = delivered.obstacle();
  const request = delivered.continuation();
  if (request === undefined) return { obstacle, text: undefined };
  const parsed: { messages: { content: string }[] } = JSON.parse(new TextDecoder().decode(request.body));
  return { obstacle, text: parsed.messages.at(-1)?.content };
}

describe("nothing stands in the way of going on from", () => {
  test.each([
    ["text", text("one") + text(" two"), "one two"],
    ["a role and empty pieces", choice({ role: "assistant", content: "" }) + text("a") + text(""), "a"],
    ["comments and other fields", `: x\n\nid: 1\nevent: chunk\n${text("a")}: y\n\n`, "a"],
    ["CRLF and CR", (text("a") + text("b")).replaceAll("\n", "\r\n") + text("c").replaceAll("\n", "\r"), "abc"],
    ["several data lines", text("a").replace(',"choices', ',\ndata: "choices').replace('""', '"'), "a"],
    ["a byte order mark", `\ufeff${text("a")}`, "a"],
    [
      "escapes",
      'data: {"choices":[{"delta":{"content":"\\u00e9\\ud83d"}}]}\n\n' + text("").replace('""', '"\\ude00"'),
      "é😀",
    ],
    ["metadata without choices", event({ choices: [], prompt_filter_results: [{}] }) + text("a"), "a"],
    [
      "fields that say nothing",
      choice({ content: "a", tool_calls: [], reasoning_content: "", refusal: null, audio: {} }),
      "a",
    ],
    ["usage in every event", event({ choices: [{ delta: { content: "a" } }], usage: { prompt_tokens: 1 } }), "a"],
    ["Azure's verdicts", choice({ content: "a" }, { content_filter_results: { hate: { filtered: false } } }), "a"],
    ["Together's copy of the text", choice({ content: "a", token_id: 7 }, { text: "a", seed: 5, logprobs: null }), "a"],
    ["invalid UTF-8, as clients read it", Buffer.from(text("a\x01").replace("\\u0001", "\xff"), "latin1"), "a\ufffd"],
  ] as const)("%s", (_name, bytes, wanted) => {
    expect(known([bytes])).toEqual({ obstacle: undefined, text: wanted });
  });
});

describe("an obstacle is", () => {
  const cases: readonly [RecoveryObstacle, string, string][] = [
    ["tool-calls", "a tool call", choice({ tool_calls: [{ index: 0, id: "c", function: { name: "f" } }] })],
    ["tool-calls", "a call of the old kind", choice({ function_call: { name: "f" } })],
    ["tool-calls", "a tool call beside reasoning", choice({ reasoning: "r", tool_calls: [{ index: 0 }] })],
    ["reasoning", "reasoning", choice({ reasoning_content: "hm" })],
    ["reasoning", "OpenRouter's reasoning", choice({ reasoning: "hm", reasoning_details: [{ text: "hm" }] })],
    ["reasoning", "thinking blocks", choice({ thinking_blocks: [{ thinking: "hm" }] })],
    ["refusal", "a refusal", choice({ refusal: "I cannot" })],
    ["audio", "audio", choice({ audio: { id: "a" } })],
    ["logprobs", "log probabilities", choice({ content: "a" }, { logprobs: { content: [{ token: "a" }] } })],
    ["other-content", "content in parts", choice({ content: [{ type: "text", text: "a" }] })],
    ["other-content", "images", choice({ images: [{ url: "u" }] })],
    ["other-content", "another text beside the delta", choice({ content: "a" }, { text: "b" })],
    ["other-content", "a whole message in each event", choice({ content: "a" }, { message: { content: "a" } })],
    ["several-choices", "a second choice", event({ choices: [{ index: 1, delta: { content: "a" } }] })],
    ["several-choices", "two in one event", event({ choices: [{ index: 0 }, { index: 1 }] })],
    ["finished", "a finish reason", choice({}, { finish_reason: "stop" })],
    ["finished", "a finish reason with text", choice({ content: "a" }, { finish_reason: "length" })],
    ["finished", "the terminal", "data: [DONE]\n\n"],
    ["unreadable", "an error", event({ error: { message: "m" } })],
    ["unreadable", "malformed data", "data: <html>\n\n"],
    ["unreadable", "an unfinished event", "data: {"],
    ["unreadable", "choices that are no list", event({ choices: {} })],
    ["unreadable", "a choice that is no object", event({ choices: [1] })],
  ];

  test.each(cases)("%s: %s", (obstacle, _name, bytes) => {
    expect(known([text("a"), bytes])).toEqual({ obstacle, text: undefined });
    expect(known([text("a") + bytes]).obstacle).toBe(obstacle);
  });

  test.each([
    ['"n":2', "several-choices"],
    ['"n":10000', "several-choices"],
    ['"n":[1]', "several-choices"],
    ['"n":1', undefined],
    ['"n":null', undefined],
  ] as const)("in a request with %s: %s", (member, obstacle) => {
    expect(known([text("a")], plainBody.replace("{", `{${member},`)).obstacle).toBe(obstacle);
  });

  test("more text than any model writes", () => {
    const piece = text("x".repeat(1_000_000));
    expect(known([piece, piece, piece, piece]).obstacle).toBeUndefined();
    expect(known([piece, piece, piece, piece, text("x")]).obstacle).toBe("too-long");
  });
});

describe("batches", () => {
  test("pieces of any size give the same text, and their memory may be used again", () => {
    const words = Array.from({ length: 4000 }, (_, index) => `wörd${index} 🙂 `.repeat(1 + (index % 3))).concat("end");
    for (const perPiece of [1, 7, 400, 4001]) {
      const delivered = followChatStream(chatRequest(plainBody));
      for (let from = 0; from < words.length; from += perPiece) {
        const piece = encoder.encode(
          words
            .slice(from, from + perPiece)
            .map(text)
            .join(""),
        );
        delivered.took(piece);
        piece.fill(0x20);
      }
      const body = new TextDecoder().decode(delivered.continuation()?.body);
      expect(body).toBe(
        plainBody.replace("}]}", `},${JSON.stringify({ role: "assistant", content: words.join("") })}]}`),
      );
    }
  });

  test("what was asked in between changes nothing", () => {
    const delivered = followChatStream(chatRequest(plainBody));
    for (const word of ["a", "b", "c"]) {
      delivered.took(encoder.encode(text(word)));
      expect(delivered.obstacle()).toBeUndefined();
    }
    delivered.took(encoder.encode("data: [DONE]\n\n"));
    expect([delivered.obstacle(), delivered.obstacle(), delivered.continuation()]).toEqual([
      "finished",
      "finished",
      undefined,
    ]);
  });

  test("a mark that only a stream's first bytes can be hides nothing later on", () => {
    const delivered = followChatStream(chatRequest(plainBody));
    delivered.took(encoder.encode(text("a")));
    expect(delivered.obstacle()).toBeUndefined();
    delivered.took(encoder.encode(`\ufeff${text("b")}`));
    expect(delivered.obstacle()).toBe("unreadable");
  });
});

test.each([
  ["openai-text", undefined, "finished"],
  ["openai-tools", "tool-calls", "tool-calls"],
  ["openai-two-choices", "several-choices", "several-choices"],
  ["deepseek-reasoning", "reasoning", "reasoning"],
  ["openrouter-reasoning", "reasoning", "reasoning"],
  ["azure-content-filter", undefined, "finished"],
  ["groq-usage", undefined, "finished"],
  ["openrouter-error-mid-stream", undefined, "unreadable"],
] as const)("the recording %s: %s after two of its events, %s at its end", (name, early, late) => {
  const recording = readFileSync(path.join(import.meta.dir, `../../../test/recordings/${name}.sse`), "utf8");
  const events = recording.split("\n\n").filter((block) => block.startsWith("data: "));
  expect(known(events.slice(0, 2).map((each) => `${each}\n\n`)).obstacle).toBe(early);
  expect(known([recording]).obstacle).toBe(late);
});
