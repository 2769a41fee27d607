// The whole configuration as one schema: parsing, variables, documentation and the example files all come from it.

import { z } from "zod";
import { cacheSection, modelsSection } from "./schema/models.ts";
import { providersSection } from "./schema/providers.ts";
import { adminSection, loggingSection, metricsSection, storageSection, usageSection } from "./schema/records.ts";
import { resilienceSection } from "./schema/resilience.ts";
import { processSection, serverSection } from "./schema/server.ts";
import { failoverSection, httpSection } from "./schema/traffic.ts";
import { virtualModelsSection } from "./schema/virtual-models.ts";

/** Order is the order of the documentation. */
export const settingsSchema = z.strictObject({
  server: serverSection,
  providers: providersSection,
  virtual_models: virtualModelsSection,
  failover: failoverSection,
  resilience: resilienceSection,
  http: httpSection,
  models: modelsSection,
  cache: cacheSection,
  storage: storageSection,
  logging: loggingSection,
  usage: usageSection,
  metrics: metricsSection,
  admin: adminSection,
  process: processSection,
});

/** What the schema reads: every text turned into its value, defaults filled in before. */
export type Settings = z.infer<typeof settingsSchema>;
