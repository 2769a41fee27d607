// What the caller gets of an answer that goes on where another broke, rule by rule.

import { describe, expect, test } from "bun:test";
import { chatRequest } from "../../../test/streams/recover-stream.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { ResumeRule } from "../../core/resume-rule.ts";
import type { ResumedReader } from "../../core/stream-recovery.ts";
import { followChatStream } from "./delivered-stream.ts";
import { emulateStop } from "./stop-emulation.ts";
import { createStreamReader } from "./stream-reader.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const done = "data: [DONE]\n\n";
const unknown: AnswerFacts = { usage: undefined, emptyReason: undefined };

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

interface Answer {
  readonly text: (content: string) => string;
  readonly chunk: (choice: object, more?: object) => string;
  readonly usage: (counts: object) => string;
}

/** The events of one target, told apart by their identity. */
function answerOf(identity: object): Answer {
  const chunk = (choice: object, more: object = {}): string =>
    event({ ...identity, choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }], ...more });
  return {
    chunk,
    text: (content) => chunk({ delta: { content } }),
    usage: (counts) => event({ ...identity, choices: [], usage: counts }),
  };
}

const a = answerOf({ id: "a", created: 1, model: "ma" });
const b = answerOf({ id: "b", created: 2, model: "mb" });
/** As the caller must see `b`. */
const ab = a;
const finish = { finish_reason: "stop" };

interface Outcome {
  /** Of each step. */
  readonly relays: readonly string[];
  readonly relay: string;
  readonly events: number;
  readonly complete: boolean;
  readonly failure: string | undefined;
  readonly state: ResumedReader["state"];
  readonly reader: ResumedReader;
}

function resume(
  delivered: string,
  chunks: readonly string[],
  how: { rule?: ResumeRule; cutUsageEvent?: boolean; broken?: AnswerFacts; stop?: readonly string[] } = {},
): Outcome {
  const { rule = "fresh", cutUsageEvent = false, broken = unknown, stop = [] } = how;
  const stream = followChatStream(
    chatRequest('{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}'),
  );
  stream.took(encoder.encode(delivered));
  const own = createStreamReader({ cutUsageEvent, providerName: "up", skipMalformed: true });
  const reader = stream.resume(stop.length === 0 ? own : emulateStop(own, stop), rule, broken);
  const relays: string[] = [];
  let events = 0;
  for (const chunk of [...chunks, undefined]) {
    const step = chunk === undefined ? reader.end() : reader.push(encoder.encode(chunk));
    expect(step.inBand).toBe(false);
    relays.push(decoder.decode(step.relay));
    events += step.events;
    const { complete, failure } = step;
    if (complete || failure !== undefined) {
      const { state } = reader;
      return { relays, relay: relays.join(""), events, complete, failure: failure?.message, state, reader };
    }
  }
  throw new Error("a stream always ends");
}

const hello = a.chunk({ delta: { role: "assistant", content: "" } }) + a.text("Hel") + a.text("lo");
const role = b.chunk({ delta: { role: "assistant", content: "" } });
const differs = "the stream broke, and the answer of the provider that took over differs from what was delivered";
const cutShort = "provider up ended the stream before the answer was complete";

describe("a fresh start", () => {
  test("gives nothing until it has caught up, then the rest under the first answer's identity", () => {
    const chunks = [role, b.text("He"), b.text("llo"), b.text(" you"), b.chunk(finish), done];
    expect(resume(hello, chunks)).toMatchObject({
      relays: ["", "", "", ab.text(" you"), ab.chunk(finish), done],
      events: 6,
      complete: true,
      state: "going-on",
    });
  });

  test("gives of the piece that catches up only what is missing", () => {
    const chunks = [role + b.text("Hello you"), b.chunk(finish) + done];
    expect(resume(hello, chunks)).toMatchObject({ relays: [ab.text(" you"), ab.chunk(finish) + done] });
    const whole = b.chunk({ delta: { content: "Hello you" }, ...finish });
    expect(resume(hello, [whole, done]).relay).toBe(ab.chunk({ delta: { content: " you" }, ...finish }) + done);
  });

  test("may have nothing to add but the end", () => {
    expect(resume(hello, [b.text("Hello"), b.chunk(finish), done]).relay).toBe(ab.chunk(finish) + done);
    const whole = b.chunk({ delta: { content: "Hello" }, ...finish });
    expect(resume(hello, [whole]).relay).toBe(ab.chunk({ delta: { content: "" }, ...finish }) + done);
    expect(resume(hello, [b.text("Hello"), done])).toMatchObject({ relay: done, complete: true });
  });

  test.each([
    ["ended inside a surrogate pair", '"\\ud83d"', '"\\ud83d\\ude00!"', '{"content":"\\ude00!"}'],
    ["ended inside a pair that is repeated in two pieces", '"\\ud83d"', '"\\uD83D"', undefined],
    ["was written in escapes", '"\\u00e9\\u0041"', '"éA!"', '{"content":"!"}'],
    ["was written raw", '"éA😀"', '"\\u00E9\\u0041\\ud83d\\uDE00!"', '{"content":"!"}'],
    ["had an escaped line end", '"a\\n\\"b"', '"a\\u000a\\u0022b/"', '{"content":"/"}'],
  ])("compares the text and not its spelling: what was delivered %s", (_name, before, after, rest) => {
    const write = (json: string): string => a.text("?").replace('"?"', json);
    const { relay } = resume(write(before), [write(after), write('"\\ude00"').replace('"a"', '"b"'), b.chunk(finish)]);
    expect(relay).toContain(rest ?? '{"content":"\\ude00"}');
    expect(relay.match(/"content"/g)?.length).toBe(rest === undefined ? 1 : 2);
  });

  test.each([
    ["another text", b.text("Help")],
    ["another text at once", b.text("Good")],
    ["another case", b.text("hello you")],
    ["a composed letter for a combined one", b.text("He\u0301")],
    ["an end", b.text("Hell") + b.chunk(finish)],
    ["an end with the last piece", b.chunk({ delta: { content: "Hell" }, ...finish })],
    ["the terminal", b.text("Hell") + done],
    ["a tool call", b.chunk({ delta: { tool_calls: [{ index: 0, id: "c" }] } })],
    ["reasoning", b.chunk({ delta: { reasoning_content: "hm" } })],
    ["a refusal", b.chunk({ delta: { refusal: "no" } })],
    ["audio", b.chunk({ delta: { audio: { id: "x" } } })],
    ["content in parts", b.chunk({ delta: { content: [{ type: "text", text: "Hello" }] } })],
    ["another choice", b.chunk({ index: 1, delta: { content: "Hello" } })],
  ])("that has %s before it caught up is no continuation, and nothing of it goes out", (_name, chunk) => {
    for (const chunks of [[role + chunk + b.text("Hello you") + done], [role, chunk, b.text("Hello you")]]) {
      expect(resume(hello, chunks)).toMatchObject({
        relay: "",
        complete: false,
        failure: differs,
        state: "diverged",
      });
    }
  });

  test("that breaks itself before it caught up leaves everything open", () => {
    expect(resume(hello, [role, b.text("He")])).toMatchObject({ relay: "", failure: cutShort, state: "catching-up" });
    expect(resume(hello, [b.text("He"), event({ error: { message: "overloaded" } })])).toMatchObject({
      relay: "",
      failure: "overloaded",
      state: "catching-up",
    });
  });

  test("that breaks later on gives no part of the provider's own error", () => {
    const error = event({ error: { message: "overloaded" } });
    for (const chunks of [[b.text("Hello you") + error], [b.text("Hello you"), error]]) {
      expect(resume(hello, chunks)).toMatchObject({ relay: ab.text(" you"), failure: "overloaded", state: "going-on" });
    }
    const bad = b.chunk({ finish_reason: "error" });
    expect(resume(hello, [b.text("Hello you"), bad])).toMatchObject({ relay: ab.text(" you"), state: "going-on" });
  });

  test("may call tools and reason once it has caught up", () => {
    const call = { delta: { tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{}" } }] } };
    const thought = { delta: { reasoning_content: "hm" } };
    const chunks = [b.text("Hello"), b.chunk(call), b.chunk(thought), b.chunk({ finish_reason: "tool_calls" })];
    expect(resume(hello, chunks).relay).toBe(
      ab.chunk(call) + ab.chunk(thought) + ab.chunk({ finish_reason: "tool_calls" }) + done,
    );
  });

  test("of an answer of which no text was delivered passes from its first piece on", () => {
    const begun = a.chunk({ delta: { role: "assistant", content: "" } });
    const thought = b.chunk({ delta: { role: "assistant", reasoning_content: "hm" } });
    expect(resume(begun, [role, thought, b.text("Hi"), b.chunk(finish)]).relay).toBe(
      ab.chunk({ delta: { reasoning_content: "hm" } }) + ab.text("Hi") + ab.chunk(finish) + done,
    );
  });

  test("with the gateway's own stop sequences ends where the text would have ended", () => {
    const stopped = resume(hello, [b.text("Hello y"), b.text("ou STOP more"), b.chunk(finish)], { stop: ["STOP"] });
    expect(stopped.relay).toBe(ab.text(" y") + ab.chunk({ delta: { content: "ou " }, ...finish }) + done);
  });
});

describe("an answer that was asked to go on", () => {
  const prefill = { rule: "prefill" } as const;

  test("passes from its first piece on, but for its role", () => {
    const chunks = [role, b.text(" you"), b.chunk(finish), done];
    expect(resume(hello, chunks, prefill)).toMatchObject({
      relays: ["", ab.text(" you"), ab.chunk(finish), done],
      complete: true,
      state: "going-on",
    });
  });

  test("is held back only as long as it could be the delivered text once more", () => {
    const chunks = [b.text("H"), b.text("el"), b.text("p"), b.chunk(finish) + done];
    expect(resume(hello, chunks, prefill)).toMatchObject({
      relays: ["", "", ab.text("H") + ab.text("el") + ab.text("p"), ab.chunk(finish) + done],
    });
  });

  test.each([
    ["its end", b.chunk(finish)],
    ["the terminal", done],
    ["a tool call", b.chunk({ delta: { tool_calls: [{ index: 0, id: "c" }] } }) + b.chunk(finish)],
  ])("was a continuation when %s comes before all of the delivered text", (_name, end) => {
    const { relay, complete } = resume(hello, [b.text("Hell"), end], prefill);
    expect(complete).toBe(true);
    expect(relay).toBe(
      ab.text("Hell") +
        end.replaceAll('"id":"b","created":2,"model":"mb"', '"id":"a","created":1,"model":"ma"') +
        (end === done ? "" : done),
    );
  });

  test("may add nothing but its end", () => {
    expect(resume(hello, [role, b.chunk(finish)], prefill).relay).toBe(ab.chunk(finish) + done);
  });

  test.each([
    ["in one piece", [b.text("Hello you")]],
    ["exactly", [b.text("Hello"), b.chunk(finish)]],
    ["in small pieces", [b.text("Hel"), b.text("lo"), b.text(" you")]],
  ])(
    "that begins with the whole delivered text %s may be an echo or not, so nothing of it is used",
    (_name, chunks) => {
      expect(resume(hello, [role, ...chunks], prefill)).toMatchObject({
        relay: "",
        complete: false,
        failure: "the stream broke, and the provider that was asked to go on began with the text that was delivered",
        state: "repeats-prefill",
      });
    },
  );

  test("does not think anew", () => {
    const thought = b.chunk({ delta: { reasoning_content: "hm" } });
    expect(resume(hello, [role, thought], prefill)).toMatchObject({ relay: "", state: "diverged" });
  });

  test("that breaks while it is held back gives nothing", () => {
    expect(resume(hello, [b.text("Hel")], prefill)).toMatchObject({
      relay: "",
      failure: cutShort,
      state: "catching-up",
    });
  });
});

describe("events that go on", () => {
  test("lose fingerprint and tier, which tell of another backend, and keep every other byte", () => {
    const first = event({ id: "a", created: 1, system_fingerprint: "fa", choices: [{ delta: { content: "a" } }] });
    const later = `{ "id":"b", "x":1.0, "created":2,"model":"mb","system_fingerprint":"fb","service_tier":"flex", "choices":[{"index":0,"delta":{"content":"\\u0062"}}],"big":12345678901234567890}`;
    const { relay } = resume(first, [b.text("a"), `data: ${later}\n\n`, b.chunk(finish)]);
    expect(relay.split("\n\n")[0]).toBe(
      'data: { "id":"a", "x":1.0, "created":1, "choices":[{"index":0,"delta":{"content":"\\u0062"}}],"big":12345678901234567890}',
    );
  });

  test("get an identity when they have none of their own", () => {
    const bare = answerOf({});
    expect(
      JSON.parse(
        resume(hello, [bare.text("Hello"), bare.text("!"), bare.chunk(finish)])
          .relay.slice(6)
          .split("\n\n")[0] ?? "",
      ),
    ).toMatchObject({ id: "a", created: 1, model: "ma" });
  });

  test("keep their own identity when nothing that has one was delivered", () => {
    const verdict = event({ id: "", created: 0, model: "", choices: [], prompt_filter_results: [] });
    const chunks = [role, b.text("Hi"), b.chunk(finish), done];
    expect(resume(verdict, chunks).relay).toBe(chunks.join(""));
  });

  test("lose a role in every piece, as some send it", () => {
    const piece = b.chunk({ delta: { role: "assistant", content: " you" } });
    expect(resume(hello, [b.text("Hello"), piece, b.chunk(finish)]).relay).toBe(
      ab.text(" you") + ab.chunk(finish) + done,
    );
  });

  test("have a cut piece's second copy cut as well, and not the odds of its tokens", () => {
    const piece = b.chunk({ delta: { content: "lo you" }, text: "lo you", logprobs: { content: [] } });
    const { relay } = resume(hello, [b.text("Hel"), piece, b.chunk(finish)]);
    expect(relay).toStartWith(ab.chunk({ delta: { content: " you" }, text: " you", logprobs: null }));
  });

  test("of several lines become one", () => {
    const lines = `data: {"id":"b",\ndata: "choices":[{"index":0,\ndata: "delta":{"content":"!"}}]}\n\n`;
    const { relay } = resume(hello, [b.text("Hello"), lines, b.chunk(finish)]);
    expect(relay).toStartWith(
      'data: {"id":"a", "choices":[{"index":0, "delta":{"content":"!"}}],"created":1,"model":"ma"}\n\n',
    );
  });

  test("that are no chunks, and comments, pass once the answer goes on, and not before", () => {
    const ping = event({ type: "ping" });
    const chunks = [`${b.text("He")}: 1\n\n${ping}`, b.text("llo!"), `: 2\n\n${ping}`, b.chunk(finish)];
    expect(resume(hello, chunks).relay).toBe(`${ab.text("!")}: 2\n\n${ping}${ab.chunk(finish)}${done}`);
  });

  test("with invalid UTF-8 are written as clients read them", () => {
    const bytes = [b.text("Hello"), b.text("a\x01").replace("\\u0001", "\xff"), b.chunk(finish)].map((chunk) =>
      Buffer.from(chunk, "latin1"),
    );
    const stream = followChatStream(chatRequest('{"model":"m","messages":[]}'));
    stream.took(encoder.encode(hello));
    const reader = stream.resume(createStreamReader({ cutUsageEvent: false, providerName: "up" }), "fresh", unknown);
    const relay = bytes.map((chunk) => decoder.decode(reader.push(chunk.slice()).relay)).join("");
    expect(relay).toBe(ab.text("a\ufffd") + ab.chunk(finish));
  });
});

describe("usage", () => {
  const counts = { prompt_tokens: 10, completion_tokens: 6, total_tokens: 16 };
  const withUsage = [b.text("Hello"), b.text("!"), b.chunk(finish), b.usage(counts), done];

  test("is that of both parts, marked where a part is estimated, and comes once", () => {
    const { relay, reader } = resume(hello, withUsage);
    const sum = { prompt_tokens: 20, completion_tokens: 8, total_tokens: 28, estimated: true };
    expect(relay).toBe(ab.text("!") + ab.chunk(finish) + ab.usage(sum) + done);
    expect(reader.facts().usage).toMatchObject({ inputTokens: 10, outputTokens: 6 });
  });

  test("is exact where both told", () => {
    const told = { usage: createUsage({ prompt_tokens: 9, completion_tokens: 3 }), emptyReason: undefined };
    const sum = { prompt_tokens: 19, completion_tokens: 9, total_tokens: 28 };
    expect(resume(hello, withUsage, { broken: told }).relay).toContain(ab.usage(sum));
  });

  test("counts the delivered text only once in the prompt of an answer that was asked to go on", () => {
    const chunks = [b.text("!"), b.chunk(finish), b.usage(counts)];
    const sum = { prompt_tokens: 18, completion_tokens: 8, total_tokens: 26, estimated: true };
    expect(resume(hello, chunks, { rule: "prefill" }).relay).toContain(ab.usage(sum));
  });

  test("that the caller did not ask for is not delivered", () => {
    const { relay, reader } = resume(hello, withUsage, { cutUsageEvent: true });
    expect(relay).toBe(ab.text("!") + ab.chunk(finish) + done);
    expect(reader.facts().usage).toMatchObject({ inputTokens: 10, outputTokens: 6 });
  });

  test("in every event, in the last one with choices, and in Groq's place is summed there", () => {
    const sum = { prompt_tokens: 20, completion_tokens: 8, total_tokens: 28, estimated: true };
    const chunks = [
      b.chunk({ delta: { content: "Hello" } }, { usage: counts }),
      b.chunk({ delta: { content: "!" } }, { usage: counts }),
      b.chunk(finish, { x_groq: { id: "req", usage: counts } }),
    ];
    expect(resume(hello, chunks).relay).toBe(
      ab.chunk({ delta: { content: "" } }, { usage: sum }) +
        ab.chunk({ delta: { content: "!" } }, { usage: sum }) +
        ab.chunk(finish, { x_groq: { id: "req", usage: sum } }) +
        done,
    );
  });
});

function createUsage(raw: object): AnswerFacts["usage"] {
  const reader = createStreamReader({ cutUsageEvent: false, providerName: "up" });
  reader.push(encoder.encode(event({ choices: [], usage: raw })));
  return reader.facts().usage;
}

describe("several breaks", () => {
  const counts = { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 };

  test("the third target goes on from what the first two delivered, and each part is accounted for", () => {
    const stream = followChatStream(chatRequest('{"model":"m","messages":[{"role":"user","content":"hi"}]}'));
    const newReader = (): ReturnType<typeof createStreamReader> =>
      createStreamReader({ cutUsageEvent: false, providerName: "up" });
    const took = (relay: Uint8Array | undefined): string => {
      if (relay !== undefined) stream.took(relay);
      return decoder.decode(relay);
    };
    stream.took(encoder.encode(hello));
    const second = stream.resume(newReader(), "fresh", unknown);
    expect(took(second.push(encoder.encode(b.text("Hel") + b.text("lo y"))).relay)).toBe(ab.text(" y"));
    expect(decoder.decode(stream.continuation()?.body)).toContain('{"role":"assistant","content":"Hello y"}');
    const third = stream.resume(newReader(), "prefill", second.facts());
    const rest = took(third.push(encoder.encode(b.text("ou") + b.chunk(finish) + b.usage(counts) + done)).relay);
    // 27 of the prompt are the caller's own: three pieces of text were there to go on from. Two parts wrote two pieces each.
    const sum = { prompt_tokens: 84, completion_tokens: 13, total_tokens: 97, estimated: true };
    expect(rest).toBe(ab.text("ou") + ab.chunk(finish) + ab.usage(sum) + done);
    expect(stream.brokenParts().map(({ usage }) => [usage?.inputTokens, usage?.outputTokens])).toEqual([
      [27, 2],
      [27, 2],
    ]);
    expect(third.facts().usage).toMatchObject({ inputTokens: 30, outputTokens: 9 });
  });

  test("a stream with an obstacle cannot be gone on with", () => {
    const stream = followChatStream(chatRequest('{"model":"m","messages":[]}'));
    stream.took(encoder.encode(hello + a.chunk(finish)));
    const reader = createStreamReader({ cutUsageEvent: false, providerName: "up" });
    expect(() => stream.resume(reader, "fresh", unknown)).toThrow("no target can go on with this stream: finished");
  });
});
