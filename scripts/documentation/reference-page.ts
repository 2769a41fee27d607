// `docs/configuration.md`: every setting with its variable, type, default and meaning.

import type { ProviderTypeInfo } from "../../src/core/provider-config.ts";
import { settingsSections } from "../../src/config/shape.ts";
import type { Shape } from "../../src/config/shape.ts";
import { tableText } from "./markdown-table.ts";

const introduction = `# Configuration

<!-- Generated from src/config/schema by scripts/generate-docs.ts; edit it there. -->

Settings come from three places; the first one that has a setting wins:

1. environment variables; a \`.env\` file in the working directory counts as environment, real variables win over it;
2. one YAML file: the one named with \`--config\`, else \`config/config.yaml\`, else \`config.yaml\`;
3. the defaults below; where there are two, \`resilience.profile\` chooses: [resilience.md](resilience.md) says which one suits whom,
   and shows each of those settings at work.

\`gomodel --check\` validates all of it and prints the effective configuration: secrets masked, each value with its origin.
A setting that is wrong stops the start, and everything that is wrong is reported at once. Empty variables and keys
without a value count as not set. Unknown YAML keys are errors (warnings with \`CONFIG_STRICT=false\`), unknown variables
are not.

## How values are written

- **Duration:** \`500ms\`, \`30s\`, \`1m30s\`; \`0\` needs no unit. _Seconds or duration_ also takes plain seconds: \`60\`.
- **Size:** a number with \`K\`, \`M\` or \`G\` (units of 1024): \`10M\`.
- **List:** in variables separated by commas: \`429,5xx\`. \`[]\` is the empty list.
- **\`\${VAR}\`** in a YAML value is replaced by that variable, **\`\${VAR:-default}\`** by the default when it is not set. An unset
  \`\${VAR}\` stays as it is; a provider that contains one is left out. Inside \`[ ]\` and \`{ }\` put it in quotes.
- **\`\${env:NAME}\`** and **\`\${file:/absolute/path}\`** are secret references, in YAML and in variables: the start fails when
  they cannot be resolved, and what they hold is never shown. One line break at the end of the file is dropped.
- **\`$\${\`** stands for a plain \`\${\`.
`;

export function referencePage(types: readonly ProviderTypeInfo[]): string {
  const sections = [...settingsSections].map(([key, shape]) => sectionText(key, shape));
  return `${introduction}\n${[...sections, typesText(types)].join("\n")}`;
}

function typesText(types: readonly ProviderTypeInfo[]): string {
  const rows = types.map((info) => [
    code(info.type),
    addressOf(info),
    keyWords[info.apiKey],
    info.embeddings ? "yes" : "-",
    modelSource(info),
    info.defaultApiVersion === undefined ? "-" : code(info.defaultApiVersion),
    registeringVariables(info),
  ]);
  const options = types.flatMap(({ type, options: known = [] }) =>
    known.map(({ variable, values, default: byDefault, meaning }) => [
      code(variable),
      code(type),
      values === undefined ? "text" : values.map(code).join(", "),
      byDefault === "" ? "-" : code(byDefault),
      meaning,
    ]),
  );
  const typesTable = tableText([
    ["Type", "Base URL", "Key", "Embeddings", "Models", "API version", "Registered by"],
    ...rows,
  ]);
  const optionsTable = tableText([["Variable", "Of type", "Values", "Default", "Meaning"], ...options]);
  const more = options.length === 0 ? "" : `\nVariables that only one type has:\n\n${optionsTable}`;
  return `## Provider types\n\n${modelsNote}\n\n${typesTable}${more}`;
}

const keyWords: Readonly<Record<ProviderTypeInfo["apiKey"], string>> = {
  required: "required",
  "unless-base-url": "required without a `base_url`",
  optional: "optional",
};

const modelsNote =
  "_Models_ says what a provider serves as long as no `models` are configured: what its own listing says (_asked for_), or, where it has none, the models named here.";

/** Where the models come from as long as none are configured. */
function modelSource({ knownModels }: ProviderTypeInfo): string {
  if (knownModels === undefined) return "asked for";
  return knownModels.length === 0 ? "must be configured" : knownModels.map(code).join(", ");
}

function addressOf({ defaultBaseUrl, regionalUrl }: ProviderTypeInfo): string {
  if (defaultBaseUrl === undefined) return regionalUrl === undefined ? "required" : "by its variables";
  return regionalUrl?.shortForm === undefined ? code(defaultBaseUrl) : `${code(defaultBaseUrl)}, or a region`;
}

function registeringVariables(info: ProviderTypeInfo): string {
  const { type, apiKey, enabledByBaseUrl, enabledByOptions, defaultBaseUrl } = info;
  if (enabledByOptions !== undefined) return enabledByOptions.map(code).join(" and ");
  const prefix = type.toUpperCase().replaceAll("-", "_");
  const key = code(`${prefix}_API_KEY`);
  const address = code(`${prefix}_BASE_URL`);
  if (apiKey === "optional") return enabledByBaseUrl ? address : "-";
  if (defaultBaseUrl === undefined) return `${key} and ${address}`;
  return enabledByBaseUrl ? `${key} or ${address}` : key;
}

function sectionText(key: string, shape: Shape): string {
  const variablesOnly = shape.notes.environmentOnly === true;
  const title = variablesOnly ? "Variables only" : `\`${key}\``;
  const rows = fieldsBelow(variablesOnly ? [] : [key], shape).map(([name, field]) => tableCells(name, field));
  const variable =
    shape.notes.env === undefined
      ? ""
      : `Variable: \`${shape.notes.env}\`, for example \`${shape.notes.example ?? ""}\`.\n\n`;
  const table = tableText([["Key", "Variable", "Type", "Default", "Meaning"], ...rows]);
  return `## ${title}\n\n${shape.notes.description ?? ""}\n\n${variable}${table}`;
}

/** Leaves and lists with their full names; sections give only their fields. */
function fieldsBelow(path: readonly string[], shape: Shape): (readonly [name: string, shape: Shape])[] {
  switch (shape.kind) {
    case "leaf":
      return [[path.join("."), shape]];
    case "section":
      // A provider's resilience has the fields of the global one.
      if (shape.notes.example !== undefined) return [[path.join("."), shape]];
      return [...shape.fields].flatMap(([key, field]) => fieldsBelow([...path, key], field));
    case "map":
      if (shape.value.kind === "leaf") return [[path.join("."), shape]];
      return fieldsBelow([...path, "<name>"], shape.value);
    case "list": {
      const inner = path.with(-1, `${path.at(-1) ?? ""}[]`);
      const own: (readonly [string, Shape])[] = path.length === 1 ? [] : [[path.join("."), shape]];
      return shape.item.kind === "section" ? [...own, ...fieldsBelow(inner, shape.item)] : own;
    }
  }
}

function tableCells(name: string, { kind, notes, optional }: Shape): string[] {
  const variable = notes.env ?? (notes.providerVariable === undefined ? undefined : `<TYPE>_${notes.providerVariable}`);
  const onlyVariable = variable !== undefined && name.toUpperCase() === variable.replace(/^GOMODEL_/, "");
  const cells = [
    onlyVariable && !name.includes(".") ? "-" : code(name),
    variable === undefined ? "-" : code(variable),
    notes.kind ?? kind,
    notes.defaultText ?? (notes.default === undefined ? (optional ? "-" : "required") : defaultsText(notes)),
    notes.description ?? "",
  ];
  return cells.map((cell) => cell.replaceAll("|", "\\|"));
}

/** Both defaults where the profile decides; a list that only grows is not repeated. */
function defaultsText({ default: classic = "", strong = classic }: Shape["notes"]): string {
  if (strong === classic) return defaultText(classic);
  return strong.startsWith(`${classic},`)
    ? `${defaultText(classic)}; strong: also ${defaultText(strong.slice(classic.length + 1))}`
    : `${defaultText(classic)}; strong: ${defaultText(strong)}`;
}

function defaultText(text: string): string {
  return text.length > 60 ? text.split(",").map(code).join(", ") : code(text);
}

function code(text: string): string {
  return `\`${text}\``;
}
