import { expect, test } from "bun:test";
import { Cancellation } from "../core/cancellation.ts";
import type { UpstreamLimits } from "../core/policy.ts";
import { listModels } from "./list-models.ts";
import { readModelListing } from "./model-listing.ts";
import type { ProviderLink } from "./provider-link.ts";

const limits: UpstreamLimits = {
  connectMs: 1,
  responseHeaderMs: 2,
  streamIdleMs: 3,
  totalMs: 600_000,
  firstEventMs: 0,
  answerMs: 0,
};

async function listed(totalMs: number, pieces: readonly Uint8Array[]) {
  const left = [...pieces];
  let used: UpstreamLimits | undefined;
  const link: ProviderLink = {
    send(call, _headers, accept) {
      used = call.limits;
      const body = { read: () => left.shift(), started() {}, cancel() {} };
      const headers = { get: () => undefined, says: () => false, entries: () => [] };
      return Promise.resolve(accept({ status: 200, headers, body }));
    },
  };
  const source = { path: "/models", providerName: "p", limits: { ...limits, totalMs }, read: readModelListing };
  const models = await listModels(link, source, new Cancellation());
  return { ids: models.map(({ id }) => id), limits: used };
}

test.each([
  [600_000, 30_000],
  [0, 30_000],
  [5000, 5000],
])("with HTTP_TIMEOUT %p ms a listing may take %p ms", async (totalMs, expected) => {
  expect((await listed(totalMs, [new TextEncoder().encode("[]")])).limits).toEqual({ ...limits, totalMs: expected });
});

test("a listing cut in the middle of a character is read whole", async () => {
  const bytes = new TextEncoder().encode('{"data":[{"id":"größe"}]}');
  const cut = bytes.indexOf(0xc3) + 1;
  expect((await listed(0, [bytes.subarray(0, cut), bytes.subarray(cut)])).ids).toEqual(["größe"]);
});
