// The official openai SDK with Responses gets through the gateway what it gets straight from the provider, or better.

import { openaiResponses } from "./openai-responses.ts";
import { describeSdk } from "./describe-sdk.ts";

describeSdk(openaiResponses, false);
