// One configured upstream as the gateway sees it: prepares calls in the provider's spelling and sends them.

import type { Cancellation } from "../core/cancellation.ts";
import type { Clock } from "../core/clock.ts";
import type { ListedModel } from "../core/inventory.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import type { Provider } from "../core/provider.ts";
import { listModels } from "./list-models.ts";
import { readModelListing } from "./model-listing.ts";
import { unmarkedIssuer } from "./own-history.ts";
import { createProviderLink } from "./provider-link.ts";
import type { CallSettings } from "./call-settings.ts";
import { prepareCall } from "./prepare-call.ts";
import type { ProviderType } from "./provider-type.ts";
import { createRedactor } from "./redaction.ts";
import { createRequestHeaders } from "./request-headers.ts";
import { unlistedModels } from "./unlisted-models.ts";
import type { HttpClient } from "./upstream/client.ts";

/** What a provider works with. */
export interface ProviderDependencies {
  /** Already set up for the provider's proxy. */
  readonly http: HttpClient;
  /** `ENFORCE_RETURNING_USAGE_DATA`. */
  readonly askStreamUsage: boolean;
  readonly clock: Clock;
  /** Told about headers that are left out and fields that are changed. */
  readonly debug?: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** A provider that can also say what it serves. */
export interface ListingProvider extends Provider {
  /** Rejects with a `Failure`, and with nothing else. */
  listModels(cancellation: Cancellation): Promise<readonly ListedModel[]>;
}

/** Throws an `Error` for a base URL, key or custom header that cannot be used. */
export function createProvider(
  config: ProviderConfig,
  type: ProviderType,
  deps: ProviderDependencies,
): ListingProvider {
  const providerName = config.name;
  const { clock, debug } = deps;
  const { limits } = config;
  const wire = type.createWire(config, { http: deps.http, clock });
  const askStreamUsage = deps.askStreamUsage && wire.streamUsage !== "always";
  const redactor = createRedactor(config);
  const requestHeaders = createRequestHeaders(config, wire, (header) =>
    debug?.("custom upstream header left out", { provider: providerName, header }),
  );
  const context = { providerName, clock, redactor };
  const link = createProviderLink(config, deps.http, requestHeaders, context, wire);

  const calls: CallSettings = {
    type: type.info.type,
    issuer: wire.issuer ?? type.info.type,
    wire,
    link,
    context,
    limits,
    askStreamUsage,
    debug,
  };

  return {
    name: providerName,
    type: type.info.type,
    resilience: config.resilience,
    limits,

    prepare: (request, model, firstIssuer) => prepareCall(request, model, firstIssuer, calls),

    unmarkedIssuer: (request, model) => unmarkedIssuer(request, model, calls),

    prefillRule(model) {
      const configured = config.models.find(({ id }) => id === model)?.supportsPrefill ?? config.supportsPrefill;
      return (configured ?? type.info.supportsPrefill ?? false) ? (wire.prefill?.rule ?? "prefill") : undefined;
    },

    async listModels(cancellation) {
      const { knownModels } = type.info;
      if (knownModels !== undefined) return unlistedModels(config, knownModels);
      const read = wire.readListing ?? readModelListing;
      return listModels(link, { path: wire.paths.models, providerName, limits, read }, cancellation);
    },
  };
}
