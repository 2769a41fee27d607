// Gemini: asked in its own dialect, or through its imitation of OpenAI's.

import { plainUsage } from "../dialects/answers/usage.ts";
import { chatShape } from "./chat-shape.ts";
import { generateContentPath, geminiBasePaths } from "./google/base-paths.ts";
import { readCompatibleListing, readGeminiListing } from "./google/model-listings.ts";
import { basePathOf, pathsBelow } from "./openai-compatible.ts";
import type { ProviderType, ProviderWire } from "./provider-type.ts";
import { flatReasoningEffort, keepEffort } from "./reasoning-effort.ts";

const modeVariable = "GEMINI_API_MODE";
const legacyVariable = "USE_GOOGLE_GEMINI_NATIVE_API";

/** https://ai.google.dev/api and https://ai.google.dev/gemini-api/docs/openai; behaviour 3.6. */
export const gemini: ProviderType = {
  info: {
    type: "gemini",
    defaultBaseUrl: "https://generativelanguage.googleapis.com/v1beta",
    apiKey: "required",
    enabledByBaseUrl: false,
    embeddings: true,
    options: [
      {
        variable: modeVariable,
        key: "api_mode",
        meaning:
          "native: generateContent; openai_compatible: what Google serves in the form of OpenAI's chat completions.",
        values: ["native", "openai_compatible"],
        default: "native",
      },
      {
        variable: legacyVariable,
        meaning: `false: the same as ${modeVariable}=openai_compatible, which wins when both are set.`,
        values: ["true", "false"],
        default: "true",
      },
    ],
  },
  createWire(config) {
    const { [modeVariable]: mode, [legacyVariable]: legacy } = config.options ?? {};
    const paths = geminiBasePaths(basePathOf(config.baseUrl));
    const isCompatible = mode === undefined ? legacy === "false" : mode === "openai_compatible";
    return isCompatible ? compatibleWire(paths.compatible) : nativeWire(paths);
  },
};

/** Embeddings go to the compatible paths in both modes: callers ask for them in that form. */
function nativeWire({ native, compatible }: ReturnType<typeof geminiBasePaths>): ProviderWire {
  return {
    paths: {
      models: `${native}/models?pageSize=1000`,
      generateContent: (model, stream) => generateContentPath(native, model, stream),
      embeddings: () => `${compatible}/embeddings`,
    },
    speaks: () => ["gemini"],
    issuer: "google",
    keyHeader: "x-goog-api-key",
    usage: plainUsage,
    defaultHeaders: [],
    readListing: readGeminiListing,
  };
}

function compatibleWire(compatible: string): ProviderWire {
  const { responses: _none, ...paths } = pathsBelow(compatible, { embeddings: true });
  return {
    paths,
    issuer: "google",
    keyHeader: "authorization",
    usage: plainUsage,
    defaultHeaders: [],
    readListing: readCompatibleListing,
    shapeChat: (_model, fields) => chatShape(flatReasoningEffort(fields, keepEffort)),
  };
}
