// The files that are written from the schema, the fault matrix, the golden values and the price list, so that none of them can be out of date.

import type { ProviderTypeInfo } from "../../src/core/provider-config.ts";
import { compatibilityPage } from "./compatibility-page.ts";
import { exampleEnvironment } from "./example-environment.ts";
import { exampleYaml } from "./example-yaml.ts";
import { failureModesPage } from "./failure-modes-page.ts";
import { priceListText } from "./price-list.ts";
import { referencePage } from "./reference-page.ts";

export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** `scripts/generate-docs.ts` writes them, a test compares them. */
export function generatedFiles(types: readonly ProviderTypeInfo[]): readonly GeneratedFile[] {
  return [
    { path: "docs/configuration.md", text: referencePage(types) },
    { path: "docs/failure-modes.md", text: failureModesPage() },
    { path: "docs/compatibility.md", text: compatibilityPage() },
    { path: "config.example.yaml", text: exampleYaml() },
    { path: ".env.example", text: exampleEnvironment(types) },
    { path: "src/catalog/price-list.json", text: priceListText() },
  ];
}
