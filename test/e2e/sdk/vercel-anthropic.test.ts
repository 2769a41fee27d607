// Vercel's ai with Anthropic's provider gets through the gateway what it gets straight from the provider, or better.

import { vercelAnthropic } from "./vercel.ts";
import { describeSdk } from "./describe-sdk.ts";

describeSdk(vercelAnthropic, false);
