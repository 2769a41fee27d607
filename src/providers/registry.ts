// The provider types that this gateway knows.

import { anthropic } from "./anthropic.ts";
import { azure } from "./azure.ts";
import { bailian } from "./bailian.ts";
import { bedrockMantle } from "./bedrock-mantle.ts";
import { cerebras } from "./cerebras.ts";
import { chatgpt } from "./chatgpt.ts";
import { chutes } from "./chutes.ts";
import { deepseek } from "./deepseek.ts";
import { edenai } from "./edenai.ts";
import { fireworks } from "./fireworks.ts";
import { gemini } from "./gemini.ts";
import { groq } from "./groq.ts";
import { hetzner } from "./hetzner.ts";
import { kilo } from "./kilo.ts";
import { kimi } from "./kimi.ts";
import { kimicode } from "./kimicode.ts";
import { llamacpp } from "./llamacpp.ts";
import { llmd } from "./llmd.ts";
import { meta } from "./meta.ts";
import { minimax } from "./minimax.ts";
import { mistral } from "./mistral.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import { opencodeGo } from "./opencode-go.ts";
import { openrouter } from "./openrouter.ts";
import { oracle } from "./oracle.ts";
import { perplexity } from "./perplexity.ts";
import type { ProviderType } from "./provider-type.ts";
import { sglang } from "./sglang.ts";
import { together } from "./together.ts";
import { vertex } from "./vertex.ts";
import { vllm } from "./vllm.ts";
import { xai } from "./xai.ts";
import { xiaomi } from "./xiaomi.ts";
import { zai } from "./zai.ts";

/** In the order in which documentation lists them: makers of models, hosts of open models, gateways, servers of one's own. */
export const providerTypes: readonly ProviderType[] = [
  openai,
  chatgpt,
  anthropic,
  azure,
  gemini,
  vertex,
  deepseek,
  mistral,
  xai,
  zai,
  kimi,
  kimicode,
  minimax,
  bailian,
  xiaomi,
  meta,
  perplexity,
  groq,
  cerebras,
  together,
  fireworks,
  chutes,
  hetzner,
  bedrockMantle,
  oracle,
  openrouter,
  kilo,
  edenai,
  opencodeGo,
  ollama,
  vllm,
  sglang,
  llamacpp,
  llmd,
];
