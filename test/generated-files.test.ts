// The generated files in the repository are the ones that the code gives.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles } from "../src/config/documentation/generated-files.ts";
import { providerTypes } from "../src/providers/registry.ts";

const root = join(import.meta.dirname, "..");
const files = generatedFiles(providerTypes.map(({ info }) => info));

test.each(files.map(({ path, text }) => [path, text] as const))(
  "%s is what the schema gives (else run: bun scripts/generate-docs.ts)",
  (path, text) => {
    expect(readFileSync(join(root, path), "utf8")).toBe(text);
  },
);
