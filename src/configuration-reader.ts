// Reads the configuration in a thread that ends: the schema would be a third of what the gateway's heap holds, and is needed only once.

import type { Config } from "./config/config.ts";
import type { ConfigProblem } from "./core/config-problem.ts";
import { deepFreeze } from "./core/deep-freeze.ts";
import type { ProviderTypeInfo } from "./core/provider-config.ts";

export interface ConfigurationToRead {
  readonly configPath: string | undefined;
  readonly providerTypes: readonly ProviderTypeInfo[];
}

/** What those who only serve need of it. */
export interface ConfigurationToServe {
  /** Undefined: it has errors. */
  readonly config: Config | undefined;
  readonly problems: readonly ConfigProblem[];
}

/** The thread begins to load what it needs at once; until it is asked the caller can do the same. */
export function startConfigurationReader(): (wanted: ConfigurationToRead) => Promise<ConfigurationToServe> {
  const thread = new Worker(new URL("./configuration-thread.ts", import.meta.url), { name: "configuration" });
  const read = Promise.withResolvers<ConfigurationToServe>();
  thread.addEventListener("message", ({ data }: MessageEvent<ConfigurationToServe>) => {
    thread.terminate();
    // Copies are not frozen.
    read.resolve(deepFreeze(data));
  });
  thread.addEventListener("error", (event) => {
    event.preventDefault();
    read.reject(new Error(event.message));
  });
  thread.addEventListener("close", () => read.reject(new Error("the thread that reads the configuration ended")));
  return (wanted) => {
    thread.postMessage(wanted);
    return read.promise;
  };
}
