// llm-d: a cluster of one's own behind a scheduler that is told how important a request is.

import type { Header } from "./answer-headers.ts";
import { openAiCompatibleWire } from "./openai-compatible.ts";
import type { ProviderType } from "./provider-type.ts";

const objectiveVariable = "LLMD_INFERENCE_OBJECTIVE";

export const llmd: ProviderType = {
  info: {
    type: "llmd",
    defaultBaseUrl: undefined,
    apiKey: "optional",
    enabledByBaseUrl: true,
    embeddings: true,
    options: [
      {
        variable: objectiveVariable,
        meaning: "Name of the InferenceObjective that llm-d schedules every request by; empty for none.",
        values: undefined,
        default: "",
      },
    ],
  },
  createWire(config) {
    const objective = config.options?.[objectiveVariable] ?? "";
    return {
      ...openAiCompatibleWire(config, { embeddings: true, responses: true, atBareOrigin: "/v1" }),
      // vLLM is behind it.
      accepts: { reasoningContent: true },
      defaultHeaders: objective === "" ? [] : objectiveHeaders.map((name): Header => [name, objective]),
    };
  },
};

/** The second one is what releases before the renaming read. */
const objectiveHeaders = ["x-llm-d-inference-objective", "x-gateway-inference-objective"];
