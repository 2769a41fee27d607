// Azure OpenAI: deployments in the path, the API version in the query, the key in a header of its own.

import type { ProviderConfig } from "../core/provider-config.ts";
import { openAiCallHeaders } from "./openai.ts";
import { basePathOf, openAiCompatibleWire, pathsBelow } from "./openai-compatible.ts";
import { shapeOpenAiChat } from "./openai-reasoning-models.ts";
import type { ProviderPaths, ProviderType } from "./provider-type.ts";

const defaultApiVersion = "2024-10-21";

export const azure: ProviderType = {
  info: {
    type: "azure",
    defaultBaseUrl: undefined,
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
    defaultApiVersion,
  },
  createWire: (config) => ({
    ...openAiCompatibleWire(config, { embeddings: true }),
    paths: azurePaths(config),
    keyHeader: "api-key",
    shapeChat: shapeOpenAiChat,
    callHeaders: openAiCallHeaders,
  }),
};

/**
 * The base URL is a resource root (the model is the deployment), a deployment's own URL (its deployment serves every model of this
 * provider), or the version-less `/openai/v1`, which is OpenAI's API under Azure's key. Listings belong to the account (behaviour 3.6).
 */
function azurePaths(config: ProviderConfig): ProviderPaths {
  const basePath = basePathOf(config.baseUrl);
  if (basePath.endsWith("/openai/v1")) return pathsBelow(basePath, { embeddings: true });
  const query = `?api-version=${encodeURIComponent(config.apiVersion ?? defaultApiVersion)}`;
  const [, root = "", deployment] = /^(.*?)(?:\/openai(?:\/deployments\/([^/]+))?)?$/.exec(basePath) ?? [];
  const at = (model: string) => `${root}/openai/deployments/${deployment ?? encodeURIComponent(model)}`;
  return {
    models: `${root}/openai/models${query}`,
    chatCompletions: (model) => `${at(model)}/chat/completions${query}`,
    embeddings: (model) => `${at(model)}/embeddings${query}`,
  };
}
