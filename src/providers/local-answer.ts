// An answer that needs no provider: the gateway's own estimate of a prompt's tokens.

import type { ModelRequest } from "../core/model-request.ts";
import type { PreparedCall, UpstreamBody } from "../core/provider.ts";
import { estimateInputTokens } from "../dialects/hub/estimate-tokens.ts";
import { createMessagesBufferedReader } from "../dialects/messages/buffered-reader.ts";
import { hubRequest } from "./call-plan.ts";

/** For a count of tokens at a provider that does not count (behaviour 4.2). */
export function estimatedCount(request: ModelRequest, providerName: string): PreparedCall {
  const tokens = estimateInputTokens(hubRequest(request));
  const bytes = new TextEncoder().encode(JSON.stringify({ input_tokens: tokens }));
  return {
    send: () =>
      Promise.resolve({
        status: 200,
        headers: [],
        body: bodyOf(bytes),
        isLocal: true,
        reader: createMessagesBufferedReader({ providerName, operation: "count-tokens" }),
      }),
  };
}

function bodyOf(bytes: Uint8Array): UpstreamBody {
  let rest: Uint8Array | undefined = bytes;
  return {
    read() {
      const read = rest;
      rest = undefined;
      return read;
    },
    started() {},
    cancel() {
      rest = undefined;
    },
  };
}
