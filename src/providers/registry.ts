// The provider types that this gateway knows.

import { azure } from "./azure.ts";
import { deepseek } from "./deepseek.ts";
import { groq } from "./groq.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import { openrouter } from "./openrouter.ts";
import type { ProviderType } from "./provider-type.ts";
import { vllm } from "./vllm.ts";
import { xai } from "./xai.ts";

/** In the order in which documentation lists them. */
export const providerTypes: readonly ProviderType[] = [openai, azure, groq, deepseek, xai, openrouter, ollama, vllm];
