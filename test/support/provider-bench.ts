// A provider under test: its requests, its answers read as the gateway reads them, and its failures.

import { Cancellation } from "../../src/core/cancellation.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Clock } from "../../src/core/clock.ts";
import { Failure } from "../../src/core/failure.ts";
import type { ModelRequest, Operation } from "../../src/core/model-request.ts";
import type { ProviderConfig } from "../../src/core/provider-config.ts";
import type { UpstreamAnswer } from "../../src/core/provider.ts";
import { readModelRequest } from "../../src/dialects/read-request.ts";
import { createProvider } from "../../src/providers/create-provider.ts";
import type { ListingProvider } from "../../src/providers/create-provider.ts";
import { providerTypes } from "../../src/providers/registry.ts";
import { createHttpClient } from "../../src/providers/upstream/client.ts";
import { providerConfig } from "./provider-config.ts";

/** `openai-eu` at `/v1` of a local port unless `config` says otherwise; real sockets on the machine's clock, `clock` for all above. */
export function providerAt(
  port: number,
  config: Partial<ProviderConfig> = {},
  more: { readonly clock?: Clock; readonly askStreamUsage?: boolean } = {},
): ListingProvider {
  const type = providerTypes.find(({ info }) => info.type === (config.type ?? "openai"));
  if (type === undefined) throw new Error(`no type ${config.type}`);
  return createProvider(providerConfig({ baseUrl: `http://127.0.0.1:${port}/v1`, ...config }), type, {
    http: createHttpClient({ clock: systemClock }),
    askStreamUsage: more.askStreamUsage ?? false,
    clock: more.clock ?? systemClock,
  });
}

/** A caller's request for model `m` with further `fields`. */
export function requestOf(
  fields: Readonly<Record<string, unknown>> = {},
  more: Partial<ModelRequest> = {},
): ModelRequest {
  const operation: Operation = more.operation ?? "chat-completions";
  const body = new TextEncoder().encode(JSON.stringify({ model: "m", ...fields }));
  const facts = readModelRequest(body, operation);
  if (facts instanceof Failure) throw facts;
  return {
    id: "req-1",
    operation,
    body,
    ...facts,
    idempotencyKey: undefined,
    cancellation: new Cancellation(),
    deadline: undefined,
    ...more,
  };
}

/** The failure that a promise rejects with; anything else fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** Everything that the reader makes of the answer, as the gateway would relay it. */
export async function relayed(answer: UpstreamAnswer): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = await answer.body.read(); bytes !== undefined; bytes = await answer.body.read()) {
    const step = answer.reader.push(bytes);
    if (step.failure !== undefined) throw step.failure;
    text += decoder.decode(step.relay);
    if (step.complete) return text;
  }
  const last = answer.reader.end();
  if (last.failure !== undefined) throw last.failure;
  return text + decoder.decode(last.relay);
}

/** Waits for something that happens on a real socket. */
export async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 2000;
  while (!condition()) {
    if (performance.now() > end) throw new Error("it did not happen within 2 s");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
