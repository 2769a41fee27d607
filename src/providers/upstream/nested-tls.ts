// TLS to an upstream inside the TLS to a proxy, which the runtime's own sockets cannot do.

import { isIP } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { errorCode, troubleOf, type Wire, type WireOwner, type WireTrouble } from "./wire.ts";

/** Gets the bytes of the outer wire, and is a wire itself for the owner. */
export class NestedTls implements WireOwner, Wire {
  readonly #outer: Wire;
  readonly #owner: WireOwner;
  readonly #pipe: Duplex;
  readonly #socket: TLSSocket;
  #ready = false;
  #code: string | undefined;
  /** What the outer wire had no room for, and who waits for it. */
  #unwritten: { readonly bytes: Uint8Array; offset: number; readonly done: () => void } | undefined;

  constructor(outer: Wire, tls: Bun.TLSOptions, owner: WireOwner) {
    this.#outer = outer;
    this.#owner = owner;
    this.#pipe = new Duplex({
      read: () => outer.resume(),
      write: (chunk: Uint8Array, _encoding, done) => {
        this.#unwritten = { bytes: chunk, offset: 0, done };
        this.#flush();
      },
    });
    const host = tls.serverName ?? "";
    const socket = connectTls({
      socket: this.#pipe,
      host,
      rejectUnauthorized: true,
      // A server name may not be an address (RFC 6066).
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(typeof tls.ca === "string" ? { ca: tls.ca } : {}),
    });
    this.#socket = socket;
    socket.on("secureConnect", () => {
      this.#ready = true;
      owner.wireReady(this);
    });
    socket.on("data", (bytes: Uint8Array) => owner.wireData(bytes));
    socket.on("drain", () => owner.wireDrained());
    socket.on("end", () => owner.wireEnded());
    socket.on("error", (error) => this.#failed(errorCode(error, "unknown")));
    socket.on("close", () => this.#closed());
    owner.wireConnected(this);
  }

  write(bytes: Uint8Array, offset: number, length: number): number {
    if (this.#socket.destroyed) return -1;
    if (this.#socket.writableNeedDrain) return 0;
    // The stream keeps what it is given, the caller uses its bytes again.
    this.#socket.write(bytes.slice(offset, offset + length));
    return length;
  }

  pause(): void {
    this.#socket.pause();
    this.#outer.pause();
  }

  resume(): void {
    this.#socket.resume();
    this.#outer.resume();
  }

  end(): void {
    this.#socket.end();
    this.#outer.end();
  }

  terminate(): void {
    this.#socket.destroy();
    this.#outer.terminate();
  }

  wireConnected(): void {}

  wireReady(): void {}

  wireData(bytes: Uint8Array): void {
    if (!this.#pipe.push(bytes)) this.#outer.pause();
  }

  wireDrained(): void {
    this.#flush();
  }

  wireEnded(): void {
    this.#pipe.push(null);
  }

  wireClosed(code: string | undefined): void {
    this.#code ??= code;
    this.#pipe.destroy();
    this.#closed();
  }

  wireRefused(trouble: WireTrouble): void {
    this.#owner.wireRefused(trouble);
  }

  #flush(): void {
    const waiting = this.#unwritten;
    if (waiting === undefined) return;
    const left = waiting.bytes.length - waiting.offset;
    const taken = left === 0 ? 0 : this.#outer.write(waiting.bytes, waiting.offset, left);
    // A closed wire reports itself.
    if (taken < 0) return;
    waiting.offset += taken;
    if (taken < left) return;
    this.#unwritten = undefined;
    waiting.done();
  }

  #failed(code: string): void {
    this.#code ??= code;
    if (!this.#ready) this.#owner.wireRefused(troubleOf(code, "no TLS connection"));
  }

  #closed(): void {
    this.#owner.wireClosed(this.#code);
  }
}
