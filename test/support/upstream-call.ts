// Calls through the HTTP client as tests make them, and the trouble that comes of them.

import { Failure } from "../../src/core/failure.ts";
import type { UpstreamLimits } from "../../src/core/policy.ts";
import type { UpstreamBody } from "../../src/core/provider.ts";
import type { HttpRequest, HttpTrouble } from "../../src/providers/upstream/http-request.ts";
import { parseUpstreamUrl } from "../../src/providers/upstream/upstream-url.ts";

const troubles = new WeakMap<object, HttpTrouble>();

export const noLimits: UpstreamLimits = {
  connectMs: 0,
  responseHeaderMs: 0,
  streamIdleMs: 0,
  totalMs: 0,
  firstEventMs: 0,
  answerMs: 0,
};

/** A POST of `{}` to `/v1/chat` of a plain upstream on this port, without limits unless said otherwise. */
export function callTo(port: number, changes: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: "POST",
    url: parseUpstreamUrl(`http://127.0.0.1:${port}/v1`),
    path: "/chat",
    headers: [["content-type", "application/json"]],
    body: new TextEncoder().encode("{}"),
    limits: noLimits,
    stream: false,
    cancellation: undefined,
    toFailure(trouble) {
      const failure = new Failure({
        origin: "transport",
        status: 502,
        type: "provider_error",
        message: trouble.message,
      });
      troubles.set(failure, trouble);
      return failure;
    },
    maxBodyBytes: 32 * 1024 * 1024,
    ...changes,
  };
}

/** The rest of the body, one character per byte. */
export async function textOf(body: UpstreamBody): Promise<string> {
  let text = "";
  for (;;) {
    const bytes = await body.read();
    if (bytes === undefined) return text;
    text += Buffer.from(bytes).toString("latin1");
  }
}

/** What it rejects with, as the client described it. */
export async function troubleOf(work: Promise<unknown>): Promise<HttpTrouble> {
  try {
    await work;
  } catch (error) {
    const trouble = typeof error === "object" && error !== null ? troubles.get(error) : undefined;
    if (trouble === undefined) throw error;
    return trouble;
  }
  throw new Error("nothing went wrong");
}

/** Waits for something that comes about over sockets; gives up loudly after five seconds. */
export async function eventually(condition: () => boolean, what: string): Promise<void> {
  const giveUpAt = performance.now() + 5000;
  while (!condition()) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain for: ${what}`);
    await Bun.sleep(1);
  }
}
