// A bounded number of callers that ask again and again until they are told to stop.

/** One request as its caller saw it. */
export interface Answer {
  /** `x-request-id`, made by the caller. */
  readonly id: string;
  readonly model: string;
  readonly stream: boolean;
  /** Milliseconds of `performance.now()`. */
  readonly sentAt: number;
  readonly endedAt: number;
  /** Undefined when the connection broke before the end of the answer. */
  readonly status: number | undefined;
  readonly text: string;
}

export interface SteadyLoad {
  /** Ids of all requests that were sent. */
  readonly sent: ReadonlySet<string>;
  /** In the order in which they ended. */
  readonly answers: readonly Answer[];
  /** Callers go on to the end of their last answer. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly url: string;
  readonly callers: number;
  /** Between two requests of a caller, milliseconds. */
  readonly pauseMs: number;
  /** Asked for in turn; each second round as a stream. */
  readonly models: readonly string[];
  /** Begins every request id. */
  readonly prefix: string;
}

export function startLoad({ url, callers, pauseMs, models, prefix }: LoadOptions): SteadyLoad {
  const sent = new Set<string>();
  const answers: Answer[] = [];
  let stopped = false;
  const ask = async (): Promise<void> => {
    const number = sent.size;
    const model = models[number % models.length] ?? "";
    const stream = Math.floor(number / models.length) % 2 === 1;
    const id = `${prefix}${number}`;
    sent.add(id);
    const sentAt = performance.now();
    let status: number | undefined;
    let text = "";
    try {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-request-id": id },
        body: JSON.stringify({ model, stream, messages: [{ role: "user", content: `Hello from ${id}` }] }),
      });
      text = await response.text();
      ({ status } = response);
    } catch {
      // The process that answers may be killed at any moment.
    }
    answers.push({ id, model, stream, sentAt, endedAt: performance.now(), status, text });
  };
  const running = Array.from({ length: callers }, async () => {
    while (!stopped) {
      await ask();
      await Bun.sleep(pauseMs);
    }
  });
  return {
    sent,
    answers,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
