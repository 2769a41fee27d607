// The generated files in the repository are what the code gives, complete and loadable.

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load, loaded, problemLines } from "./support/load-config.ts";
import { generatedFiles } from "../scripts/documentation/generated-files.ts";
import { settingsShape, variableSettings } from "../src/config/shape.ts";
import { providerTypes } from "../src/providers/registry.ts";
import type { Shape } from "../src/config/shape.ts";

const root = join(import.meta.dirname, "..");
const files = generatedFiles(providerTypes.map(({ info }) => info));

test.each(files.map(({ path, text }) => [path, text] as const))(
  "%s is what its sources give (else run: bun scripts/generate-docs.ts)",
  (path, text) => {
    expect(readFileSync(join(root, path), "utf8")).toBe(text);
  },
);

function generated(path: string): string {
  return files.find((file) => file.path === path)?.text ?? "";
}

describe("config.example.yaml", () => {
  const example = generated("config.example.yaml");
  const everything = example.replace(/^( *)# /gm, "$1").replace(/^( *)# /gm, "$1");

  test("loads without a problem when its provider has a key", () => {
    const texts = { yaml: example, env: { OPENAI_API_KEY: "k" } };
    expect(problemLines(texts)).toEqual([]);
    expect(loaded(texts).config.providers.map(({ name }) => name)).toEqual(["openai"]);
  });

  test("loads without a problem with every line switched on", () => {
    const env = {
      OPENAI_API_KEY: "k",
      OPENAI_API_KEY_A: "a",
      OPENAI_API_KEY_B: "b",
      AZURE_API_KEY: "z",
      GOMODEL_MASTER_KEY: "m",
      SERVICE_ACCOUNT: "{}",
      SERVICE_ACCOUNT_BASE64: "e30=",
    };
    const yaml = everything.replaceAll("${OPENAI_API_KEY_", "${KEY_");
    const types = providerTypes.map(({ info }) => info);
    const texts = { yaml, env: { ...env, KEY_A: "a", KEY_B: "b" }, types };
    expect(problemLines(texts)).toEqual([]);
    expect(loaded(texts).config).toMatchObject({
      server: { basePath: "/g", masterKey: "m", requestDeadlineMs: 120_000 },
      virtualModels: [{ source: "smart" }, { source: "fast" }],
    });
    expect(loaded(texts).config.providers.map(({ name }) => name)).toEqual(["openai", "azure-west", "vertex-us"]);
  });

  test("has every key of the schema, each with its explanation above", () => {
    const lines = example.split("\n").map((line) => line.replace(/^( *)# (?!#)/, "$1").trim());
    const missing = keysBelow(settingsShape).filter(
      (key) => !lines.some((line) => line.replace(/^- /, "").startsWith(`${key}:`)),
    );
    expect(missing).toEqual([]);
  });

  test("tells an unknown key from its own", () => {
    expect(load({ yaml: `${example}\nextra: 1\n`, env: { OPENAI_API_KEY: "k" } }).ok).toBe(false);
  });
});

describe(".env.example", () => {
  const example = generated(".env.example");

  test("loads without a problem as it is, and with every line switched on", () => {
    expect(problemLines({ dotenv: example })).toEqual([]);
    expect(problemLines({ dotenv: example.replace(/^#(?=[A-Z])/gm, "") })).toEqual([]);
  });

  test("changes nothing but the virtual models when every default in it is switched on", () => {
    const switchedOn = loaded({ dotenv: example.replace(/^#(?=[A-Z])/gm, "") }).config;
    const plain = loaded({}).config;
    expect(switchedOn.virtualModels).toHaveLength(1);
    expect(switchedOn.server).toEqual({ ...plain.server, hostIsDefault: false });
    expect(switchedOn.failover.phrases).toEqual(plain.failover.phrases);
    expect(switchedOn.logging).toEqual(plain.logging);
  });

  test("has every variable", () => {
    expect(variableSettings().filter(({ name }) => !example.includes(`${name}=`))).toEqual([]);
  });
});

test("every setting is described, and no variable sets two of them", () => {
  const settings = variableSettings();
  expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
  expect(undescribed(settingsShape, "")).toEqual([]);
});

function keysBelow(shape: Shape): string[] {
  switch (shape.kind) {
    case "leaf":
      return [];
    case "list":
      return keysBelow(shape.item);
    case "map":
      return keysBelow(shape.value);
    case "section":
      return [...shape.fields]
        .filter(([, field]) => field.notes.environmentOnly !== true)
        .flatMap(([key, field]) => [key, ...keysBelow(field)]);
  }
}

function undescribed(shape: Shape, path: string): string[] {
  const own = path !== "" && (shape.notes.description ?? "") === "" ? [path] : [];
  return shape.kind === "section"
    ? [...own, ...[...shape.fields].flatMap(([key, field]) => undescribed(field, `${path}.${key}`))]
    : own;
}
