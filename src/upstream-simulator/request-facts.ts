// The members of a request body that decide about the answer.

/** Undefined members were absent or of another type. */
export interface RequestFacts {
  readonly model: string | undefined;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** The text of a last message from the assistant. */
  readonly prefill: string | undefined;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined when the body is not a JSON object. */
function readFacts(body: Uint8Array): RequestFacts | undefined {
  let document: unknown;
  try {
    document = JSON.parse(decoder.decode(body));
  } catch {
    return undefined;
  }
  if (!isRecord(document)) return undefined;
  const { model, stream, stream_options: options, messages } = document;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return {
    model: typeof model === "string" ? model : undefined,
    stream: stream === true,
    includeUsage: isRecord(options) && options["include_usage"] === true,
    prefill:
      isRecord(last) && last["role"] === "assistant" && typeof last["content"] === "string"
        ? last["content"]
        : undefined,
  };
}

/** Reads each body anew, unless it is the same bytes as the one before: load generators repeat theirs. */
export function createFactsReader(): (body: Uint8Array) => RequestFacts | undefined {
  let lastBody: Uint8Array | undefined;
  let lastFacts: RequestFacts | undefined;
  return (body) => {
    if (lastBody === undefined || lastBody.length !== body.length || Buffer.compare(lastBody, body) !== 0) {
      lastFacts = readFacts(body);
      lastBody = body;
    }
    return lastFacts;
  };
}
