// Which parameters of a caller's address may go up.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { callerQuery } from "./caller-query.ts";

const base = "/v1/messages";

test.each([
  ["", undefined],
  ["?", undefined],
  ["?beta=true", "?beta=true"],
  ["?beta=true#part", undefined],
  ["?beta", "?beta"],
  ["?include[]=a%20b&order=asc", "?include[]=a%20b&order=asc"],
  ["?key=AIza&beta=true", "?beta=true"],
  ["?api_key=x", undefined],
  ["?access_token=x&x=1", "?x=1"],
  ["?a=b%zz&c=d", "?c=d"],
  ["?a=b/../c", undefined],
  ["?&&a=1&", "?a=1"],
  [`?a=${"x".repeat(509)}`, `?a=${"x".repeat(509)}`],
  [`?a=${"x".repeat(511)}`, undefined],
  [`?${"a&".repeat(15)}a`, `?${"a&".repeat(15)}a`],
  [`?${"a&".repeat(16)}a`, undefined],
])("of %j goes up %j", (query, expected) => {
  expect<string | undefined>(callerQuery(base + query)).toBe(expected);
});

test("whatever the address, what goes up is plain, short and ends no line", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[a-z=&?#%0-9\r\n]*$/));
  fc.assert(
    fc.property(text, (rest) => {
      expect(callerQuery(`${base}?${rest}`) ?? "?a").toMatch(/^\?[\x21-\x7e]{1,511}$/);
      expect(callerQuery(`${base}?${rest}`) ?? "").not.toContain("#");
    }),
    { seed: 1, numRuns: 500 },
  );
});
