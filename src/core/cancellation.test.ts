import { describe, expect, test } from "bun:test";
import { Cancellation } from "./cancellation.ts";

describe("a cancellation", () => {
  test("tells every listener once, and keeps its first reason", () => {
    const cancellation = new Cancellation();
    const told: string[] = [];
    for (const name of ["a", "b", "c"]) cancellation.onCancel(() => told.push(`${name} ${cancellation.reason}`));
    cancellation.cancel("deadline");
    cancellation.cancel("drain");
    expect(told).toEqual(["a deadline", "b deadline", "c deadline"]);
    expect(cancellation.reason).toBe("deadline");
  });

  test("tells a listener that comes late at once", () => {
    const cancellation = new Cancellation();
    cancellation.cancel("client-left");
    let told = 0;
    cancellation.onCancel(() => told++)();
    expect(told).toBe(1);
  });

  test("forgets whoever took its listener back, in any order and more than once", () => {
    const cancellation = new Cancellation();
    const told: string[] = [];
    const listen = (name: string) => cancellation.onCancel(() => told.push(name));
    const [first, second, third] = [listen("first"), listen("second"), listen("third")];
    second();
    first();
    first();
    const fourth = listen("fourth");
    first();
    third();
    expect(told).toEqual([]);
    cancellation.cancel("drain");
    fourth();
    expect(told).toEqual(["fourth"]);
  });
});
