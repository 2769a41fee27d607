import { expect, test } from "bun:test";
import { loaded } from "../../../test/support/load-config.ts";
import { settingsShape, type Shape } from "../../config/shape.ts";
import { durationSettings, longestOf, speedFor, withoutEffect } from "./durations.ts";

const settingsOf = (yaml: string) => durationSettings(loaded({ yaml, env: { OPENAI_API_KEY: "k" } }).effective);

/** Paths of all settings outside of lists and maps that are durations. */
function durationsOfSchema(shape: Shape, path: readonly string[] = []): string[] {
  if (shape.kind === "leaf") return /duration/.test(shape.notes.kind ?? "") ? [path.join(".")] : [];
  if (shape.kind !== "section") return [];
  return [...shape.fields].flatMap(([key, field]) => durationsOfSchema(field, [...path, key]));
}

test("every duration of the schema counts, or is named as one without effect", () => {
  const counted = settingsOf("").map(({ path }) => path);
  const all = durationsOfSchema(settingsShape);
  expect(all.length).toBeGreaterThan(10);
  expect([...counted, ...withoutEffect].toSorted()).toEqual(all.toSorted());
});

test("the default of http.timeout, 600 s, is the longest: time passes 600 times faster", () => {
  const settings = settingsOf("");
  expect(settings).toContainEqual({ path: "http.timeout", ms: 600_000 });
  expect([longestOf(settings), speedFor(settings)]).toEqual([600_000, 600]);
});

test("what is shorter than a second is not stretched, and what is off stays off", () => {
  const settings = settingsOf(
    "http: { timeout: 300ms, response_header_timeout: 0, stream_idle_timeout: 0, connect_timeout: 0 }\n" +
      "resilience:\n  retry: { initial_backoff: 1ms, max_backoff: 2ms, max_retry_after: 0 }\n  circuit_breaker: { timeout: 10ms }\n",
  );
  expect(settings).toContainEqual({ path: "http.response_header_timeout", ms: 0 });
  expect([longestOf(settings), speedFor(settings)]).toEqual([300, 1]);
});

test("a provider's own durations are there where they differ from the global ones", () => {
  const settings = settingsOf(
    "providers:\n  openai:\n    resilience:\n      retry: { initial_backoff: 1s, max_backoff: 3s }\n      circuit_breaker: { timeout: 20m }\n",
  );
  expect(settings.filter(({ path }) => path.startsWith("providers."))).toEqual([
    { path: "providers.openai.resilience.retry.max_backoff", ms: 3000 },
    { path: "providers.openai.resilience.circuit_breaker.timeout", ms: 1_200_000 },
  ]);
  expect(speedFor(settings)).toBe(1200);
});
