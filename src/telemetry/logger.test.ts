import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { Failure } from "../core/failure.ts";
import { createLogger, type LogFields, type LoggerOptions } from "./logger.ts";

function createForTest(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const logger = createLogger({
    format: "json",
    level: "debug",
    write: (line) => lines.push(line),
    clock: new FakeClock(Date.UTC(2026, 2, 4, 5, 6, 7, 89)),
    ...options,
  });
  return { logger, lines };
}

/** The fields of one JSON line, without time, level and message. */
function logged(fields: LogFields): unknown {
  const { logger, lines } = createForTest();
  logger.info("m", fields);
  const { time: _time, level: _level, msg: _msg, ...rest } = JSON.parse(lines[0] ?? "");
  return rest;
}

describe("JSON lines", () => {
  test("are one object with time, level, msg and the fields", () => {
    const { logger, lines } = createForTest();
    logger.warn("provider failed\nagain", { provider: "openai", status: 503, stream: false, model: undefined });
    expect(lines).toEqual([
      `{"time":"2026-03-04T05:06:07.089Z","level":"warn","msg":"provider failed\\nagain","provider":"openai","status":503,"stream":false}\n`,
    ]);
  });

  test("keep their own time, level and msg when a field has the same name", () => {
    const { logger, lines } = createForTest();
    logger.info("m", { level: 9, msg: "x" });
    expect(lines).toEqual([`{"time":"2026-03-04T05:06:07.089Z","level":"info","msg":"m","_level":9,"_msg":"x"}\n`]);
  });
});

describe("the short way for flat fields", () => {
  /** A nested field keeps the whole line from the short way. */
  const thoroughly = (message: string, fields: LogFields): string => {
    const { logger, lines } = createForTest();
    logger.info(message, { ...fields, nested: [] });
    return (lines[0] ?? "").replace(/,"nested":\[\]\}\n$/, "}\n");
  };
  const shortly = (message: string, fields: LogFields): string => {
    const { logger, lines } = createForTest();
    logger.info(message, fields);
    return lines[0] ?? "";
  };

  test.each([
    ["a plain request", { method: "POST", status: 200, latency: "1.5ms", stream: false }],
    ["no field", {}],
    ["a field that is absent", { a: undefined, b: 1 }],
    ["a figure that JSON has no word for", { a: Number.NaN, b: Infinity, c: -0 }],
    ["a name that stands at the front of any object", { b: 1, 7: 2 }],
    ["names of the line's own", { time: 1, level: 2, msg: 3 }],
    ["a name that sounds like a secret", { api_key: "canary", max_tokens: 5, token: true }],
    ["a key in a query", { uri: "/v1?key=canary" }],
    ["a key behind a line break", { user_agent: "a\nsk-canary-canary", host: "a\nBearer canary" }],
    ["half a character", { user_agent: "a\ud800b", host: "\u2028" }],
    ["a text that is too long", { user_agent: "x".repeat(5000) }],
    ["texts that are too long together", { a: "x".repeat(4000), b: "y".repeat(4000), c: "z".repeat(9000), d: "d" }],
  ] as const)("writes %s as the thorough way does", (_name, fields: LogFields) => {
    expect(shortly("m", fields)).toBe(thoroughly("m", fields));
  });

  test("writes any flat fields as the thorough way does", () => {
    const value = fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.boolean(), fc.constantFrom("=", "@", "sk-"));
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), value, { maxKeys: 8 }), (message, fields) => {
        expect(shortly(message, fields)).toBe(thoroughly(message, fields));
      }),
    );
  });
});

describe("text lines", () => {
  test("are for people: time of day, level, message, fields", () => {
    const { logger, lines } = createForTest({ format: "text" });
    logger.info("listening", { address: "http://127.0.0.1:8080", note: "two words", list: [1, "a"] });
    expect(lines).toEqual([
      `05:06:07.089 INFO  listening address=http://127.0.0.1:8080 note="two words" list=[1,"a"]\n`,
    ]);
  });

  test("are coloured only when asked for", () => {
    const { logger, lines } = createForTest({ format: "text", colour: true });
    logger.error("broken", { a: 1 });
    expect(lines).toEqual(["\u001b[90m05:06:07.089\u001b[0m \u001b[31mERROR\u001b[0m broken \u001b[90ma=\u001b[0m1\n"]);
  });

  test("show control characters of others instead of obeying them", () => {
    const { logger, lines } = createForTest({ format: "text" });
    logger.info("a\u001b[31m\nb\u202e", { agent: "x\u001b]0;title\u0007", "na\nme": "\u009b" });
    expect(lines).toEqual([
      String.raw`05:06:07.089 INFO  a\u001b[31m\u000ab\u202e agent="x\u001b]0;title\u0007" na\u000ame="\u009b"` + "\n",
    ]);
  });

  test("end in the stack of an error, one frame a line", () => {
    const { logger, lines } = createForTest({ format: "text" });
    logger.error("failed", { error: new Error("no\nluck") });
    const [head, frame] = (lines[0] ?? "").split("\n");
    expect(head).toBe(String.raw`05:06:07.089 ERROR failed error="no\nluck"`);
    expect(frame).toMatch(/^ {2}at .*logger\.test\.ts/);
  });
});

test("lines below the level are not made", () => {
  const { logger, lines } = createForTest({ level: "warn" });
  const untouched = {
    get value(): string {
      throw new Error("read");
    },
  };
  logger.debug("d", untouched);
  logger.info("i", untouched);
  logger.warn("w");
  logger.error("e");
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(["warn", "error"]);
});

describe("secrets", () => {
  const secrets = [
    "api_key",
    "apiKey",
    "X-Api-Key",
    "Authorization",
    "Cookie",
    "set-cookie",
    "GOMODEL_MASTER_KEY",
    "access_token",
    "client_secret",
    "password",
    "proxy-authorization",
    "token_value",
    "key",
  ];
  test.each(secrets)("a field named %s is written without its value", (name) => {
    expect(logged({ [name]: "canary", deep: [{ [name]: { value: "canary" } }] })).toEqual({
      [name]: "[REDACTED]",
      deep: [{ [name]: "[REDACTED]" }],
    });
  });

  const harmless = [
    "max_tokens",
    "input_tokens",
    "inputTokens",
    "auth_method",
    "authMethod",
    "api_key_hash",
    "apiKeyHash",
    "first_token_ms",
    "key_count",
    "tokens",
    "model",
  ];
  test.each(harmless)("a field named %s is no secret", (name) => {
    expect(logged({ [name]: 12 })).toEqual({ [name]: 12 });
  });

  test("how a caller was recognised and the hash of a key are no secrets, but a list of tokens is one", () => {
    const fields = { auth_method: "master_key", apiKeyHash: "abc", authMethod: "no_key" };
    expect(logged({ ...fields, refresh_tokens: ["canary"] })).toEqual({ ...fields, refresh_tokens: "[REDACTED]" });
  });

  test("whether one is set may be seen", () => {
    expect(logged({ api_key: "", master_key: true, token: null })).toEqual({
      api_key: "",
      master_key: true,
      token: null,
    });
  });

  const texts: readonly [string, string][] = [
    ["socks5://user:pa@ss@proxy:1080/x", "socks5://[REDACTED]@proxy:1080/x"],
    ["https://user@host and https://host/a@b", "https://[REDACTED]@host and https://host/a@b"],
    ["/v1/chat?api_key=canary&model=x&token=canary#t", "/v1/chat?api_key=[REDACTED]&model=x&token=[REDACTED]#t"],
    ["/v1/chat?max_tokens=5", "/v1/chat?max_tokens=5"],
    ["refused: Bearer canary-canary", "refused: Bearer [REDACTED]"],
    ["Incorrect API key provided: sk-proj-canary123", "Incorrect API key provided: [REDACTED]"],
    ["the basic idea of a bearer", "the basic idea of a bearer"],
  ];
  test.each(texts)("the text %p is written as %p, in fields and in messages", (text, expected) => {
    expect(logged({ url: text, list: [text] })).toEqual({ url: expected, list: [expected] });
    const { logger, lines } = createForTest();
    logger.info(text);
    expect(JSON.parse(lines[0] ?? "").msg).toBe(expected);
  });

  test("one that lies across the place where a long text is cut does not get through in part", () => {
    const text = `${"x".repeat(4080)} https://user:canary-canary@host/`;
    expect(JSON.stringify(logged({ text }))).not.toContain("canary");
  });
});

describe("never throws", () => {
  test("cycles, bigints, symbols, functions and numbers that JSON has not become words", () => {
    const cycle: Record<string, unknown> = { name: "a" };
    cycle["self"] = cycle;
    const same = { x: 1 };
    expect(
      logged({
        cycle,
        big: 10n,
        symbol: Symbol("s"),
        call: () => 1,
        not: Number.NaN,
        bytes: new Uint8Array(3),
        same,
        too: same,
      }),
    ).toEqual({
      cycle: { name: "a", self: "[cycle]" },
      big: "10",
      symbol: "Symbol(s)",
      call: "[function]",
      not: "NaN",
      bytes: "[3 bytes]",
      same: { x: 1 },
      too: { x: 1 },
    });
  });

  test("dates, maps and sets are written as what they hold", () => {
    expect(
      logged({
        date: new Date(0),
        bad: new Date(Number.NaN),
        map: new Map([["password", "canary"]]),
        set: new Set([1]),
      }),
    ).toEqual({ date: "1970-01-01T00:00:00.000Z", bad: "invalid date", map: { password: "[REDACTED]" }, set: [1] });
  });

  test("errors are written with their own fields and all their causes", () => {
    const cause = new Error("socket https://u:canary@h closed");
    const error = new Failure({
      origin: "transport",
      status: 502,
      type: "provider_error",
      message: "no answer",
      cause,
    });
    const line = JSON.stringify(logged({ error }));
    expect(line).toContain(`"name":"Failure","message":"no answer","origin":"transport","status":502`);
    expect(line).toContain(`"cause":{"name":"Error","message":"socket https://[REDACTED]@h closed"`);
    expect(line).not.toContain("canary");
  });

  test("a getter or a proxy that throws is unreadable, and the rest of the line stays", () => {
    const getter = {
      get broken(): string {
        throw new Error("no");
      },
    };
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    expect(logged({ getter, proxy, ok: 1 })).toEqual({
      getter: { broken: "[unreadable]" },
      proxy: "[unreadable]",
      ok: 1,
    });
  });

  test("a write that fails is nobody's failure", () => {
    const { logger } = createForTest({
      write() {
        throw new Error("disk full");
      },
    });
    expect(() => logger.error("m")).not.toThrow();
  });
});

describe("bounds", () => {
  test("a text of 50 MB is cut at 4,096 characters and says so", () => {
    const text = "x".repeat(50_000_000);
    expect(logged({ text })).toEqual({ text: `${"x".repeat(4096)}... (50000000 characters)` });
  });

  test("a line of very many, very deep or very long values stays under 64 kB", () => {
    const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, "y".repeat(1000)]));
    let deep: unknown = wide;
    for (let level = 0; level < 10_000; level++) deep = [deep, deep];
    const { logger, lines } = createForTest();
    logger.info("m", { ...wide, deep, list: Array.from({ length: 100_000 }, () => wide) });
    expect(lines[0]?.length).toBeLessThan(65_536);
  });
});
