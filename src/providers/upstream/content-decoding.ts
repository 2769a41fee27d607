// Takes gzip, deflate and brotli off a body that came encoded although it was not asked for.

import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { Failure } from "../../core/failure.ts";
import type { UpstreamBody } from "../../core/provider.ts";
import { ArrivedBytes } from "./arrived-bytes.ts";

/** Some servers send bare deflate data; a zlib header has 8 in its low four bits (RFC 1950). */
const decoders: Readonly<Record<string, (firstByte: number) => Transform>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
};

/** Fed at once: bounds what one step can expand to before the cap is looked at. */
const pieceBytes = 16 * 1024;

/**
 * `body` itself when it is not encoded, undefined when nobody here can decode it (zstd, several codings on top of each other). What is
 * decoded is handed out as it comes; more than `maxBytes` of it is a failure made by `fail`, as is data that cannot be decoded.
 */
export function decodedBody(
  encoding: string,
  body: UpstreamBody,
  maxBytes: number,
  fail: (message: string, code: string) => Failure,
): UpstreamBody | undefined {
  if (encoding === "" || encoding === "identity") return body;
  const create = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  return create === undefined ? undefined : new DecodedBody(body, create, maxBytes, fail);
}

class DecodedBody implements UpstreamBody {
  readonly #encoded: UpstreamBody;
  readonly #create: (firstByte: number) => Transform;
  readonly #maxBytes: number;
  readonly #fail: (message: string, code: string) => Failure;
  readonly #decoded = new ArrivedBytes();
  #decoder: Transform | undefined;
  #input: Uint8Array = new Uint8Array(0);
  #total = 0;
  #failure: Failure | undefined;
  #over = false;
  #wake: () => void = () => {};

  constructor(
    encoded: UpstreamBody,
    create: (firstByte: number) => Transform,
    maxBytes: number,
    fail: (message: string, code: string) => Failure,
  ) {
    this.#encoded = encoded;
    this.#create = create;
    this.#maxBytes = maxBytes;
    this.#fail = fail;
  }

  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#decoded.length > 0) return this.#decoded.take();
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#over) return undefined;
      await this.#step();
    }
  }

  started(): void {
    this.#encoded.started();
  }

  cancel(): void {
    this.#over = true;
    this.#failure = undefined;
    this.#decoded.clear();
    this.#stop();
  }

  async #step(): Promise<void> {
    if (this.#input.length === 0) {
      const bytes = await this.#encoded.read();
      if (this.#over) return;
      if (bytes === undefined) return this.#finish();
      this.#input = bytes;
    }
    const piece = this.#input.subarray(0, pieceBytes);
    this.#input = this.#input.subarray(pieceBytes);
    const decoder = (this.#decoder ??= this.#open(piece[0] ?? 0));
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      decoder.write(piece, () => resolve());
    });
  }

  #open(firstByte: number): Transform {
    const decoder = this.#create(firstByte);
    decoder.on("data", (bytes: Uint8Array) => {
      this.#total += bytes.length;
      if (this.#total <= this.#maxBytes) this.#decoded.add(bytes);
      else this.#break(`the decoded body is larger than ${this.#maxBytes} bytes`, "body_too_large");
    });
    decoder.on("error", () => this.#break("the body cannot be decoded", "content_encoding"));
    return decoder;
  }

  /** The encoded body is whole; the decoder says whether that is the end for it too. */
  async #finish(): Promise<void> {
    const decoder = this.#decoder;
    if (decoder !== undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        decoder.once("end", resolve);
        decoder.end();
      });
    }
    this.#over = true;
  }

  #break(message: string, code: string): void {
    if (this.#over || this.#failure !== undefined) return;
    this.#failure = this.#fail(message, code);
    this.#stop();
  }

  #stop(): void {
    this.#decoder?.destroy();
    this.#encoded.cancel();
    this.#wake();
  }
}
