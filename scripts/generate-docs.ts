// Writes the files that come from the configuration schema, the fault matrix and the golden values: `bun scripts/generate-docs.ts`.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generatedFiles } from "./documentation/generated-files.ts";
import { providerTypes } from "../src/providers/registry.ts";

const root = join(import.meta.dirname, "..");

for (const { path, text } of generatedFiles(providerTypes.map(({ info }) => info))) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(path);
}
