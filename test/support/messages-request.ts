// A Messages request with a body of its own, as the HTTP layer would read it.

import { Cancellation } from "../../src/core/cancellation.ts";
import type { ModelRequest } from "../../src/core/model-request.ts";
import { maxJsonDepth, scanObject } from "../../src/dialects/json/scan-object.ts";

export function messagesRequest(body: string): ModelRequest {
  const bytes = new TextEncoder().encode(body);
  const members = scanObject(bytes, maxJsonDepth);
  if ("message" in members) throw new Error(`the body of the test is no JSON object: ${members.message}`);
  return {
    id: "r",
    operation: "messages",
    model: "m",
    providerHint: undefined,
    stream: true,
    body: bytes,
    members,
    wantsStreamUsage: false,
    idempotencyKey: undefined,
    cancellation: new Cancellation(),
    deadline: undefined,
  };
}
