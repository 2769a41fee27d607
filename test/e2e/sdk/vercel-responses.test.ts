// Vercel's ai with OpenAI's provider and Responses gets through the gateway what it gets straight from the provider, or better.

import { vercelResponses } from "./vercel.ts";
import { describeSdk } from "./describe-sdk.ts";

describeSdk(vercelResponses, false);
