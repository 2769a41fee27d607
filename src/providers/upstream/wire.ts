// An open pipe for bytes, whatever it runs over, and who is told what happens on it.

/** TCP or TLS, straight or through a proxy. Sockets of the runtime have this shape as they are. */
export interface Wire {
  /** Takes as many bytes as fit and says how many; below 0 when the wire is closed. What did not fit is sent again after `wireDrained`. */
  write(bytes: Uint8Array, offset: number, length: number): number;
  /** No `wireData` until `resume`; the sender is blocked once the kernel's buffers are full. */
  pause(): void;
  resume(): void;
  /** Closes politely. */
  end(): void;
  /** Closes at once and so that the other side cannot miss it (a reset). */
  terminate(): void;
  /** Puts TLS on top and tells everything to a new owner. Plain sockets of the runtime only. */
  upgradeTLS?(options: Bun.TLSUpgradeOptions<WireOwner>): unknown;
}

/** What went wrong below or in HTTP, in words without addresses and secrets. */
export interface WireTrouble {
  readonly message: string;
  readonly code: string;
}

/** Told about one wire, in this order: connected, ready, then data, drains and the end in any order, closed. */
export interface WireOwner {
  /** Something can be closed from now on, nothing may be written yet. Called again when TLS or a tunnel replaces what there was. */
  wireConnected(wire: Wire): void;
  /** Bytes may be written. */
  wireReady(wire: Wire): void;
  /** The bytes belong to the receiver. */
  wireData(bytes: Uint8Array): void;
  wireDrained(): void;
  /** The other side sends nothing more. */
  wireEnded(): void;
  /** The last call; without a code it was closed in an orderly way. */
  wireClosed(code: string | undefined): void;
  /** Never became ready: refused, unknown name, bad certificate, a proxy that says no. */
  wireRefused(trouble: WireTrouble): void;
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EPIPE: "connection reset",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "host name could not be looked up",
  ETIMEDOUT: "the network gave up connecting",
  EHOSTUNREACH: "host not reachable",
  ENETUNREACH: "network not reachable",
  ECONNABORTED: "connection aborted",
  EMFILE: "too many open files",
  CERT_HAS_EXPIRED: "the TLS certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the TLS certificate is for another host name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the TLS certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the TLS certificate is signed by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the TLS certificate is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the TLS certificate is signed by an unknown authority",
};

/** The code of an error of the runtime; its message is not used, for it may name hosts. */
export function errorCode(error: unknown, fallback: string): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : fallback;
}

/** The words for a code of the runtime. */
export function troubleOf(code: string, otherwise: string): WireTrouble {
  return { message: Object.hasOwn(words, code) ? (words[code] ?? otherwise) : `${otherwise} (${code})`, code };
}
