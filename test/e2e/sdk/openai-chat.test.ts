// The official openai SDK with chat completions gets through the gateway what it gets straight from the provider, or better.

import { openaiChat } from "./openai-chat.ts";
import { describeSdk } from "./describe-sdk.ts";

describeSdk(openaiChat, false);
