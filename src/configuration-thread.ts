// The entry of the thread that reads the configuration of a gateway that is about to serve: its one message says what to read.

import { readConfiguration, routingProblems } from "./configuration.ts";
import type { ConfigurationToRead, ConfigurationToServe } from "./configuration-reader.ts";

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<ConfigurationToRead>) => {
  const loaded = readConfiguration(data.configPath, data.providerTypes);
  const problems = [...loaded.problems, ...routingProblems(loaded.config)];
  const usable = loaded.ok && !problems.some(({ severity }) => severity === "error");
  const answer: ConfigurationToServe = { config: usable ? loaded.config : undefined, problems };
  self.postMessage(answer);
};
