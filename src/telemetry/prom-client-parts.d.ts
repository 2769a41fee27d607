// The parts of the metrics library that are loaded one by one: the whole brings an HTTP client, and takes three times as long.

declare module "prom-client/lib/registry.js" {
  export { Registry as default } from "prom-client";
}

declare module "prom-client/lib/defaultMetrics.js" {
  export { collectDefaultMetrics as default } from "prom-client";
}
