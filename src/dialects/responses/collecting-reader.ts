// Reads a stream and gives the response object that it told, for a caller who asked a provider that only streams for one piece.

import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import { oversizedAnswer } from "../answers/unusable-answer.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { parseObject } from "../sse/event-data.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { kindInBytes, kindOfType } from "./event-type.ts";
import { ResponseSoFar } from "./response-so-far.ts";
import { createResponsesStreamReader } from "./stream-reader.ts";
import type { ResponsesStreamOptions } from "./stream-reader.ts";

/** As of a buffered answer (decisions 11). */
const maxAnswerBytes = 32 * 1024 * 1024;

const encoder = new TextEncoder();

/** What breaks the stream is the failure of the whole answer: nothing has been given before its terminal. */
export function createCollectingReader(options: ResponsesStreamOptions): AnswerReader {
  return new CollectingReader(options);
}

class CollectingReader implements AnswerReader {
  readonly contentType = "application/json";
  readonly #providerName: string;
  readonly #stream: AnswerReader;
  readonly #scanner = new EventScanner();
  readonly #response = new ResponseSoFar();
  #last: JsonObject | undefined;
  #length = 0;
  #isOver = false;

  constructor(options: ResponsesStreamOptions) {
    this.#providerName = options.providerName;
    this.#stream = createResponsesStreamReader(options);
  }

  push(bytes: Uint8Array): ReadStep {
    this.#length += bytes.length;
    if (this.#length > maxAnswerBytes) return stepWith({ failure: oversizedAnswer(this.#providerName) });
    return this.#collect(this.#stream.push(bytes));
  }

  end(): ReadStep {
    return this.#collect(this.#stream.end());
  }

  facts(): AnswerFacts {
    return this.#stream.facts();
  }

  #collect({ relay, complete, failure }: ReadStep): ReadStep {
    if (failure !== undefined) return stepWith({ failure });
    if (relay !== undefined) this.#readEvents(relay);
    if (!complete) return stepWith({});
    const body = this.#isOver ? undefined : encoder.encode(JSON.stringify(this.#whole()));
    this.#isOver = true;
    return stepWith({ body });
  }

  /** Only whole events are relayed. */
  #readEvents(relay: Uint8Array): void {
    const bytes = this.#scanner.push(relay);
    while (this.#scanner.next()) {
      const { dataLines, dataStart, dataEnd } = this.#scanner;
      if (dataLines === 0) continue;
      const data = dataLines === 1 ? bytes.subarray(dataStart, dataEnd) : this.#scanner.data();
      if (kindInBytes(data, 0, data.length) === "other") continue;
      const event = parseObject(data);
      const kind = typeof event?.type === "string" ? kindOfType(event.type) : "other";
      if (kind === "status") this.#response.sawStatus(data);
      if (kind === "item-done") this.#response.sawItem(data);
      if (kind === "terminal") this.#last = event;
    }
  }

  /** The terminal's own response; the items that came one by one where it leaves them out, as that of ChatGPT does. */
  #whole(): JsonObject {
    const soFar = this.#response.object();
    const last = isJsonObject(this.#last?.response) ? this.#last.response : {};
    const isTold = Array.isArray(last.output) && last.output.length > 0;
    return { ...soFar, ...last, output: isTold ? last.output : this.#response.items() };
  }
}

function stepWith({
  body,
  failure,
}: Partial<{ body: Uint8Array | undefined; failure: ReadStep["failure"] }>): ReadStep {
  const complete = body !== undefined;
  return { relay: body, events: complete ? 1 : 0, finished: complete, complete, failure, inBand: false };
}
