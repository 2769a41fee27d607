import { describe, expect, test } from "bun:test";
import { readRetryAfterMs } from "./retry-after.ts";

const now = Date.UTC(2026, 0, 1, 12, 0, 0);
const yearMs = 365 * 86_400_000;

function headersOf(fields: Readonly<Record<string, string>>) {
  return {
    get: (name: string) => fields[name],
    entries: () => Object.entries(fields),
  };
}

const retryAfter: readonly (readonly [value: string, expected: number | undefined])[] = [
  ["2", 2000],
  [" 2 ", 2000],
  ["0", 0],
  ["2.5", 2500],
  ["0.0001", 1],
  ["-1", undefined],
  ["1e9", yearMs],
  ["1e999", yearMs],
  ["99999999999999999999", yearMs],
  ["Thu, 01 Jan 2026 12:00:30 GMT", 30_000],
  ["Thu, 01 Jan 2026 11:00:00 GMT", 0],
  ["Thursday, 01-Jan-26 12:00:30 GMT", 30_000],
  ["Thu Jan  1 12:00:30 2026", 30_000],
  ["2026-01-01T12:00:10Z", 10_000],
  ["2026-01-01T13:00:10+01:00", 10_000],
  ["Thu, 99 Jan 2026 12:00:30 GMT", undefined],
  ["2, 5", 5000],
  ["2, soon", undefined],
  ["soon", undefined],
  ["junk 1", undefined],
  ["", undefined],
  ["NaN", undefined],
  ["Infinity", undefined],
  ["0x10", undefined],
];

describe("Retry-After", () => {
  test.each(retryAfter)("%p gives %p ms", (value, expected) => {
    expect<number | undefined>(readRetryAfterMs(headersOf({ "retry-after": value }), now)).toBe(expected);
  });
});

const resets: readonly (readonly [fields: Readonly<Record<string, string>>, expected: number | undefined])[] = [
  [{ "x-ratelimit-reset": "1s", "x-ratelimit-remaining": "0" }, 1000],
  [{ "x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "0" }, 360_000],
  [{ "x-ratelimit-reset-tokens": "20ms", "x-ratelimit-remaining-tokens": "0" }, 20],
  [{ "x-ratelimit-reset-tokens": "1h2m3.5s", "x-ratelimit-remaining-tokens": "0" }, 3_723_500],
  [{ "x-ratelimit-reset": "12", "x-ratelimit-remaining": "0" }, 12_000],
  [{ "x-ratelimit-reset": "0.5", "x-ratelimit-remaining": "0" }, 500],
  [{ "x-ratelimit-reset": String(now / 1000 + 90), "x-ratelimit-remaining": "0" }, 90_000],
  [{ "x-ratelimit-reset": String(now + 1234), "x-ratelimit-remaining": "0" }, 1234],
  [{ "x-ratelimit-reset": String(now / 1000 - 90), "x-ratelimit-remaining": "0" }, 0],
  [{ "x-ratelimit-reset": "2026-01-01T12:00:10Z", "x-ratelimit-remaining": "0" }, 10_000],
  [{ "x-ratelimit-reset": "1s", "x-ratelimit-remaining": "-2" }, 1000],
  [{ "x-ratelimit-reset": "1s", "x-ratelimit-remaining": "1" }, undefined],
  [{ "x-ratelimit-reset": "1s", "x-ratelimit-remaining": "0.5" }, undefined],
  [{ "x-ratelimit-reset": "1s", "x-ratelimit-remaining": "" }, undefined],
  [{ "x-ratelimit-reset": "1s" }, undefined],
  [{ "x-ratelimit-reset": "-1s", "x-ratelimit-remaining": "0" }, undefined],
  [{ "x-ratelimit-reset": "1s2", "x-ratelimit-remaining": "0" }, undefined],
  [{ "x-ratelimit-reset": "", "x-ratelimit-remaining": "0" }, undefined],
  [
    {
      "x-ratelimit-reset-requests": "2s",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-tokens": "7s",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-day": "5m",
      "x-ratelimit-remaining-day": "12",
    },
    7000,
  ],
];

describe("x-ratelimit-reset", () => {
  test.each(resets)("%p gives %p ms", (fields, expected) => {
    expect<number | undefined>(readRetryAfterMs(headersOf(fields), now)).toBe(expected);
  });
});

test("retry-after-ms wins over Retry-After: 250 ms, not 9 s", () => {
  expect(readRetryAfterMs(headersOf({ "retry-after": "9", "retry-after-ms": "250" }), now)).toBe(250);
});

test("an unreadable retry-after-ms leaves the word to Retry-After", () => {
  expect(readRetryAfterMs(headersOf({ "retry-after": "9", "retry-after-ms": "-3" }), now)).toBe(9000);
});

test("Retry-After wins over a reset that is further away", () => {
  const fields = { "retry-after": "9", "x-ratelimit-reset": "60s", "x-ratelimit-remaining": "0" };
  expect(readRetryAfterMs(headersOf(fields), now)).toBe(9000);
});

test("without any of the headers there is no wish", () => {
  expect(readRetryAfterMs(headersOf({}), now)).toBeUndefined();
});
