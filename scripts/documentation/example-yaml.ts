// `config.example.yaml`: every key, explained; all but a first provider commented out.

import { settingsSections } from "../../src/config/shape.ts";
import type { SectionShape, Shape } from "../../src/config/shape.ts";
import { describedWithProfile } from "./described-with-profile.ts";
import { commentLines } from "./comment-lines.ts";

const introduction = `## Configuration of GoModel. Copy this file to config.yaml and keep what you need.
## Lines with "##" explain; lines with "# " are settings: take the "# " away to use them.
## Values are the defaults, or examples where there is none. All of it: docs/configuration.md
## Generated from src/config/schema by scripts/generate-docs.ts.
`;

/** Keys that have no effect on the first example provider. */
const ofOtherTypes: ReadonlySet<string> = new Set([
  "api_version",
  "api_mode",
  "auth_type",
  "vertex_project",
  "vertex_location",
  "service_account_file",
  "service_account_json",
  "service_account_json_base64",
]);

/** Example providers: which fields each shows, and values other than the schema's. The first one's \`type\` and key are live. */
const exampleProviders: readonly {
  readonly name: string;
  readonly live: boolean;
  readonly shows: (key: string) => boolean;
  readonly values: Readonly<Record<string, string>>;
}[] = [
  { name: "openai", live: true, shows: (key) => !ofOtherTypes.has(key), values: {} },
  {
    name: "azure-west",
    live: false,
    shows: (key) => ["type", "api_key", "base_url", "api_version"].includes(key),
    values: { type: "azure", api_key: "${AZURE_API_KEY}", base_url: "https://example.openai.azure.com" },
  },
  {
    name: "vertex-us",
    live: false,
    shows: (key) => key === "type" || (key !== "api_version" && ofOtherTypes.has(key)),
    values: { type: "vertex" },
  },
];

const liveKeys = ["type", "api_key"];

export function exampleYaml(): string {
  const sections = [...settingsSections]
    .filter(([, shape]) => shape.notes.environmentOnly !== true)
    .map(([key, shape]) => {
      const head = [...explanation(shape), `${key}:`];
      if (key === "providers" && shape.kind === "map") return [...head, ...providerLines(shape.value)];
      if (key === "virtual_models" && shape.kind === "list")
        return [...head, ...indented(commented(rowLines(shape.item)))];
      return [...head, ...(shape.kind === "section" ? indented(fieldLines(shape, false)) : [])];
    });
  return `${introduction}\n${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function explanation({ notes }: Shape): string[] {
  const variable = notes.env ?? (notes.providerVariable === undefined ? undefined : `<TYPE>_${notes.providerVariable}`);
  return commentLines(`${describedWithProfile(notes)}${variable === undefined ? "" : ` Variable: ${variable}.`}`, "##");
}

/** Fields of a section: subsections stay, so that a single line can be switched on, unless everything is commented out around them. */
function fieldLines(section: SectionShape, plain: boolean): string[] {
  return [...section.fields].flatMap(([key, shape]) => {
    if (shape.kind === "section" && shape.notes.example === undefined) {
      return [...explanation(shape), `${key}:`, ...indented(fieldLines(shape, plain))];
    }
    const lines = settingLines(key, shape);
    return [...explanation(shape), ...(plain ? lines : commented(lines))];
  });
}

/** A setting that is no subsection, without its explanation. */
function settingLines(key: string, shape: Shape, value = shape.notes.example ?? shape.notes.default): string[] {
  if (shape.kind === "list" && shape.item.kind === "section") return [`${key}:`, ...indented(listItem(shape.item))];
  if (shape.kind === "list" && shape.notes.default !== undefined)
    return [`${key}: [${shape.notes.default.replaceAll(",", ", ")}]`];
  return [`${key}: ${value ?? ""}`];
}

function listItem(item: SectionShape): string[] {
  return asItem(fieldLines(item, true));
}

/** The dash goes to the first line that is a key; explanations above it stay. */
function asItem(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => !line.startsWith("##"));
  return lines.map((line, index) => (index < first ? line : `${index === first ? "- " : "  "}${line}`));
}

function providerLines(block: Shape): string[] {
  if (block.kind !== "section") return [];
  return exampleProviders.flatMap(({ name, live, shows, values }) => {
    const fields = [...block.fields]
      .filter(([key]) => shows(key))
      .flatMap(([key, shape]) => {
        const lines = settingLines(key, shape, values[key]);
        if (!live) return lines;
        return [...explanation(shape), ...(liveKeys.includes(key) ? lines : commented(lines))];
      });
    const lines = [`${name}:`, ...indented(fields)];
    return indented(live ? lines : commented(lines));
  });
}

/** One row with every field but `target`, and a short one with it: they exclude each other. */
function rowLines(row: Shape): string[] {
  if (row.kind !== "section") return [];
  const withoutTarget = { ...row, fields: new Map([...row.fields].filter(([key]) => key !== "target")) };
  const target = row.fields.get("target");
  const short = ["source: fast", ...(target === undefined ? [] : explanation(target)), "target: openai/gpt-4o-mini"];
  return [...asItem(fieldLines(withoutTarget, true)), ...asItem(short)];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function commented(lines: readonly string[]): string[] {
  return lines.map((line) => `# ${line}`);
}
