// Vertex AI: Gemini below a project and a location, with tokens of Google Cloud instead of keys.

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { plainUsage } from "../dialects/answers/usage.ts";
import type { Header } from "./answer-headers.ts";
import { chatShape } from "./chat-shape.ts";
import { generateContentPath, vertexBasePaths, vertexOrigins } from "./google/base-paths.ts";
import type { GoogleCredentials } from "./google/credentials.ts";
import { findCredentials } from "./google/find-credentials.ts";
import type { CredentialFiles } from "./google/find-credentials.ts";
import { readVertexListing } from "./google/model-listings.ts";
import { cachedToken } from "./google/token-cache.ts";
import { tokenExchange } from "./google/token-exchange.ts";
import type { ProviderType, ProviderWire } from "./provider-type.ts";
import { flatReasoningEffort, keepEffort } from "./reasoning-effort.ts";
import { createHttpClient } from "./upstream/client.ts";

const projectVariable = "VERTEX_PROJECT";
const locationVariable = "VERTEX_LOCATION";
const modeVariable = "VERTEX_API_MODE";

const listing = "/v1beta1/publishers/google/models?pageSize=200";

const machine: CredentialFiles = {
  home: homedir(),
  read: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
};

/** https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference; behaviour 3.6. */
export const vertex: ProviderType = {
  info: {
    type: "vertex",
    defaultBaseUrl: undefined,
    regionalUrl: vertexOrigins(locationVariable),
    apiKey: "optional",
    enabledByBaseUrl: false,
    enabledByOptions: [projectVariable, locationVariable],
    embeddings: false,
    options: [
      option(projectVariable, "vertex_project", "Id of the Google Cloud project that is billed."),
      option(locationVariable, "vertex_location", "Location of the models, such as us-central1 or global."),
      {
        variable: modeVariable,
        key: "api_mode",
        meaning:
          "native: generateContent; openai_compatible: what Google serves in the form of OpenAI's chat completions.",
        values: ["native", "openai_compatible"],
        default: "native",
      },
      {
        variable: "VERTEX_AUTH_TYPE",
        key: "auth_type",
        meaning: "gcp_adc: application default credentials; gcp_service_account: the key of a service account.",
        values: ["gcp_adc", "gcp_service_account"],
        default: "gcp_adc",
      },
      option("VERTEX_SERVICE_ACCOUNT_FILE", "service_account_file", "Path of the key of a service account."),
      option(
        "VERTEX_SERVICE_ACCOUNT_JSON",
        "service_account_json",
        "The key of a service account itself, on one line.",
      ),
      option("VERTEX_SERVICE_ACCOUNT_JSON_BASE64", "service_account_json_base64", "The same in base64."),
      option(
        "GOOGLE_APPLICATION_CREDENTIALS",
        undefined,
        "Path of the application default credentials; else those of gcloud, else the machine's.",
      ),
      option("CLOUDSDK_CONFIG", undefined, "Directory in which gcloud keeps its credentials; else ~/.config/gcloud."),
      option("GCE_METADATA_HOST", undefined, "Host of the metadata server; else metadata.google.internal."),
    ],
  },
  createWire(config, { http, clock }) {
    const options = config.options ?? {};
    const paths = vertexBasePaths(needed(options, projectVariable), needed(options, locationVariable));
    const isCompatible = options[modeVariable] === "openai_compatible";
    const wire = isCompatible ? compatibleWire(paths.compatible) : nativeWire(paths.native);
    // Keys are tokens that somebody else looks after: nothing is asked of Google for them.
    if (config.apiKeys.length > 0) return { ...wire, defaultHeaders: [] };
    const credentials = findCredentials(options, machine);
    const exchange = tokenExchange(credentials, {
      providerName: config.name,
      http,
      direct: createHttpClient({ clock }),
      clock,
    });
    return {
      ...wire,
      defaultHeaders: quotaHeaders(credentials, options[projectVariable]),
      accessToken: cachedToken(exchange, clock),
    };
  },
};

/** User credentials belong to no project of their own: https://docs.cloud.google.com/docs/quotas/set-quota-project */
function quotaHeaders(credentials: GoogleCredentials, project: string | undefined): readonly Header[] {
  const quotaProject = credentials.kind === "user" ? (credentials.quotaProject ?? project) : undefined;
  return quotaProject === undefined ? [] : [["x-goog-user-project", quotaProject]];
}

type Tokenless = Omit<ProviderWire, "accessToken" | "defaultHeaders">;

function nativeWire(native: string): Tokenless {
  return {
    paths: {
      models: listing,
      generateContent: (model, stream) => generateContentPath(native, model, stream),
      embeddings: undefined,
    },
    speaks: () => ["gemini"],
    issuer: "google",
    keyHeader: "authorization",
    usage: plainUsage,
    readListing: readVertexListing,
  };
}

function compatibleWire(compatible: string): Tokenless {
  return {
    paths: { models: listing, chatCompletions: () => `${compatible}/chat/completions`, embeddings: undefined },
    issuer: "google",
    keyHeader: "authorization",
    usage: plainUsage,
    readListing: readVertexListing,
    // Models of several makers are served there, by `maker/model`.
    shapeChat: (model, fields) =>
      chatShape([
        ...(model.includes("/")
          ? []
          : [{ kind: "set", key: "model", json: JSON.stringify(`google/${model}`) } as const]),
        ...flatReasoningEffort(fields, keepEffort),
      ]),
  };
}

/** Any text; `key`: in the block of a provider. */
function option(variable: string, key: string | undefined, meaning: string) {
  return { variable, ...(key === undefined ? {} : { key }), meaning, values: undefined, default: "" };
}

function needed(options: Readonly<Record<string, string>>, variable: string): string {
  const value = options[variable] ?? "";
  if (value === "") throw new Error(`${variable} is not set`);
  return value;
}
