// A small tree without a fault, and for each guard a fault to plant in it together with what must be reported.

const comment = "// Planted.\n\n";

/** What the checks must accept. */
export const cleanTree = {
  "package.json": `{\n  "name": "planted",\n  "private": true,\n  "type": "module",\n  "dependencies": {\n    "zod": "4"\n  },\n  "devDependencies": {\n    "oxlint": "1"\n  }\n}\n`,
  "src/main.ts":
    comment +
    `import { z } from "zod";\nimport { answer } from "./gateway/answer.ts";\n\nconsole.log(z.string().parse(answer("yes")));\n`,
  "src/core/kind.ts": comment + `export type Kind = "yes" | "no";\n`,
  "src/gateway/answer.ts":
    comment +
    `import type { Kind } from "../core/kind.ts";\n\nexport function answer(kind: Kind): string {\n  return kind;\n}\n`,
  "src/gateway/answer.test.ts":
    `import { expect, test } from "bun:test";\nimport { expected } from "../../test/support/expected.ts";\nimport { answer } from "./answer.ts";\n\n` +
    `test("says yes", () => {\n  expect(answer("yes")).toBe(expected);\n});\n`,
  "test/support/expected.ts": comment + `export const expected = "yes";\n`,
  "bench/.keep": "",
};

const edge = `export type Edge = string;\nexport const edge: Edge = "edge";\n`;

/** `by` names the check; one line of its output must contain all of `reported`. */
export const plants = [
  {
    what: "a badly formatted file",
    by: "format",
    files: { "src/core/format.ts": comment + `export const  a = {b:1}\n` },
    reported: ["src/core/format.ts"],
  },
  {
    what: "a floating promise",
    by: "lint",
    files: { "src/core/floating.ts": comment + `Promise.resolve(1);\n` },
    reported: ["src/core/floating.ts", "no-floating-promises"],
  },
  {
    what: "a switch that misses a member of the union",
    by: "lint",
    files: {
      "src/core/switch.ts":
        comment +
        `import type { Kind } from "./kind.ts";\n\nexport function f(kind: Kind): void {\n  switch (kind) {\n    case "yes":\n      return;\n  }\n}\n`,
    },
    reported: ["src/core/switch.ts", "switch-exhaustiveness-check"],
  },
  {
    what: "a default that hides members of the union",
    by: "lint",
    files: {
      "src/core/default.ts":
        comment +
        `import type { Kind } from "./kind.ts";\n\nexport function f(kind: Kind): number {\n  switch (kind) {\n    case "yes":\n      return 1;\n    default:\n      return 2;\n  }\n}\n`,
    },
    reported: ["src/core/default.ts", "switch-exhaustiveness-check"],
  },
  {
    what: "an explicit any",
    by: "lint",
    files: { "src/core/loose.ts": comment + `export const loose: any = 1;\n` },
    reported: ["src/core/loose.ts", "no-explicit-any"],
  },
  {
    what: "a forbidden import",
    by: "lint",
    files: {
      "src/http/edge.ts": comment + edge,
      "src/gateway/by-value.ts": comment + `import { edge } from "../http/edge.ts";\n\nconsole.log(edge);\n`,
    },
    reported: ["src/gateway/by-value.ts", "gateway must not import http", "import-rule"],
  },
  {
    what: "a forbidden import of a type",
    by: "lint",
    files: {
      "src/gateway/by-type.ts": comment + `import type { Edge } from "../http/edge.ts";\n\nexport type Own = Edge;\n`,
    },
    reported: ["src/gateway/by-type.ts", "gateway must not import http"],
  },
  {
    what: "a forbidden re-export",
    by: "lint",
    files: { "src/gateway/by-export.ts": comment + `export { edge } from "../http/edge.ts";\n` },
    reported: ["src/gateway/by-export.ts", "gateway must not import http"],
  },
  {
    what: "a forbidden import()",
    by: "lint",
    files: { "src/gateway/by-call.ts": comment + `export const edge = await import("../http/edge.ts");\n` },
    reported: ["src/gateway/by-call.ts", "gateway must not import http"],
  },
  {
    what: "a forbidden import in a test",
    by: "lint",
    files: { "src/gateway/by-test.test.ts": `import { edge } from "../http/edge.ts";\n\nconsole.log(edge);\n` },
    reported: ["src/gateway/by-test.test.ts", "gateway must not import http"],
  },
  {
    what: "a package in core",
    by: "lint",
    files: { "src/core/package.ts": comment + `import { z } from "zod";\n\nconsole.log(z);\n` },
    reported: ["src/core/package.ts", "core imports no package"],
  },
  {
    what: "a folder without a row in the import rule",
    by: "lint",
    files: {
      "src/elsewhere/new.ts": comment + `import { answer } from "../gateway/answer.ts";\n\nconsole.log(answer);\n`,
    },
    reported: ["src/elsewhere/new.ts", "no row in the import rule"],
  },
  {
    what: "a folder that imports the composition root",
    by: "lint",
    files: { "src/admin/upwards.ts": comment + `import "../main.ts";\n` },
    reported: ["src/admin/upwards.ts", "admin must not import main.ts"],
  },
  {
    what: "a dialect that imports another",
    by: "lint",
    files: {
      "src/dialects/messages/one.ts": comment + `export const one = 1;\n`,
      "src/dialects/responses/two.ts": comment + `import { one } from "../messages/one.ts";\n\nconsole.log(one);\n`,
    },
    reported: ["src/dialects/responses/two.ts", "must not import the dialect messages"],
  },
  {
    what: "a cycle of types",
    by: "lint",
    files: {
      "src/routing/left.ts": comment + `import type { Right } from "./right.ts";\n\nexport type Left = Right | 1;\n`,
      "src/routing/right.ts": comment + `import type { Left } from "./left.ts";\n\nexport type Right = Left | 2;\n`,
    },
    reported: ["src/routing/left.ts", "no-cycle"],
  },
  {
    what: "Bun outside its folders",
    by: "lint",
    files: { "src/routing/bun-global.ts": comment + `console.log(Bun.version);\n` },
    reported: ["src/routing/bun-global.ts", "bun-only"],
  },
  {
    what: "a Bun type outside its folders",
    by: "lint",
    files: { "src/routing/bun-type.ts": comment + `export type Socket = Bun.Socket;\n` },
    reported: ["src/routing/bun-type.ts", "bun-only"],
  },
  {
    what: "bun:sqlite outside its folders",
    by: "lint",
    files: {
      "src/routing/bun-module.ts": comment + `import { Database } from "bun:sqlite";\n\nconsole.log(Database);\n`,
    },
    reported: ["src/routing/bun-module.ts", "bun-only"],
  },
  {
    what: "fetch outside providers/upstream",
    by: "lint",
    files: { "src/catalog/fetching.ts": comment + `await fetch("http://127.0.0.1");\n` },
    reported: ["src/catalog/fetching.ts", "no-fetch"],
  },
  {
    what: "a test that is switched off",
    by: "lint",
    files: { "src/routing/off.test.ts": `import { test } from "bun:test";\n\ntest.skip("is off", () => {});\n` },
    reported: ["src/routing/off.test.ts", "every-test-runs"],
  },
  {
    what: "a test that switches off the others",
    by: "lint",
    files: {
      "src/routing/alone.long.ts": `import { describe } from "bun:test";\n\ndescribe.only("alone", () => {});\n`,
    },
    reported: ["src/routing/alone.long.ts", "every-test-runs"],
  },
  {
    what: "a file named for nothing",
    by: "lint",
    files: { "src/routing/utils.ts": comment + `console.log(1);\n` },
    reported: ["src/routing/utils.ts", "no name for a file"],
  },
  {
    what: "a file that does not say its reason",
    by: "lint",
    files: { "src/routing/silent.ts": `console.log(1);\n` },
    reported: ["src/routing/silent.ts", "the first line is a comment"],
  },
  {
    what: "a file of more than 300 lines",
    by: "lint",
    files: { "src/routing/endless.ts": comment + `console.log(1);\n`.repeat(300) },
    reported: ["src/routing/endless.ts", "max-lines"],
  },
  {
    what: "a type error",
    by: "types",
    files: { "src/core/wrong.ts": comment + `export const wrong: number = "one";\n` },
    reported: ["src/core/wrong.ts", "TS2322"],
  },
  {
    what: "an unused local",
    by: "types",
    files: { "src/core/local.ts": comment + `export {};\n\nconst unused = 1;\n` },
    reported: ["src/core/local.ts", "TS6133"],
  },
  {
    what: "an unused export",
    by: "dead code",
    files: { "src/gateway/answer.ts": `${cleanTree["src/gateway/answer.ts"]}\nexport const nobodyImportsThis = 1;\n` },
    reported: ["src/gateway/answer.ts", "nobodyImportsThis"],
  },
  {
    what: "an unused exported type",
    by: "dead code",
    files: { "src/core/kind.ts": `${cleanTree["src/core/kind.ts"]}export type Unwanted = 1;\n` },
    reported: ["src/core/kind.ts", "Unwanted"],
  },
  {
    what: "a file that nothing imports",
    by: "dead code",
    files: { "src/core/lonely.ts": comment + `console.log(1);\n` },
    reported: ["src/core/lonely.ts"],
  },
  {
    what: "an unused dependency",
    by: "dead code",
    files: {
      "package.json": cleanTree["package.json"].replace(`"zod": "4"`, `"yaml": "2",\n    "zod": "4"`),
    },
    reported: ["yaml", "package.json"],
  },
  {
    what: "a file that only its test imports",
    by: "dead files",
    files: {
      "src/routing/tested.ts": comment + `export const tested = 1;\n`,
      "src/routing/tested.test.ts": `import { tested } from "./tested.ts";\n\nif (tested !== 1) throw new Error("unexpected");\n`,
    },
    reported: ["src/routing/tested.ts"],
  },
];

/** Tests that must fail a run, each alone. */
export const failingTests = {
  "src/telemetry/failing.test.ts": `import { test } from "bun:test";\n\ntest("fails", () => {\n  throw new Error("planted");\n});\n`,
  "src/telemetry/broken.test.ts": `throw new Error("planted");\n`,
};
