import { describe, expect, test } from "bun:test";
import { showsShortened } from "./shows-shortened.ts";

const real = "one\n\ntwo {2}\nthree\nfour \n";

describe("what a page shows is the same as", () => {
  test.each([
    ["all of it", "one\ntwo {2}\nthree\nfour"],
    ["the ends of its lines", "one\ntwo {...}\nth...\n...r\n"],
    ["its first and last line", "one\n...\nfour"],
    ["its middle", "...\ntwo {2}\n...\n"],
    ["itself with nothing left out where it says so", "one\n...\ntwo {2}\nthree\nfour"],
  ])("%s", (_name, shown) => {
    expect(showsShortened(shown, real)).toBe("the same");
  });
});

describe("what a page shows differs from", () => {
  test.each([
    ["what has one line more", "one\ntwo {2}\nthree"],
    ["what has one line less", "one\ntwo {2}\nthree\nfour\nfive"],
    ["what has another order", "two {2}\n...\none\n..."],
    ["what only looks like it as a pattern", "one\ntwo .2.\nthree\nfour"],
    ["what goes on in the line", "on\n..."],
  ])("%s", (_name, shown) => {
    expect(showsShortened(shown, real)).toBe("one\ntwo {2}\nthree\nfour\n");
  });
});
