// What the simulator remembers of one request.

import { headerLines, type RawRequest } from "./http-request-reader.ts";

/** Times are on the simulator's clock, monotonic milliseconds. Changes while the call goes on. */
export interface SimulatorCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case; the last one of a name wins. */
  readonly headers: Readonly<Record<string, string>>;
  /** As sent, in order. */
  readonly rawHeaders: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** From the body or, for Gemini, from the path. Undefined when neither names one, as in a listing. */
  readonly model: string | undefined;
  readonly stream: boolean;
  readonly connectionId: number;
  /** The request was whole. */
  readonly startedAt: number;
  /** The last step of the answer was done; undefined while it goes on and for one that never ends. */
  readonly answeredAt: number | undefined;
  /** The peer closed its connection while this call was the latest on it. */
  readonly closedByPeerAt: number | undefined;
  /** Bytes of the answer that the kernel took. */
  readonly bytesWritten: number;
}

/** Headers are parsed when they are looked at. */
export class RecordedCall implements SimulatorCall {
  readonly #request: RawRequest;
  readonly model: string | undefined;
  readonly stream: boolean;
  readonly connectionId: number;
  readonly startedAt: number;
  answeredAt: number | undefined;
  closedByPeerAt: number | undefined;
  bytesWritten = 0;

  constructor(
    request: RawRequest,
    model: string | undefined,
    stream: boolean,
    connectionId: number,
    startedAt: number,
  ) {
    this.#request = request;
    this.model = model;
    this.stream = stream;
    this.connectionId = connectionId;
    this.startedAt = startedAt;
  }

  get method(): string {
    return this.#request.method;
  }

  get path(): string {
    return this.#request.target;
  }

  get rawHeaders(): readonly (readonly [name: string, value: string])[] {
    return headerLines(this.#request.head);
  }

  get headers(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.rawHeaders.map(([name, value]) => [name.toLowerCase(), value]));
  }

  get body(): Uint8Array {
    return this.#request.body;
  }
}
