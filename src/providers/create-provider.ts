// One configured upstream as the gateway sees it: prepares calls in the provider's spelling and sends them.

import type { Cancellation } from "../core/cancellation.ts";
import type { Clock } from "../core/clock.ts";
import { invalidRequest } from "../core/failure.ts";
import type { ListedModel } from "../core/inventory.ts";
import type { ModelRequest } from "../core/model-request.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import type { Provider } from "../core/provider.ts";
import { withLastMember } from "../dialects/recovery/continue-request.ts";
import { encodeRequest } from "../dialects/chat-completions/encode-request.ts";
import type { Header } from "./answer-headers.ts";
import { callFacts } from "./call-facts.ts";
import { listModels } from "./list-models.ts";
import { OutgoingCall } from "./outgoing-call.ts";
import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { createProviderLink } from "./provider-link.ts";
import type { CallFacts, ChatShape, ProviderType } from "./provider-type.ts";
import { createRedactor } from "./redaction.ts";
import { requestFields } from "./request-fields.ts";
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

function withEdits(edits: readonly JsonEdit[], more: readonly JsonEdit[] | undefined): readonly JsonEdit[] {
  return more === undefined ? edits : [...edits, ...more];
}

const unchanged: ChatShape = { edits: [], stopSequences: [] };

/** Throws an `Error` for a base URL, key or custom header that cannot be used. */
export function createProvider(
  config: ProviderConfig,
  type: ProviderType,
  deps: ProviderDependencies,
): ListingProvider {
  const providerName = config.name;
  const { clock, debug } = deps;
  const { limits } = config;
  const wire = type.createWire(config);
  const askStreamUsage = deps.askStreamUsage && wire.streamUsage !== "always";
  const redactor = createRedactor(config);
  const requestHeaders = createRequestHeaders(config, wire, (header) =>
    debug?.("custom upstream header left out", { provider: providerName, header }),
  );
  const context = { providerName, clock, redactor };
  const link = createProviderLink(config, deps.http, requestHeaders, context);

  function pathOf(request: ModelRequest, model: string): string {
    if (request.operation === "chat-completions") return wire.paths.chatCompletions(model);
    if (wire.paths.embeddings !== undefined) return wire.paths.embeddings(model);
    throw invalidRequest(`embeddings not supported by this provider: ${providerName}`, { param: "model" });
  }

  function headersOf(facts: CallFacts): readonly Header[] {
    const own = wire.callHeaders?.(facts) ?? [];
    return facts.requestId === undefined ? own : [...own, ["X-Request-ID", facts.requestId]];
  }

  return {
    name: providerName,
    type: type.info.type,
    resilience: config.resilience,
    limits,

    prepare(request, model) {
      const path = pathOf(request, model);
      const prefill = request.continues === true ? wire.prefill : undefined;
      const sent = prefill?.lastMessage === undefined ? request : withLastMember(request, prefill.lastMessage);
      const fields = requestFields(sent);
      const shape = request.operation === "chat-completions" ? wire.shapeChat?.(model, fields) : undefined;
      const { stopSequences } = shape ?? unchanged;
      const edits = withEdits((shape ?? unchanged).edits, prefill?.edits);
      if (edits.length > 0) {
        const changed = edits.map(({ key }) => key);
        debug?.("request fields changed for the provider", { provider: providerName, model, fields: changed });
      }
      const facts = callFacts(request, fields);
      return new OutgoingCall({
        link,
        context,
        request,
        path,
        body: encodeRequest(sent, model, { askUsage: askStreamUsage, edits }),
        headers: headersOf(facts),
        limits,
        cutUsageEvent: askStreamUsage && !request.wantsStreamUsage,
        stopSequences,
        usageFamily: wire.usage,
        severalChoices: request.stream && (fields.json("n") ?? "1") !== "1",
      });
    },

    prefillRule(model) {
      const configured = config.models.find(({ id }) => id === model)?.supportsPrefill ?? config.supportsPrefill;
      return (configured ?? type.info.supportsPrefill ?? false) ? (wire.prefill?.rule ?? "prefill") : undefined;
    },

    async listModels(cancellation) {
      const { knownModels } = type.info;
      if (knownModels !== undefined) return unlistedModels(config, knownModels);
      return listModels(link, { path: wire.paths.models, providerName, limits }, cancellation);
    },
  };
}
