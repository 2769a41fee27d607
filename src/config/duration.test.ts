import { describe, expect, test } from "bun:test";
import { readDuration } from "./duration.ts";

describe("durations", () => {
  test.each([
    ["0", 0],
    ["0s", 0],
    ["500ms", 500],
    ["1s", 1000],
    ["1.5s", 1500],
    ["1m30s", 90_000],
    ["1h2m3s4ms", 3_723_004],
    ["1500us", 2],
    ["1500µs", 2],
    ["576h", 2_073_600_000],
  ])("%s is %d ms", (text, ms) => {
    expect(readDuration(text, { plainSeconds: false })).toEqual({ value: ms });
  });

  test.each([
    ["30", "has no unit; write for example 30s or 30ms"],
    ["1.5", "has no unit; write for example 1.5s or 1.5ms"],
    ["-1s", "is not a duration; write for example 500ms, 30s or 1m30s (0 needs no unit)"],
    ["1 s", "is not a duration; write for example 500ms, 30s or 1m30s (0 needs no unit)"],
    ["10d", "is not a duration; write for example 500ms, 30s or 1m30s (0 needs no unit)"],
    ["s", "is not a duration; write for example 500ms, 30s or 1m30s (0 needs no unit)"],
    ["", "is not a duration; write for example 500ms, 30s or 1m30s (0 needs no unit)"],
    ["10us", "is shorter than 1ms"],
    ["577h", "is too long; at most 576h (24 days)"],
  ])("%p %s", (text, complaint) => {
    expect(readDuration(text, { plainSeconds: false })).toEqual({ complaint });
  });

  test.each([
    ["600", { value: 600_000 }],
    ["0", { value: 0 }],
    ["10m", { value: 600_000 }],
    ["1.5", { complaint: "is not a whole number; write 1.5s" }],
    ["99999999", { complaint: "is too long; at most 576h (24 days)" }],
    [
      "x",
      { complaint: "is not a duration; write whole seconds, or for example 500ms, 30s or 1m30s (0 needs no unit)" },
    ],
  ])("with plain seconds %p gives %p", (text, reading) => {
    expect(readDuration(text, { plainSeconds: true })).toEqual(reading);
  });
});
