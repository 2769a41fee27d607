// `.env.example`: every variable, commented out.

import type { ProviderTypeInfo } from "../../src/core/provider-config.ts";
import { variableSettings } from "../../src/config/shape.ts";
import { describedWithProfile } from "./described-with-profile.ts";
import { commentLines } from "./comment-lines.ts";

const introduction = `# Variables of GoModel. Copy this file to .env in the working directory; real variables win over it.
# The least that is useful is a key for clients and one provider. All settings: docs/configuration.md
# Generated from src/config/schema by scripts/generate-docs.ts.

GOMODEL_MASTER_KEY=

# <TYPE>_API_KEY registers the provider <type>, <TYPE>_<SUFFIX>_API_KEY another one named <type>-<suffix>. Beside it, also
# for suffixed ones: _API_KEY_2 and so on (more keys), _BASE_URL, _MODELS, _PROXY_URL and, for azure, _API_VERSION.
OPENAI_API_KEY=
#OPENAI_API_KEY_2=
#OPENAI_EAST_API_KEY=
#OLLAMA_BASE_URL=http://localhost:11434/v1
`;

export function exampleEnvironment(types: readonly ProviderTypeInfo[]): string {
  const settings = variableSettings().filter(({ name }) => name !== "GOMODEL_MASTER_KEY");
  const blocks = settings.map(({ name, shape: { notes } }) =>
    block(describedWithProfile(notes), name, notes.default ?? notes.example ?? ""),
  );
  const optionBlocks = types.flatMap(({ type, options = [] }) =>
    options.map((option) => block(`Of the type ${type}: ${option.meaning}`, option.variable, option.default)),
  );
  return `${introduction}\n${[...blocks, ...optionBlocks].join("\n")}`;
}

function block(description: string, name: string, value: string): string {
  return [...commentLines(description, "#"), `#${name}=${value}`, ""].join("\n");
}
