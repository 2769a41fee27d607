// What a chat body becomes on its way to a provider of some type, in tables of what goes in and what comes out.

import { wireTools } from "./wire-tools.ts";
import { expect, test } from "bun:test";
import { Failure } from "../../src/core/failure.ts";
import type { ProviderConfig } from "../../src/core/provider-config.ts";
import { editObject } from "../../src/dialects/json/edit-object.ts";
import { scanObject } from "../../src/dialects/json/scan-object.ts";
import { providerTypes } from "../../src/providers/registry.ts";
import { requestFields } from "../../src/providers/request-fields.ts";
import { providerConfig } from "./provider-config.ts";

/** What `body` becomes on its way to a provider of `type`, and the stop sequences left to the gateway. */
export function shaped(type: string, model: string, body: string, overrides: Partial<ProviderConfig> = {}) {
  const providerType = providerTypes.find(({ info }) => info.type === type);
  if (providerType === undefined) throw new Error(`no type ${type}`);
  const wire = providerType.createWire(providerConfig({ name: `my-${type}`, type, ...overrides }), wireTools);
  const bytes = new TextEncoder().encode(body);
  const members = scanObject(bytes, 100);
  if ("kind" in members) throw new Error(members.message);
  const shape = wire.shapeChat?.(model, requestFields({ body: bytes, members }));
  const changed = editObject(bytes, members, shape?.edits ?? []);
  return { body: new TextDecoder().decode(changed), stop: shape?.stopSequences ?? [] };
}

export type Row = readonly [model: string, sent: string, received: string];

/** One test per row. */
export function table(type: string, rows: readonly Row[], overrides: Partial<ProviderConfig> = {}): void {
  test.each(rows)("%s: %s goes out as %s", (model, sent, received) => {
    expect(shaped(type, model, sent, overrides).body).toBe(received);
  });
}

/** What the provider is never sent, because it would change the answer and cannot be honoured. */
export function refusals(type: string, cases: readonly (readonly [sent: string, param: string, what: string])[]): void {
  test.each(cases)("%s is a 400 that names %s and the provider", (sent, param, what) => {
    expect(failureOf(() => shaped(type, "m", sent))).toMatchObject({
      origin: "request",
      status: 400,
      type: "invalid_request_error",
      param,
      message: `${what} is not supported by provider my-${type}`,
    });
  });
}

/** The failure that `action` throws. */
export function failureOf(action: () => unknown): Failure {
  try {
    action();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
