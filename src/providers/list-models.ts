// Asks a provider what it can serve.

import type { Cancellation } from "../core/cancellation.ts";
import type { ListedModel } from "../core/inventory.ts";
import type { UpstreamLimits } from "../core/policy.ts";
import type { ProviderLink } from "./provider-link.ts";
import { unusable } from "./refused-answer.ts";

/** A listing is small, and routing may wait for it. */
const listingTotalMs = 30_000;

/** The models in the provider's order. Rejects with a `Failure`; breakers and retries of requests have no part in it (behaviour 2.11.9). */
export async function listModels(
  link: ProviderLink,
  source: {
    readonly path: string;
    readonly providerName: string;
    readonly limits: UpstreamLimits;
    /** Undefined: the text is no listing. */
    readonly read: (text: string) => readonly ListedModel[] | undefined;
  },
  cancellation: Cancellation,
): Promise<readonly ListedModel[]> {
  const { limits } = source;
  const totalMs = limits.totalMs === 0 ? listingTotalMs : Math.min(limits.totalMs, listingTotalMs);
  const call = {
    kind: "listing",
    path: source.path,
    body: undefined,
    limits: { ...limits, totalMs },
    cancellation,
  } as const;
  const answer = await link.send(call, [], (listing) => listing);
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = await answer.body.read(); bytes !== undefined; bytes = await answer.body.read()) {
    text += decoder.decode(bytes, { stream: true });
  }
  const models = source.read(text + decoder.decode());
  if (models === undefined)
    throw unusable(`provider ${source.providerName} answered with something that is no model listing`);
  return models;
}
