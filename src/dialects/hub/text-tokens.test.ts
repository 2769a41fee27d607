// Estimates beside what OpenAI's vocabulary o200k_base makes of the same text, counted with the public package gpt-tokenizer 4.0.0.

import { describe, expect, test } from "bun:test";
import { textTokens } from "./text-tokens.ts";

const prose =
  "The gateway accepts a request from any client, finds out which models can answer it, and asks them one after the other until one of them does. " +
  "When a provider fails before the first word has been delivered, nobody notices; when it fails in the middle of an answer, another one goes on where " +
  "the first one stopped. Everything that happened is written to a log, so that operators can see afterwards what went wrong and how long it took.";
const code = `export function findTarget(targets: readonly Target[], name: string): Target | undefined {
  for (const target of targets) {
    if (target.providerName === name && !target.disabled) {
      return target;
    }
  }
  return undefined;
}
`;
const python = `class RateLimiter:
    def __init__(self, max_requests: int, window_seconds: float) -> None:
        self.max_requests = max_requests
        self.window_seconds = window_seconds
        self._timestamps: list[float] = []

    def allow(self) -> bool:
        now = time.monotonic()
        self._timestamps = [t for t in self._timestamps if now - t < self.window_seconds]
        if len(self._timestamps) >= self.max_requests:
            return False
        self._timestamps.append(now)
        return True
`;
const json =
  '{"type":"object","properties":{"location":{"type":"string","description":"The city and state, e.g. San Francisco, CA"},' +
  '"unit":{"type":"string","enum":["celsius","fahrenheit"]},"days":{"type":"integer","minimum":1,"maximum":14}},"required":["location"],"additionalProperties":false}';
const log =
  "2026-11-30T17:04:12.123Z WARN [worker-3] request id=7f3a9c status=503 latency=1042ms path=/v1/messages retry=2\n" +
  "2026-11-30T17:04:13.001Z INFO [worker-1] request id=81bb02 status=200 latency=87ms path=/v1/responses retry=0\n";

function errorOf(text: string, counted: number): number {
  return Math.abs(textTokens(text) / counted - 1);
}

describe("within an eighth", () => {
  test.each([
    ["prose", prose, 89],
    ["TypeScript", code, 54],
    ["Python", python, 116],
    ["JSON", json, 69],
    ["a log", log, 91],
    ["emoji among words", "Great job 👏👏 see you tomorrow 🌍🚀 🎉", 14],
    ["a sum", "2 + 2 = 4", 7],
  ])("%s", (_, text, counted) => {
    expect(errorOf(text, counted)).toBeLessThan(0.125);
  });

  /** The first article of the Universal Declaration of Human Rights, or its first sentences. */
  test.each([
    [
      "Spanish",
      "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.",
      38,
    ],
    [
      "Russian",
      "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.",
      41,
    ],
    ["Chinese", "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。", 35],
    [
      "Japanese",
      "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。",
      72,
    ],
    [
      "Korean",
      "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
      51,
    ],
    [
      "Arabic",
      "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميراً وعليهم أن يعامل بعضهم بعضاً بروح الإخاء.",
      43,
    ],
  ])("%s", (_, text, counted) => {
    expect(errorOf(text, counted)).toBeLessThan(0.125);
  });
});

describe("within a quarter", () => {
  test.each([
    [
      "German",
      "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geiste der Brüderlichkeit begegnen.",
      39,
    ],
    ["Hindi", "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।", 25],
    ["a short Japanese greeting", "お誕生日おめでとう", 8],
  ])("%s", (_, text, counted) => {
    expect(errorOf(text, counted)).toBeLessThan(0.25);
  });
});

test("twice the text is twice the tokens", () => {
  expect(textTokens(prose + "\n" + prose + "\n")).toBeCloseTo(2 * textTokens(prose + "\n"), 6);
});

test("of a very long text a part tells as much as the whole", () => {
  const some = `${prose}\n${code}${json}\n${log}`;
  const many = Math.ceil(1_000_000 / some.length);
  expect(Math.abs(textTokens(some.repeat(many)) / (many * textTokens(some)) - 1)).toBeLessThan(0.02);
});

test("nothing is 0, and half an emoji is less than a whole one", () => {
  expect(textTokens("")).toBe(0);
  expect(textTokens("\udf0d")).toBeLessThan(textTokens("🌍"));
});

test.each([
  ["prose", prose.repeat(3000)],
  ["one word", "x".repeat(1_000_000)],
  ["blanks", " ".repeat(1_000_000)],
  ["line ends", "\n".repeat(1_000_000)],
  ["ideographs", "中".repeat(1_000_000)],
  ["emoji", "🌍".repeat(500_000)],
])("a megabyte of %s is counted in passing", (_, text) => {
  const begun = performance.now();
  expect(textTokens(text)).toBeGreaterThan(1000);
  // Measured: 7 ms for prose. The rest is for machines that do several things at once.
  expect(performance.now() - begun).toBeLessThan(1000);
});
