// Owns the socket to a proxy: talks until the tunnel is open, then puts the upstream's wire on top of it.

import { BadMessage } from "../../http1/bad-message.ts";
import { NestedTls } from "./nested-tls.ts";
import { tlsHandlers } from "./socket-handlers.ts";
import type { Tunnel } from "./tunnel.ts";
import type { Wire, WireOwner, WireTrouble } from "./wire.ts";

export interface ProxiedOptions {
  readonly tunnel: Tunnel;
  readonly proxyUsesTls: boolean;
  /** Undefined: the upstream is plain. */
  readonly targetTls: Bun.TLSOptions | undefined;
}

export class ProxiedSocket implements WireOwner {
  readonly #options: ProxiedOptions;
  readonly #owner: WireOwner;
  #wire: Wire | undefined;
  /** Who gets the events of the socket once the tunnel is open. */
  #inside: WireOwner | undefined;
  #over = false;

  constructor(options: ProxiedOptions, owner: WireOwner) {
    this.#options = options;
    this.#owner = owner;
  }

  wireConnected(wire: Wire): void {
    this.#wire = wire;
    this.#owner.wireConnected(wire);
  }

  wireReady(wire: Wire): void {
    this.#wire = wire;
    this.#say(this.#options.tunnel.begin());
  }

  wireData(bytes: Uint8Array): void {
    if (this.#inside !== undefined) return this.#inside.wireData(bytes);
    if (this.#over) return;
    try {
      const next = this.#options.tunnel.push(bytes);
      if (next === "open") this.#open();
      else if (next !== undefined) this.#say(next);
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      this.#refuse(error);
    }
  }

  wireDrained(): void {
    this.#inside?.wireDrained();
  }

  wireEnded(): void {
    if (this.#inside !== undefined) this.#inside.wireEnded();
    else this.#refuse({ message: "the proxy closed the connection", code: "proxy_refused" });
  }

  wireClosed(code: string | undefined): void {
    if (this.#inside !== undefined) this.#inside.wireClosed(code);
    else this.#refuse({ message: "the proxy closed the connection", code: code ?? "proxy_refused" });
  }

  wireRefused(trouble: WireTrouble): void {
    this.#refuse({ message: `proxy: ${trouble.message}`, code: trouble.code });
  }

  #say(bytes: Uint8Array): void {
    // A few hundred bytes into an empty socket.
    if (this.#wire?.write(bytes, 0, bytes.length) === bytes.length) return;
    this.#refuse({ message: "the proxy does not read", code: "proxy_refused" });
  }

  #open(): void {
    const { proxyUsesTls, targetTls } = this.#options;
    const wire = this.#wire;
    if (wire === undefined) return;
    if (targetTls === undefined) {
      this.#inside = this.#owner;
      this.#owner.wireReady(wire);
    } else if (proxyUsesTls) {
      this.#inside = new NestedTls(wire, targetTls, this.#owner);
    } else {
      // The runtime goes on showing us the encrypted bytes; the TLS socket tells the owner everything.
      this.#inside = nobody;
      wire.upgradeTLS?.({ data: this.#owner, tls: targetTls, socket: tlsHandlers });
    }
  }

  #refuse(trouble: WireTrouble): void {
    if (this.#over) return;
    this.#over = true;
    this.#owner.wireRefused(trouble);
  }
}

const nobody: WireOwner = {
  wireConnected() {},
  wireReady() {},
  wireData() {},
  wireDrained() {},
  wireEnded() {},
  wireClosed() {},
  wireRefused() {},
};
