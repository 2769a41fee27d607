import { describe, expect, test } from "bun:test";
import { type RegionalUrl, regionOf, urlByOptions, urlOfRegion, urlOfShortForm } from "./regional-url.ts";

const regional: RegionalUrl = {
  variables: ["FIRST", "SECOND"],
  defaultRegion: undefined,
  url: "https://api.{region}.example",
  exceptions: { global: "https://api.example" },
  shortForm: /^[a-z]+-\d$/,
};

describe("a regional URL", () => {
  test("is that of the first option that is set and not empty", () => {
    expect(urlByOptions(regional, { FIRST: "", SECOND: "eu-1" })).toBe("https://api.eu-1.example");
    expect(urlByOptions(regional, { FIRST: "us-1", SECOND: "eu-1" })).toBe("https://api.us-1.example");
  });

  test("is the default region's without one, and none without a default", () => {
    expect(urlByOptions({ ...regional, defaultRegion: "us-9" }, {})).toBe("https://api.us-9.example");
    expect(regionOf(regional, { SECOND: "" })).toBeUndefined();
    expect(urlByOptions(regional, {})).toBeUndefined();
  });

  test("is spelled out for exceptions, and only for those", () => {
    expect(urlOfRegion(regional, "global")).toBe("https://api.example");
    expect(urlOfRegion(regional, "constructor")).toBe("https://api.constructor.example");
  });

  test("takes the region as it is", () => {
    expect(urlOfRegion(regional, "$&$1")).toBe("https://api.$&$1.example");
  });

  test("may be given as a region only where the type allows it", () => {
    expect(urlOfShortForm(regional, "eu-1")).toBe("https://api.eu-1.example");
    expect(urlOfShortForm(regional, "https://api.eu-1.example")).toBeUndefined();
    const { shortForm: _, ...without } = regional;
    expect(urlOfShortForm(without, "eu-1")).toBeUndefined();
  });
});
