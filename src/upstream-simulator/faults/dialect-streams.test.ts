// Which events a faulty stream has in the dialects that name theirs, and what an error says in each of them.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createParser } from "eventsource-parser";
import { startSimulator, type Simulator } from "../simulator.ts";

let simulator: Simulator;
beforeAll(() => {
  simulator = startSimulator();
});
afterAll(() => simulator.stop());

type Named = "responses" | "messages" | "gemini";

async function bodyOf(dialect: Named, model: string): Promise<string> {
  const base = simulator.origin;
  const url =
    dialect === "gemini"
      ? `${base}/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`
      : `${base}/v1/${dialect}`;
  return (await fetch(url, { method: "POST", body: JSON.stringify({ model, stream: true }) })).text();
}

interface Data {
  readonly type?: string;
  readonly error?: unknown;
  readonly candidates?: readonly { readonly finishReason?: string }[];
}

function nameOf(data: string): string {
  try {
    const { type, error, candidates } = JSON.parse(data) as Data;
    if (type !== undefined) return type.replace("response.", "");
    if (error !== undefined) return "error";
    return candidates?.[0]?.finishReason === undefined ? "chunk" : "finish";
  } catch {
    return data === "[DONE]" ? data : "?";
  }
}

/** The types of all events; `*3` for three of a kind in a row. */
async function eventsOf(dialect: Named, model: string): Promise<string> {
  const names: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => names.push(nameOf(data)),
    onComment: () => names.push("comment"),
  });
  const body = await bodyOf(dialect, model);
  parser.feed(body);
  // This parser waits for what follows a CR; at the end of a body that is nothing.
  if (body.endsWith("\r")) parser.feed("\n");
  const counted: [name: string, count: number][] = [];
  for (const name of names) {
    const last = counted.at(-1);
    if (last?.[0] === name) last[1] += 1;
    else counted.push([name, 1]);
  }
  return counted.map(([name, count]) => (count === 1 ? name : `${name}*${count}`)).join(" ");
}

const summary = "reasoning_summary";

describe("Responses", () => {
  const start = "created in_progress output_item.added content_part.added";
  const parts = "output_text.done content_part.done output_item.done";
  const call = "function_call_arguments";

  test.each([
    ["parallel-tools", `created in_progress ${toolItem(call, 2)} ${toolItem(call, 3)} completed`],
    ["cut-after-0", ""],
    ["cut-after-2", "created in_progress"],
    ["cut-after-3-words", `${start} output_text.delta*3`],
    ["cut-in-event-3-words", `${start} output_text.delta*3`],
    ["cut-in-tool-call", `created in_progress output_item.added ${call}.delta*2`],
    ["cut-in-reasoning", `created in_progress output_item.added ${summary}_part.added ${summary}_text.delta*2`],
    ["cut-before-done", `${start} output_text.delta*12 ${parts}`],
    ["cut-in-done", `${start} output_text.delta*12 ${parts}`],
    ["error-first-503", "error"],
    ["error-after-comments-503", "comment*3 error"],
    ["error-after-role-429", `${start} error`],
    ["error-middle-500", `${start} output_text.delta*3 error`],
    ["error-middle-then-more-500", `${start} output_text.delta*3 error output_text.delta*9 ${parts} completed`],
    ["error-in-chunk", "created in_progress failed"],
    ["error-in-finish", `${start} output_text.delta*3 failed`],
    ["event-unknown-middle", `${start} output_text.delta*3 made_up output_text.delta*9 ${parts} completed`],
    ["event-junk-first", `? ${start} output_text.delta*12 ${parts} completed`],
    ["event-large-2", `${start} output_text.delta*13 ${parts} completed`],
    ["done-marker", `${start} output_text.delta*12 ${parts} completed [DONE]`],
    ["deltas-missing", `${start} ${parts} completed`],
    ["finish-error", `${start} output_text.delta ${parts} failed`],
    ["content-filter", `${start} output_text.delta ${parts} incomplete`],
  ])("%s is %s", async (model, events) => {
    expect(await eventsOf("responses", model)).toBe(events);
  });

  test("an error counts among the numbers of its stream", async () => {
    const last = (await bodyOf("responses", "error-middle-429")).trim().split("\n\n").at(-1);
    expect(last).toStartWith("event: error\n");
    expect(JSON.parse(last?.split("\ndata: ")[1] ?? "")).toEqual({
      type: "error",
      code: "rate_limit_exceeded",
      message: "simulated error in the stream",
      param: null,
      sequence_number: 7,
    });
  });

  test("a response that failed says why", async () => {
    const body = await bodyOf("responses", "error-in-finish~message=too%20much");
    expect(JSON.parse(body.split("data: ").at(-1) ?? "")).toMatchObject({
      type: "response.failed",
      sequence_number: 7,
      response: { status: "failed", output: [], error: { code: "server_error", message: "too much" } },
    });
  });

  test.each([
    ["sequence-missing", "[null,null,null]"],
    ["sequence-gaps", "[0,2,4]"],
  ])("%s numbers its first events %s", async (model, numbers) => {
    const events = (await bodyOf("responses", model)).split("\n\n").slice(0, 3);
    const found = events.map((event) => JSON.parse(event.split("\ndata: ")[1] ?? "").sequence_number ?? null);
    expect(JSON.stringify(found)).toBe(numbers);
  });

  test("output-missing says all of its text, and ends with a response without output", async () => {
    const body = await bodyOf("responses", "output-missing");
    expect(body).toContain('"text":"[output-missing] this text was made up by the upstream simulator — no"');
    expect(JSON.parse(body.split("data: ").at(-1) ?? "")).toMatchObject({ response: { output: [] } });
  });
});

describe("Messages", () => {
  const start = "message_start content_block_start ping";
  const end = "content_block_stop message_delta message_stop";

  test.each([
    ["parallel-tools", `${start} ${deltas(2)} content_block_stop content_block_start ${deltas(3)} ${end}`],
    ["no-content", "message_start message_delta message_stop"],
    ["cut-after-1", "message_start"],
    ["cut-after-3-words", `${start} ${deltas(3)}`],
    ["cut-in-tool-call", `${start} ${deltas(2)}`],
    ["cut-in-reasoning", `${start} ${deltas(2)}`],
    ["cut-before-done", `${start} ${deltas(12)} content_block_stop message_delta`],
    ["cut-after-finish", `${start} ${deltas(12)} content_block_stop message_delta`],
    ["no-finish", `${start} ${deltas(12)} content_block_stop message_stop`],
    ["error-first-529", "error"],
    ["error-after-role-529", `${start} error`],
    ["error-middle-then-done-529", `${start} ${deltas(3)} error message_stop`],
    ["error-last-500", `${start} ${deltas(12)} content_block_stop message_delta error`],
    ["stream-of-done", "message_stop"],
    ["event-malformed-middle", `${start} ${deltas(3)} ? ${deltas(9)} ${end}`],
    ["event-unknown-first", `made_up ${start} ${deltas(12)} ${end}`],
    ["done-twice", `${start} ${deltas(12)} content_block_stop message_delta message_stop*2`],
    ["no-role", `content_block_start ping ${deltas(12)} ${end}`],
    [
      "redacted-reasoning",
      `message_start content_block_start content_block_stop content_block_start ping ${deltas(2)} ${end}`,
    ],
    ["block-stop-missing", `${start} ${deltas(12)} message_delta message_stop`],
    ["delta-unknown", `${start} ${deltas(13)} ${end}`],
  ])("%s is %s", async (model, events) => {
    expect(await eventsOf("messages", model)).toBe(events);
  });

  test.each([
    ["429", { type: "rate_limit_error", message: "busy" }],
    ["529", { type: "overloaded_error", message: "busy" }],
    ["named", { type: "overloaded_error", message: "busy" }],
    ["uncoded", { message: "busy" }],
    ["text", "busy"],
  ])("an error event of %s is %j", async (word, error) => {
    const expected = JSON.stringify({ type: "error", error });
    const body = await bodyOf("messages", `error-first-${word}~message=busy`);
    expect(body).toStartWith("event: error\ndata: ");
    expect(JSON.parse(body.split("data: ")[1] ?? "")).toEqual(JSON.parse(expected));
  });

  test("events-unnamed has no event lines, the right stream has one for each", async () => {
    expect(await bodyOf("messages", "events-unnamed")).not.toContain("event:");
    expect((await bodyOf("messages", "ok-1")).match(/^event: /gm)).toHaveLength(7);
  });

  test("a silent stream is kept alive by pings", async () => {
    const controller = new AbortController();
    const url = `${simulator.baseUrl}/messages`;
    const body = JSON.stringify({ model: "heartbeats-5", stream: true });
    const response = await fetch(url, { method: "POST", body, signal: controller.signal });
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toStartWith('event: ping\ndata: {"type":"ping"}\n\n');
    controller.abort();
  });

  test("usage of a cached prompt is in the last but one event as well, and usage-never has none", async () => {
    const body = await bodyOf("messages", "cached-usage");
    expect(body).toContain(
      '"usage":{"input_tokens":11,"cache_creation_input_tokens":200,"cache_read_input_tokens":1000,',
    );
    expect(body.split("event: message_delta")[1]).toContain('"cache_read_input_tokens":1000,"output_tokens":12}');
    expect(await bodyOf("messages", "usage-never")).not.toContain('usage":');
  });
});

describe("Gemini", () => {
  test.each([
    ["parallel-tools", "chunk*2 finish"],
    ["cut-after-3-words", "chunk*3"],
    ["cut-in-tool-call", ""],
    ["cut-in-done", "chunk*12"],
    ["no-finish", "chunk*12"],
    ["cut-after-finish", "chunk*12 finish"],
    ["error-first-429", "error"],
    ["error-middle-503", "chunk*3 error"],
    ["error-middle-then-more-503", "chunk*3 error chunk*9 finish"],
    ["event-null-first", "? chunk*12 finish"],
    ["finish-twice", "chunk*12 finish*2"],
    ["finish-with-word", "chunk*11 finish"],
    ["done-marker", "chunk*12 finish [DONE]"],
    ["two-choices", "chunk*2 finish"],
  ])("%s is %s", async (model, events) => {
    expect(await eventsOf("gemini", model)).toBe(events);
  });

  test.each([
    ["429", { code: 429, message: "busy", status: "RESOURCE_EXHAUSTED" }],
    ["quoted-429", { code: "429", message: "busy", status: "RESOURCE_EXHAUSTED" }],
    ["503", { code: 503, message: "busy", status: "UNAVAILABLE" }],
    ["named", { message: "busy", status: "UNAVAILABLE" }],
    ["text", "busy"],
  ])("an error event of %s is %j", async (word, error) => {
    expect(await bodyOf("gemini", `error-first-${word}~message=busy`)).toBe(`data: ${JSON.stringify({ error })}\n\n`);
  });

  test("both candidates of two-choices say their own text", async () => {
    const body = await bodyOf("gemini", "two-choices");
    const [first] = body.split("\n\n");
    expect(JSON.parse(first?.slice(6) ?? "")).toMatchObject({
      candidates: [
        { index: 0, content: { parts: [{ text: "choice 0" }] } },
        { index: 1, content: { parts: [{ text: "choice 1" }] } },
      ],
    });
  });

  test("finish-with-word ends with its last word, call-with-id has an id and finish-unknown an odd reason", async () => {
    expect((await bodyOf("gemini", "finish-with-word")).split("\n\n").at(-2)).toContain(
      '{"parts":[{"text":" no"}],"role":"model"},"finishReason":"STOP"',
    );
    expect(await bodyOf("gemini", "call-with-id")).toContain('"functionCall":{"id":"call_1","name":"get_weather"');
    expect(await bodyOf("gemini", "finish-unknown")).toContain('"finishReason":"MADE_UP"');
  });
});

describe("the spellings of the format", () => {
  test.each(
    ["sse-crlf", "sse-cr", "sse-mixed-line-ends", "sse-bom", "sse-no-space", "sse-multi-line-data"].flatMap(each),
  )("%s of %s reads as the right stream", async (spelling, dialect) => {
    expect(await eventsOf(dialect, spelling)).toBe(await eventsOf(dialect, "ok"));
  });

  test.each(["sse-event-and-id", "sse-blank-lines", "sse-spaced-json", "sse-chunks-of-seven"].flatMap(each))(
    "%s of %s does so too",
    async (spelling, dialect) => {
      expect(await eventsOf(dialect, spelling)).toBe(await eventsOf(dialect, "ok"));
    },
  );

  test("data on several lines is broken in every event of every dialect", async () => {
    for (const dialect of ["responses", "messages", "gemini"] as const) {
      const events = (await bodyOf(dialect, "sse-multi-line-data")).trim().split("\n\n");
      const broken = events.filter((event) => (event.match(/^data: /gm) ?? []).length > 1);
      const whole = events.length - broken.length;
      // A ping and the end of a message have no second member.
      expect(whole).toBe(dialect === "messages" ? 2 : 0);
    }
  });
});

function toolItem(call: string, pieces: number): string {
  return `output_item.added ${call}.delta*${pieces} ${call}.done output_item.done`;
}

function deltas(count: number): string {
  return `content_block_delta*${count}`;
}

function each(spelling: string): [spelling: string, dialect: Named][] {
  return (["responses", "messages", "gemini"] as const).map((dialect) => [spelling, dialect]);
}
