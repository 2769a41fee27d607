// Vercel's ai with OpenAI's provider and chat completions gets through the gateway what it gets straight from the provider, or better.

import { vercelChat } from "./vercel.ts";
import { describeSdk } from "./describe-sdk.ts";

describeSdk(vercelChat, false);
