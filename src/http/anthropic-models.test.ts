// The pages of a list of five models, from its beginning, its middle and its end.

import { describe, expect, test } from "bun:test";
import { anthropicModel, anthropicPage } from "./anthropic-models.ts";

const entries = ["a", "b", "c", "d", "e"].map((id) => ({ id, created: 1_700_000_000 }));

describe("a page", () => {
  test.each([
    ["", "abcde", false],
    ["limit=5", "abcde", false],
    ["limit=2", "ab", true],
    ["limit=2&after_id=b", "cd", true],
    ["limit=2&after_id=c", "de", false],
    ["after_id=e", "", false],
    ["limit=2&before_id=e", "cd", true],
    ["limit=2&before_id=c", "ab", false],
    ["before_id=a", "", false],
  ])("%s is %j, with more: %j", (query, ids, hasMore) => {
    const page = anthropicPage(entries, new URLSearchParams(query));
    expect(page.data.map(({ id }) => id).join("")).toBe(ids);
    expect([page.has_more, page.first_id, page.last_id]).toEqual([hasMore, ids[0] ?? null, ids.at(-1) ?? null]);
  });

  test("has 20 models unless told otherwise", () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ id: String(index), created: 0 }));
    const page = anthropicPage(many, new URLSearchParams());
    expect([page.data.length, page.has_more, page.last_id]).toEqual([20, true, "19"]);
  });

  test.each([
    ["limit=0", "limit", '`limit` must be a whole number from 1 to 1000, not "0"'],
    ["limit=1.5", "limit", '`limit` must be a whole number from 1 to 1000, not "1.5"'],
    ["limit=", "limit", '`limit` must be a whole number from 1 to 1000, not ""'],
    ["limit=1e2", "limit", '`limit` must be a whole number from 1 to 1000, not "1e2"'],
    ["before_id=x", "before_id", "`before_id` names no model of the list: x; begin again without it"],
    ["after_id=a&before_id=b", "before_id", "`after_id` and `before_id` exclude each other: leave one of them out"],
  ])("%s does not exist: 400", (query, param, message) => {
    let thrown: unknown;
    try {
      anthropicPage(entries, new URLSearchParams(query));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ status: 400, param, message });
  });
});

test.each([
  [1_700_000_000, "2023-11-14T22:13:20Z"],
  [0, "1970-01-01T00:00:00Z"],
  [-1, "1970-01-01T00:00:00Z"],
  [1e18, "1970-01-01T00:00:00Z"],
  [Number.NaN, "1970-01-01T00:00:00Z"],
  [1.5, "1970-01-01T00:00:01Z"],
])("a model made at %d says %s", (created, createdAt) => {
  expect(anthropicModel({ id: "m", created })).toEqual({
    type: "model",
    id: "m",
    display_name: "m",
    created_at: createdAt,
  });
});
