// Amazon Bedrock's Mantle endpoint: OpenAI's dialects for models of many makers, with a key or with signatures of AWS.

import { type RegionalUrl, regionOf, urlOfRegion } from "../core/regional-url.ts";
import { signatureHeaders } from "./aws/signature.ts";
import type { AwsCredentials } from "./aws/signature.ts";
import { basePathOf, openAiCompatibleWire } from "./openai-compatible.ts";
import { shapeOpenAiChat, shapeOpenAiResponses } from "./openai-reasoning-models.ts";
import type { ProviderType, ProviderWire } from "./provider-type.ts";

const modeVariable = "BEDROCK_MANTLE_API_MODE";
const defaultRegion = "us-east-1";
/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_bedrockmantle.html: its prefix is also what signatures name. */
const service = "bedrock-mantle";

const regionalUrl: RegionalUrl = {
  variables: ["BEDROCK_MANTLE_REGION", "AWS_REGION", "AWS_DEFAULT_REGION"],
  defaultRegion,
  url: `https://${service}.{region}.api.aws`,
  shortForm: /^[a-z]{2}(?:-[a-z]+)+-\d+$/,
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/bedrock-mantle.html; behaviour 3.6. */
export const bedrockMantle: ProviderType = {
  info: {
    type: "bedrock-mantle",
    defaultBaseUrl: urlOfRegion(regionalUrl, defaultRegion),
    regionalUrl,
    apiKey: "unless-base-url",
    enabledByBaseUrl: true,
    embeddings: false,
    options: [
      {
        variable: modeVariable,
        key: "api_mode",
        meaning:
          "Which of its two paths serves a model: openai is /openai/v1, standard is /v1, auto goes by the model.",
        values: ["auto", "openai", "standard"],
        default: "auto",
      },
      {
        variable: "BEDROCK_MANTLE_REGION",
        meaning: "Region, when BEDROCK_MANTLE_BASE_URL gives none; else AWS_REGION, else AWS_DEFAULT_REGION.",
        values: undefined,
        default: defaultRegion,
      },
      option("AWS_REGION", "Region, when BEDROCK_MANTLE_REGION is not set."),
      option("AWS_DEFAULT_REGION", "Region, when neither BEDROCK_MANTLE_REGION nor AWS_REGION is set."),
      option("AWS_ACCESS_KEY_ID", "Signs the calls of a provider without an API key, with AWS_SECRET_ACCESS_KEY."),
      option("AWS_SECRET_ACCESS_KEY", "The secret of AWS_ACCESS_KEY_ID."),
      option("AWS_SESSION_TOKEN", "Goes with AWS_ACCESS_KEY_ID when that is a temporary one."),
    ],
  },
  createWire(config, { clock }) {
    const options = config.options ?? {};
    const [, root = "", prefix] = /^(.*?)(\/openai\/v1|\/v1)?$/.exec(basePathOf(config.baseUrl)) ?? [];
    const mode = options[modeVariable] ?? (prefix === undefined ? "auto" : prefix === "/v1" ? "standard" : "openai");
    const below = (model: string): string => `${root}${isOpenAiPath(mode, model) ? "/openai/v1" : "/v1"}`;
    const wire: ProviderWire = {
      ...openAiCompatibleWire(config, { embeddings: false }),
      paths: {
        models: `${root}/v1/models`,
        chatCompletions: (model) => `${below(model)}/chat/completions`,
        responses: (model) => `${below(model)}/responses`,
        embeddings: undefined,
      },
      speaks: (model) => (onlyResponses.test(model) ? ["responses"] : ["chat-completions", "responses"]),
      shapeChat: (model, fields) => shapeOpenAiChat(openAiName(model), fields),
      shapeResponses: (model, fields, madeForAnother) =>
        shapeOpenAiResponses(openAiName(model), fields, madeForAnother),
    };
    if (config.apiKeys.length > 0) return wire;
    const credentials = credentialsOf(options, config.name);
    const region =
      /\.([a-z0-9-]+)\.api\.aws$/.exec(new URL(config.baseUrl).hostname)?.[1] ??
      regionOf(regionalUrl, options) ??
      defaultRegion;
    return {
      ...wire,
      sign: (request) => signatureHeaders(request, credentials, { region, service, at: clock.wallNow() }),
    };
  },
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-card-openai-gpt-56-terra.html; 5.4 and 5.5 are the same there. */
const onlyResponses = /^(?:openai\.)?gpt-5\.[4-6](?!\d)/;

/** Those whose model cards name `/openai/v1`: OpenAI's own but gpt-oss, xAI's, and Gemma from 4 on. All others are below `/v1`. */
const openAiPathModels = /^(?:(?:openai\.)?gpt-\d|xai\.|google\.gemma-[4-9])/;

function isOpenAiPath(mode: string, model: string): boolean {
  return mode === "auto" ? openAiPathModels.test(model) : mode === "openai";
}

/** `openai.gpt-5.6-sol` is OpenAI's `gpt-5.6-sol`, with what that refuses. */
function openAiName(model: string): string {
  return model.replace(/^openai\./, "");
}

function credentialsOf(options: Readonly<Record<string, string>>, providerName: string): AwsCredentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY: secretAccessKey = "" } = options;
  if (accessKeyId === "" || secretAccessKey === "") {
    throw new Error(
      `provider ${providerName} has no key: set BEDROCK_MANTLE_API_KEY, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  }
  const { AWS_SESSION_TOKEN: sessionToken = "" } = options;
  return { accessKeyId, secretAccessKey, ...(sessionToken === "" ? {} : { sessionToken }) };
}

/** Any text. */
function option(variable: string, meaning: string) {
  return { variable, meaning, values: undefined, default: "" };
}
