// What a provider type gets to build its calls with, on the machine's clock.

import { systemClock } from "../../src/core/clock.ts";
import type { WireTools } from "../../src/providers/provider-type.ts";
import { createHttpClient } from "../../src/providers/upstream/client.ts";

export const wireTools: WireTools = { http: createHttpClient({ clock: systemClock }), clock: systemClock };
