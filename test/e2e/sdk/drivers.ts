// Every SDK.

import { anthropicMessages } from "./anthropic.ts";
import type { SdkDriver } from "./driver.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { vercelAnthropic, vercelChat, vercelCompatible, vercelResponses } from "./vercel.ts";

export const drivers: readonly SdkDriver[] = [
  openaiChat,
  openaiResponses,
  anthropicMessages,
  vercelResponses,
  vercelChat,
  vercelAnthropic,
  vercelCompatible,
];
