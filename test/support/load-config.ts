// Loads a configuration from texts, with provider types like those of the gateway.

import { loadConfig } from "../../src/config/load.ts";
import type { LoadedConfig } from "../../src/config/load.ts";
import type { ProviderTypeInfo } from "../../src/core/provider-config.ts";

const providerTypes: readonly ProviderTypeInfo[] = [
  {
    type: "openai",
    defaultBaseUrl: "https://api.openai.com/v1",
    apiKey: "unless-base-url",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  {
    type: "azure",
    defaultBaseUrl: undefined,
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
    defaultApiVersion: "2024-10-21",
    options: [
      { variable: "AZURE_MODE", meaning: "A choice.", values: ["plain", "fancy"], default: "plain" },
      { variable: "AZURE_TITLE", meaning: "A text.", values: undefined, default: "GoModel" },
    ],
  },
  {
    type: "groq",
    defaultBaseUrl: "https://api.groq.com/openai/v1",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
  },
  {
    type: "ollama",
    defaultBaseUrl: "http://localhost:11434/v1",
    apiKey: "optional",
    enabledByBaseUrl: true,
    embeddings: true,
  },
  {
    type: "vllm",
    defaultBaseUrl: "http://localhost:8000/v1",
    apiKey: "optional",
    enabledByBaseUrl: true,
    embeddings: true,
  },
];

export interface ConfigTexts {
  readonly yaml?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly dotenv?: string;
  /** By absolute path; the working directory is `/srv/app`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly configPath?: string;
  readonly directories?: readonly string[];
  readonly types?: readonly ProviderTypeInfo[];
}

export function load(texts: ConfigTexts): LoadedConfig {
  const files: Record<string, string | undefined> = {
    "/srv/app/config.yaml": texts.yaml,
    "/srv/app/.env": texts.dotenv,
    ...texts.files,
  };
  return loadConfig({
    env: texts.env ?? {},
    configPath: texts.configPath,
    cwd: "/srv/app",
    readFile: (path) => files[path],
    directoryExists: (path) => texts.directories?.includes(path) === true,
    platform: "linux",
    providerTypes: texts.types ?? providerTypes,
  });
}

/** The loaded configuration; throws its problems when it has errors. */
export function loaded(texts: ConfigTexts): Extract<LoadedConfig, { ok: true }> {
  const result = load(texts);
  if (!result.ok) throw new Error(problemLines(texts).join("\n"));
  return result;
}

/** `error config.yaml:2 server.port: "x" is not ...`, warnings too. */
export function problemLines(texts: ConfigTexts): string[] {
  return load(texts).problems.map(({ severity, where, message }) => `${severity} ${where}: ${message}`);
}
