import { describe, expect, test } from "bun:test";
import { Cancellation } from "./cancellation.ts";

describe("a cancellation", () => {
  test("tells every listener once, and keeps its first reason", () => {
    const cancellation = new Cancellation();
    const told: string[] = [];
    for (const name of ["a", "b", "c"]) cancellation.add({ cancelled: (reason) => told.push(`${name} ${reason}`) });
    cancellation.cancel("deadline");
    cancellation.cancel("drain");
    expect(told).toEqual(["a deadline", "b deadline", "c deadline"]);
    expect(cancellation.reason).toBe("deadline");
  });

  test("tells a listener that comes late at once", () => {
    const cancellation = new Cancellation();
    cancellation.cancel("client-left");
    const told: string[] = [];
    const listener = { cancelled: (reason: string) => void told.push(reason) };
    cancellation.add(listener);
    cancellation.remove(listener);
    expect(told).toEqual(["client-left"]);
  });

  test("forgets whoever was removed, in any order and more than once", () => {
    const cancellation = new Cancellation();
    const told: string[] = [];
    const listen = (name: string) => {
      const listener = { cancelled: () => void told.push(name) };
      cancellation.add(listener);
      return listener;
    };
    const [first, second, third] = [listen("first"), listen("second"), listen("third")];
    cancellation.remove(second);
    cancellation.remove(first);
    cancellation.remove(first);
    const fourth = listen("fourth");
    cancellation.remove(first);
    cancellation.remove(third);
    expect(told).toEqual([]);
    cancellation.cancel("drain");
    cancellation.remove(fourth);
    expect(told).toEqual(["fourth"]);
  });
});
