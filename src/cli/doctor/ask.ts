// Sends one chat completion as a caller would, and keeps what that caller saw.

import { type IncomingMessage, request } from "node:http";
import type { Clock } from "../../core/clock.ts";
import type { AnswerMode } from "../../upstream-simulator/asked.ts";

export interface Asking {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly model: string;
  readonly mode: AnswerMode;
  /** Choices; more than one only where the fault is about them. */
  readonly choices: number;
  /** On `clock`: then the caller leaves. */
  readonly patienceMs: number;
  /** The gateway's own. */
  readonly clock: Clock;
}

export interface Seen {
  /** Undefined when no answer began. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly body: string;
  /** On the clock of the asking. */
  readonly ms: number;
  /** The caller's patience ran out. */
  readonly left: boolean;
  /** What the caller's client says of a connection that broke; undefined for a proper end. */
  readonly trouble: string | undefined;
}

/** Straight to the gateway: unlike `fetch`, it asks no proxy that the environment names. */
export function ask({ url, model, mode, choices, patienceMs, clock }: Asking): Promise<Seen> {
  const begun = clock.now();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let answer: IncomingMessage | undefined;
  let body = "";
  let left = false;
  return new Promise((resolve) => {
    const end = (trouble: string | undefined): void => {
      cancelTimer();
      const headers = answer === undefined ? undefined : headersOf(answer);
      resolve({ status: answer?.statusCode, headers, body, ms: clock.now() - begun, left, trouble });
    };
    const breakOff = (error: Error): void => end(left ? undefined : error.message);
    // Each instance has a port of its own: no connection is worth keeping.
    const options = { method: "POST", agent: false, headers: { "content-type": "application/json" } };
    const call = request(`${url}/v1/chat/completions`, options, (response) => {
      answer = response;
      response.on("data", (bytes: Uint8Array) => {
        body += decoder.decode(bytes, { stream: true });
      });
      response.on("error", breakOff);
      response.on("end", () => end(response.complete || left ? undefined : "the answer ended in its middle"));
    });
    call.on("error", breakOff);
    const cancelTimer = clock.schedule(patienceMs, () => {
      left = true;
      call.destroy();
      end(undefined);
    });
    call.end(
      JSON.stringify({
        model,
        messages: [{ role: "user", content: "Hello" }],
        ...(mode === "stream" ? { stream: true } : {}),
        ...(choices === 1 ? {} : { n: choices }),
      }),
    );
  });
}

function headersOf({ headers }: IncomingMessage): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) result.append(name, one);
  }
  return result;
}
