// The official Anthropic SDK gets through the gateway what it gets straight from the provider, or better.

import { anthropicMessages } from "./anthropic.ts";
import { describeSdk } from "./describe-sdk.ts";

describeSdk(anthropicMessages, false);
