// Sends one chat completion as a caller would, and keeps what that caller saw.

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

export async function ask({ url, model, mode, choices, patienceMs, clock }: Asking): Promise<Seen> {
  const abort = new AbortController();
  const begun = clock.now();
  const cancelTimer = clock.schedule(patienceMs, () => abort.abort());
  let status: number | undefined;
  let headers: Headers | undefined;
  let body = "";
  let trouble: string | undefined;
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model,
        messages: [{ role: "user", content: "Hello" }],
        ...(mode === "stream" ? { stream: true } : {}),
        ...(choices === 1 ? {} : { n: choices }),
      }),
      // The next instance may get the same port.
      keepalive: false,
      signal: abort.signal,
    });
    ({ status, headers } = response);
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    for await (const bytes of response.body ?? []) body += decoder.decode(bytes, { stream: true });
    body += decoder.decode();
  } catch (error) {
    if (!abort.signal.aborted) trouble = error instanceof Error ? error.message : String(error);
  }
  cancelTimer();
  return { status, headers, body, ms: clock.now() - begun, left: abort.signal.aborted, trouble };
}
