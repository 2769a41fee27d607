// What is said to a proxy until it lets bytes through, without the socket it is said on.

/** One per connection. */
export interface Tunnel {
  /** The first bytes for the proxy. */
  begin(): Uint8Array;
  /**
   * Takes what the proxy said: gives what to say next, `open` once the upstream is at the other end, undefined to wait for more.
   * Throws `BadMessage` when the proxy refuses or speaks nonsense.
   */
  push(bytes: Uint8Array): Uint8Array | "open" | undefined;
}
