// Every official SDK with every scenario at every target and through every chain.

import { describe } from "bun:test";
import { anthropicMessages } from "./anthropic.ts";
import { describeSdk } from "./describe-sdk.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { vercelAnthropic, vercelChat, vercelCompatible, vercelResponses } from "./vercel.ts";

const drivers = [
  openaiChat,
  openaiResponses,
  anthropicMessages,
  vercelResponses,
  vercelChat,
  vercelAnthropic,
  vercelCompatible,
];

for (const driver of drivers) describe(driver.name, () => describeSdk(driver, true));
