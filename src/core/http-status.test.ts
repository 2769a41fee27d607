import { describe, expect, test } from "bun:test";
import { isListed, isStatusEntry, statusList } from "./http-status.ts";

describe("status lists", () => {
  test("accept exact codes and classes, and nothing else", () => {
    expect(["429", "5xx", "5XX", "100", "599"].map(isStatusEntry)).toEqual([true, true, true, true, true]);
    expect(["", "oops", "42", "4290", "6xx", "099", "5x", "5xxx", " 429"].map(isStatusEntry)).not.toContain(true);
  });

  test("a class matches its hundred and an exact code only itself", () => {
    const list = statusList([429, "5xx"]);
    expect([428, 429, 430, 499, 500, 503, 599].map((status) => isListed(status, list))).toEqual([
      false,
      true,
      false,
      false,
      true,
      true,
      true,
    ]);
    expect([0, 99, 600, 999].some((status) => isListed(status, list))).toBe(false);
  });

  test("an empty list matches nothing", () => {
    const list = statusList([]);
    for (let status = 100; status < 600; status++) expect(isListed(status, list)).toBe(false);
  });
});
