// Azure OpenAI: deployments in the path, the API version in the query, the key in a header of its own.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import { openAiCallHeaders } from "./openai.ts";
import { basePathOf, openAiCompatibleWire, pathsBelow } from "./openai-compatible.ts";
import { shapeOpenAiChat, shapeOpenAiResponses } from "./openai-reasoning-models.ts";
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
  createWire(config) {
    const { deployment } = placeOf(config);
    return {
      ...openAiCompatibleWire(config, { embeddings: true, responses: true }),
      paths: azurePaths(config),
      keyHeader: "api-key",
      issuer: "openai",
      accepts: { files: true, customTools: true },
      shapeChat: shapeOpenAiChat,
      // Responses has no deployment in its path: the model names it.
      shapeResponses: (model, fields, madeForAnother) => [
        ...shapeOpenAiResponses(model, fields, madeForAnother),
        ...(deployment === undefined ? [] : [modelEdit(deployment)]),
      ],
      callHeaders: openAiCallHeaders,
    };
  },
};

/** Where a base URL points to: `root` ends before `/openai`. */
function placeOf(config: ProviderConfig): { readonly root: string; readonly deployment: string | undefined } {
  const [, root = "", deployment] =
    /^(.*?)(?:\/openai(?:\/deployments\/([^/]+))?)?$/.exec(basePathOf(config.baseUrl)) ?? [];
  return { root, deployment: deployment === undefined ? undefined : decodeURIComponent(deployment) };
}

/**
 * The base URL is a resource root (the model is the deployment), a deployment's own URL (its deployment serves every model of this
 * provider), or the version-less `/openai/v1`, which is OpenAI's API under Azure's key. Listings belong to the account (behaviour 3.6).
 */
function azurePaths(config: ProviderConfig): ProviderPaths {
  const basePath = basePathOf(config.baseUrl);
  if (basePath.endsWith("/openai/v1")) return pathsBelow(basePath, { embeddings: true });
  const query = `?api-version=${encodeURIComponent(config.apiVersion ?? defaultApiVersion)}`;
  const { root, deployment } = placeOf(config);
  const at = (model: string) => `${root}/openai/deployments/${encodeURIComponent(deployment ?? model)}`;
  return {
    models: `${root}/openai/models${query}`,
    chatCompletions: (model) => `${at(model)}/chat/completions${query}`,
    embeddings: (model) => `${at(model)}/embeddings${query}`,
    // https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses: only the version-less API has it.
    responses: () => `${root}/openai/v1/responses`,
  };
}

function modelEdit(deployment: string): JsonEdit {
  return { kind: "set", key: "model", json: JSON.stringify(deployment) };
}
