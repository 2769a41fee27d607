// Answers cut at the caller's stop sequences, in both modes.

import { describe, expect, test } from "bun:test";
import { createBufferedReader } from "./buffered-reader.ts";
import { emulateStop } from "./stop-emulation.ts";
import { createStreamReader } from "./stream-reader.ts";

const done = "data: [DONE]\n\n";

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function event(choices: readonly unknown[], more: object = {}): string {
  return `data: ${JSON.stringify({ id: "c", choices, ...more })}\n\n`;
}

function text(content: string, index = 0): string {
  return event([{ index, delta: { content }, finish_reason: null }]);
}

function finish(reason: string, index = 0): string {
  return event([{ index, delta: {}, finish_reason: reason }]);
}

interface Cut {
  readonly relay: string;
  /** Delivered text and finish reason of each choice. */
  readonly choices: Record<number, { content: string; reason: unknown }>;
  readonly complete: boolean;
  readonly failed: boolean;
  readonly totalTokens: number | undefined;
}

function stream(chunks: readonly string[], ...sequences: string[]): Cut {
  const reader = emulateStop(createStreamReader({ cutUsageEvent: true, providerName: "up" }), sequences);
  let relay = "";
  let complete = false;
  let failed = false;
  for (const chunk of [...chunks, undefined]) {
    if (complete || failed) break;
    const step = chunk === undefined ? reader.end() : reader.push(bytesOf(chunk));
    if (step.relay !== undefined) relay += new TextDecoder().decode(step.relay);
    complete = step.complete;
    failed = step.failure !== undefined;
  }
  const choices: Record<number, { content: string; reason: unknown }> = {};
  for (const block of relay.split("\n\n")) {
    if (!block.startsWith("data: {")) continue;
    const parsed: { choices: { index: number; delta: { content?: string }; finish_reason: unknown }[] } = JSON.parse(
      block.slice(6),
    );
    for (const { index, delta, finish_reason: reason } of parsed.choices) {
      const choice = (choices[index] ??= { content: "", reason: null });
      choice.content += delta.content ?? "";
      choice.reason ??= reason;
    }
  }
  return { relay, choices, complete, failed, totalTokens: reader.facts().usage?.totalTokens };
}

const usage = event([], { usage: { prompt_tokens: 2, completion_tokens: 9, total_tokens: 11 } });

describe("streams", () => {
  test("end their text before the sequence, say `stop`, and keep the usage of the whole answer", () => {
    const cut = stream([text("one ST") + text("OP two") + text("three") + finish("length") + usage + done], "STOP");
    expect(cut).toMatchObject({ choices: { 0: { content: "one ", reason: "stop" } }, complete: true, totalTokens: 11 });
    expect(cut.relay.endsWith(done)).toBe(true);
    expect(cut.relay.split('"finish_reason":"stop"').length).toBe(2);
    expect(cut.relay).not.toContain("three");
    expect(cut.relay).not.toContain("length");
  });

  test("pass untouched, byte for byte, while nothing looks like a sequence", () => {
    const whole = `: c\n\n${text("a")}: c\n\ndata:{"choices":[{"delta":{"content":"b"}}]}\r\n\r\n${finish("stop")}${done}`;
    expect(stream([whole], "STOP").relay).toBe(whole.slice(": c\n\n".length));
  });

  test("give back what only looked like a sequence", () => {
    expect(stream([text("a S"), text("T"), text("AR"), finish("length"), done], "STOP").choices[0]).toEqual({
      content: "a STAR",
      reason: "length",
    });
    expect(stream([text("a ST"), finish("stop"), done], "STOP").choices[0]).toEqual({
      content: "a ST",
      reason: "stop",
    });
  });

  test("give it back before the error when the stream breaks", () => {
    expect(stream([text("a ST")], "STOP")).toMatchObject({
      choices: { 0: { content: "a ST" } },
      complete: false,
      failed: true,
    });
  });

  test("cut each choice by itself", () => {
    const cut = stream(
      [text("a") + text("x", 1) + text("b.") + text("y", 1) + finish("stop", 1) + finish("stop", 0) + done],
      ".",
    );
    expect(cut.choices).toEqual({ 0: { content: "ab", reason: "stop" }, 1: { content: "xy", reason: "stop" } });
    const both = event([
      { index: 0, delta: { content: "no" }, finish_reason: null },
      { index: 1, delta: { content: "no.more" }, finish_reason: null },
    ]);
    expect(stream([both + finish("stop", 0) + finish("length", 1) + done], ".").choices).toEqual({
      0: { content: "no", reason: "stop" },
      1: { content: "no", reason: "stop" },
    });
  });

  test("leave tool calls and reasoning alone", () => {
    const call = event([
      { index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '"STOP"' } }] }, finish_reason: null },
    ]);
    const thought = event([{ index: 0, delta: { reasoning_content: "STOP" }, finish_reason: null }]);
    const whole = thought + call + finish("tool_calls") + done;
    expect(stream([whole], "STOP").relay).toBe(whole);
  });

  test("hand on an error event as it is", () => {
    const error = event([], { error: { message: "m" } });
    expect(stream([text("a") + error], "STOP")).toMatchObject({ relay: text("a") + error, failed: true });
  });

  test("are cut at the same place however they are split", () => {
    const whole = text("one ST") + text("O") + text("P two") + finish("stop") + done;
    for (let at = 1; at < whole.length; at++) {
      expect(stream([whole.slice(0, at), whole.slice(at)], "STOP").choices[0]).toEqual({
        content: "one ",
        reason: "stop",
      });
    }
  });
});

describe("buffered answers", () => {
  function buffered(answer: object, ...sequences: string[]): { relay: unknown; same: boolean } {
    const reader = emulateStop(createBufferedReader({ operation: "chat-completions", providerName: "up" }), sequences);
    const bytes = bytesOf(JSON.stringify(answer));
    reader.push(bytes);
    const { relay } = reader.end();
    return {
      relay: relay === undefined ? undefined : JSON.parse(new TextDecoder().decode(relay)),
      same: relay === bytes,
    };
  }

  const answer = {
    id: "c",
    choices: [
      { index: 0, message: { role: "assistant", content: "one STOP two" }, finish_reason: "length" },
      {
        index: 1,
        message: { role: "assistant", content: "three", tool_calls: [{ id: "STOP" }] },
        finish_reason: "tool_calls",
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  };

  test("are cut choice by choice", () => {
    expect(buffered(answer, "STOP", "five").relay).toEqual({
      ...answer,
      choices: [
        { ...answer.choices[0], message: { role: "assistant", content: "one " }, finish_reason: "stop" },
        answer.choices[1],
      ],
    });
  });

  test("without a sequence keep their bytes", () => {
    expect(buffered(answer, "FIVE").same).toBe(true);
  });

  test("that failed stay failed", () => {
    const reader = emulateStop(createBufferedReader({ operation: "chat-completions", providerName: "up" }), ["x"]);
    reader.push(bytesOf('{"choices":[]}'));
    expect(reader.end()).toMatchObject({ relay: undefined, failure: { message: "provider returned no choices" } });
  });
});
