// A port that refuses connections.

/** A port of 127.0.0.1 that was free a moment ago and that nobody listens on. */
export function refusedPort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
