// Vercel's ai with the provider for whatever imitates OpenAI gets through the gateway what it gets straight from the provider, or better.

import { vercelCompatible } from "./vercel.ts";
import { describeSdk } from "./describe-sdk.ts";

describeSdk(vercelCompatible, false);
