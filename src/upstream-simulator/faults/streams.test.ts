// What the body of each stream says, read by an event-stream parser that is not ours.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createParser } from "eventsource-parser";
import { modelRequest, openRawConnection } from "../../../test/support/raw-exchange.ts";
import { answerPieces, answerText } from "../answer-text.ts";
import { faults } from "../faults.ts";
import { startSimulator, type Simulator } from "../simulator.ts";

let simulator: Simulator;
beforeAll(() => {
  simulator = startSimulator();
});
afterAll(() => simulator.stop());

/** What of a chunk is looked at here. */
interface Chunk {
  readonly choices?: readonly { delta?: { role?: string; content?: string }; finish_reason?: string | null }[];
  readonly usage?: unknown;
  readonly error?: unknown;
}

async function bodyOf(model: string, includeUsage: boolean): Promise<string> {
  const options = includeUsage ? { stream_options: { include_usage: true } } : {};
  const body = JSON.stringify({ model, stream: true, messages: [], ...options });
  return (await fetch(`${simulator.baseUrl}/chat/completions`, { method: "POST", body })).text();
}

/** r role, w word, f finish, u usage alone, d [DONE], e error, c comment, ? anything else. */
function kindOf(data: string): string {
  if (data === "[DONE]") return "d";
  let chunk: Chunk | null;
  try {
    chunk = JSON.parse(data);
  } catch {
    return "?";
  }
  if (typeof chunk !== "object" || chunk === null) return "?";
  if (chunk.error !== undefined && chunk.error !== null) return "e";
  const choice = chunk.choices?.[0];
  if (choice === undefined) return chunk.usage === undefined ? "?" : "u";
  if (typeof choice.finish_reason === "string") return "f";
  return choice.delta?.role === undefined ? "w" : "r";
}

/** The kinds of all events in order, and the text of the deltas. */
function readEvents(body: string): { kinds: string; text: string } {
  let kinds = "";
  let text = "";
  const parser = createParser({
    onEvent: ({ data }) => {
      const kind = kindOf(data);
      kinds += kind;
      if ("wrf".includes(kind)) {
        const chunk: Chunk = JSON.parse(data);
        text += chunk.choices?.[0]?.delta?.content ?? "";
      }
    },
    onComment: () => {
      kinds += "c";
    },
  });
  parser.feed(body);
  // This parser takes a CR at the very end for half of a CRLF until it sees more.
  if (body.endsWith("\r")) parser.feed("\n");
  return { kinds, text };
}

const words = "w".repeat(12);

describe("spellings", () => {
  const spelled = faults.filter(({ group }) => group === "stream-format").map(({ name }) => name);

  test.each(spelled)("%s has the right events, text and usage", async (name) => {
    const { kinds, text } = readEvents(await bodyOf(name, true));
    expect(kinds.replaceAll("c", "")).toBe(`r${words}fud`);
    expect(text).toBe(answerText(name));
  });

  test.each([
    ["sse-crlf", /^data: [^\r\n]*\r\n\r\ndata/],
    ["sse-cr", /^data: [^\n]*\r\rdata: [^\n]*$/],
    ["sse-mixed-line-ends", /^data: [^\r\n]*\n\ndata: [^\r\n]*\r\rdata: [^\r\n]*\r\n\r\n/],
    ["sse-no-space", /^data:\{[^\n]*\n\ndata:\{/],
    ["sse-multi-line-data", /^data: \{"id":"[^\n]*,\ndata: "object":[^\n]*,\ndata: /],
    ["sse-event-and-id", /^event: message\nid: 0\nretry: 1000\nx-odd: 1\nlonely\ndata: /],
    ["sse-comments", /^: start\n\n:\n: keep-alive\ndata: [^\n]*\n\n:\n\n/],
    ["sse-blank-lines", /^\n\ndata: [^\n]*\n\n\n\n\ndata: /],
    ["sse-spaced-json", /^data: \{"id" : "[^\n]*" , "object" : /],
  ])("%s is spelled so on the wire", async (name, pattern) => {
    expect(await bodyOf(name, false)).toMatch(pattern);
  });

  test("sse-bom begins with the three bytes of the mark and sse-chunks-of-seven has chunks of seven bytes", async () => {
    const ask = async (model: string): Promise<Buffer> => {
      const client = openRawConnection(simulator.port);
      client.send(modelRequest("chat/completions", model, { stream: true }));
      const { bytes } = await client.receive(({ text }) => text.endsWith("\r\n0\r\n\r\n"));
      client.close();
      return bytes.subarray(bytes.indexOf("\r\n\r\n") + 4);
    };
    expect((await ask("sse-bom")).subarray(0, 6)).toEqual(Buffer.from("3\r\n\xef\xbb\xbf", "latin1"));
    expect((await ask("sse-chunks-of-seven")).toString("latin1")).toMatch(
      /^(?:7\r\n[^]{7}\r\n)+[1-6]\r\n[^]{1,6}\r\n0\r\n\r\n$/,
    );
  });
});

describe("events in order", () => {
  test.each([
    ["ok-2", "rwwfud"],
    ["burst-3", "rwwwfud"],
    ["cut-after-0", ""],
    ["cut-after-1", "r"],
    ["cut-after-4", "rwww"],
    ["cut-in-event-4", "rwww"],
    ["cut-in-tool-call", "rwww"],
    ["cut-at-7", ""],
    ["cut-before-done", `r${words}fu`],
    ["cut-after-finish", `r${words}f`],
    ["cut-after-first-finish", "rrf"],
    ["cut-in-done", `r${words}`],
    ["no-finish", `r${words}d`],
    ["error-first-429", "e"],
    ["error-first-then-done-429", "ed"],
    ["error-after-comments-503", "ccce"],
    ["error-after-role-400", "re"],
    ["error-middle-quoted-429", "rwwwe"],
    ["error-middle-then-done-named", "rwwwed"],
    ["error-middle-then-more-uncoded", `rwwwe${"w".repeat(9)}fud`],
    ["error-last-text", `r${words}fe`],
    ["error-in-chunk", "ed"],
    ["error-in-finish", "rwwwed"],
    ["error-null", `r${words}fud`],
    ["stream-empty", ""],
    ["stream-of-comments", "ccc"],
    ["stream-of-done", "d"],
    ["stream-of-blank-lines", ""],
    ["event-malformed-first", `?r${words}fud`],
    ["event-malformed-middle", `rwww?${"w".repeat(9)}fud`],
    ["event-junk-first", `?r${words}fud`],
    ["event-junk-middle", `rwww?${"w".repeat(9)}fud`],
    ["event-blank-first", `?r${words}fud`],
    ["event-blank-middle", `rwww?${"w".repeat(9)}fud`],
    ["event-null-first", `?r${words}fud`],
    ["event-null-middle", `rwww?${"w".repeat(9)}fud`],
    ["event-array-first", `?r${words}fud`],
    ["event-array-middle", `rwww?${"w".repeat(9)}fud`],
    ["event-html-first", `r${words}fud`],
    ["event-html-middle", `r${words}fud`],
    ["event-unknown-first", `?r${words}fud`],
    ["event-unknown-middle", `rwww?${"w".repeat(9)}fud`],
    ["event-large-2", `r${words}wfud`],
    ["comment-large", `rwwwc${"w".repeat(9)}fud`],
    ["done-then-more", `r${words}fudw?`],
    ["done-twice", `r${words}fudd`],
    ["done-no-blank-line", `r${words}fu`],
    ["finish-twice", `r${words}ffud`],
    ["finish-with-word", `r${"w".repeat(11)}fud`],
    ["finish-error", "rwfud"],
    ["no-role", `${words}fud`],
    ["no-content", "rfud"],
    ["filter-first", `?r${words}fud`],
    ["usage-every-chunk", `r${words}fud`],
    ["usage-null-chunks", `r${words}fud`],
    ["usage-with-choices", `r${words}fd`],
    ["usage-never", `r${words}fd`],
    ["two-choices", "rrwwwwffud"],
    ["reasoning", "rwwwfud"],
    ["tools", "rwwwwfud"],
    ["parallel-tools", "rwwwwwwfud"],
  ])("%s is %s", async (name, kinds) => {
    expect(readEvents(await bodyOf(name, true)).kinds).toBe(kinds);
  });

  test("usage comes only where it is asked for", async () => {
    expect(readEvents(await bodyOf("ok-1", false)).kinds).toBe("rwfd");
  });

  test.each(["500", "429"])("an error event has the code %s as a number", async (code) => {
    expect(await bodyOf(`error-first-${code}~message=broken`, false)).toBe(
      `data: {"error":{"message":"broken","code":${code}}}\n\n`,
    );
  });

  test("an error event has its code as a string, as a word, not at all, or is a string", async () => {
    expect(await bodyOf("error-first-quoted-429", false)).toContain(',"code":"429"}}');
    expect(await bodyOf("error-first-named", false)).toContain(',"code":"server_overloaded"}}');
    expect(await bodyOf("error-first-uncoded", false)).toBe(
      'data: {"error":{"message":"simulated error in the stream"}}\n\n',
    );
    expect(await bodyOf("error-first-text", false)).toBe('data: {"error":"simulated error in the stream"}\n\n');
    expect(await bodyOf("error-named-event", false)).toStartWith('event: error\ndata: {"message":');
  });

  test("usage grows from chunk to chunk", async () => {
    const totals = (await bodyOf("usage-every-chunk", false)).match(/"total_tokens":\d+/g);
    expect(totals?.map((text) => Number(text.slice(15)))).toEqual([
      ...Array.from({ length: 12 }, (_, i) => 12 + i),
      23,
    ]);
  });

  test("a cut in a character leaves a byte that is no UTF-8 at the end", async () => {
    const body = JSON.stringify({ model: "cut-in-character", stream: true });
    const response = await fetch(`${simulator.baseUrl}/chat/completions`, { method: "POST", body });
    expect(Buffer.from(await response.arrayBuffer()).subarray(-4)).toEqual(
      Buffer.from("caf\xc3", "latin1").subarray(-4),
    );
  });

  test("a cut at a byte leaves exactly so many bytes of the right body", async () => {
    const right = (await bodyOf("cut-before-done", false)).replaceAll("cut-before-done", "cut-at-300");
    expect(await bodyOf("cut-at-300", false)).toBe(right.slice(0, 300));
  });

  test("the pieces of a stream are the words of the text", () => {
    expect(answerPieces("m", 3)).toEqual(["[m]", " this", " text"]);
  });
});

describe("ends of a cut stream", () => {
  test.each([
    ["clean", "open", /\}\n\n\r\n0\r\n\r\n$/],
    ["fin", "fin", /\}\n\n\r\n$/],
    ["reset", "reset", /\}\n\n\r\n$/],
    ["hang", "open", /\}\n\n\r\n$/],
  ] as const)("~end=%s leaves the connection %s", async (end, connection, pattern) => {
    const client = openRawConnection(simulator.port);
    client.send(modelRequest("chat/completions", `cut-after-2~end=${end}`, { stream: true }));
    const seen = await client.receive(({ text }) => connection === "open" && pattern.test(text));
    expect(seen.text).toMatch(pattern);
    expect(seen.end).toBe(connection);
    client.close();
  });

  test.each([
    ["heartbeats", /\r\n\r\n(?:d\r\n: heartbeat\n\n\r\n){3}$/],
    ["heartbeats-middle", /(?:data: \{[^\n]*\n\n\r\n[^]*){4}(?:d\r\n: heartbeat\n\n\r\n){3}$/],
    ["heartbeats-after-finish-5", /"finish_reason":"stop"\}\]\}\n\n\r\n(?:d\r\n: heartbeat\n\n\r\n){3}$/],
    ["heartbeats-after-done", /\[DONE\]\n\n\r\n(?:d\r\n: heartbeat\n\n\r\n){3}$/],
    ["stall-1", /\}\n\n\r\n$/],
    ["line-endless", /data: \{"choices":\[\{"delta":\{"content":"\r\n(?:4000\r\nx{16384}\r\n){5}/],
  ])("%s never ends by itself", async (name, pattern) => {
    const client = openRawConnection(simulator.port);
    client.send(modelRequest("chat/completions", name, { stream: true }));
    const seen = await client.receive(({ text }) => pattern.test(text));
    expect(seen.end).toBe("open");
    expect(simulator.calls.at(-1)?.answeredAt).toBeUndefined();
    client.close();
  });
});
