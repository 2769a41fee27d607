import { expect, test } from "bun:test";
import { profileTable } from "./profile-table.ts";

test("columns are aligned, providers indented, and long lists broken between entries", () => {
  const words = ["first phrase of the list", "second phrase", "third phrase", "the last one"];
  expect(
    profileTable([
      { setting: "resilience.profile", inside: false, values: ["strong"], from: "RESILIENCE_PROFILE" },
      { setting: "provider openai", inside: true, values: ["classic"], from: "config.yaml:3" },
      { setting: "failover.retry_on_errors", inside: false, values: words, from: "profile strong" },
    ]),
  ).toBe(
    `# What resilience.profile decides
#
# Setting                   Value                                     From
# resilience.profile        strong                                    RESILIENCE_PROFILE
#   provider openai         classic                                   config.yaml:3
# failover.retry_on_errors  first phrase of the list, second phrase,  profile strong
#                           third phrase, the last one
`,
  );
});

test("an entry longer than the column stays whole", () => {
  const long = "x".repeat(60);
  const lines = profileTable([{ setting: "a", inside: false, values: ["y", long, "z"], from: "default" }]).split("\n");
  expect(lines.slice(3, 6).map((line) => line.slice(1).trim().split(/ {2,}/))).toEqual([
    ["a", "y,", "default"],
    [`${long},`],
    ["z"],
  ]);
});
