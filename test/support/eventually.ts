// Waits for something that another part of the process, or another process, brings about.

/** Resolves with the first defined and not false value of `look`; rejects after `limitMs` (5 s), naming `what`. */
export async function eventually<Value>(
  what: string,
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
  limitMs = 5000,
): Promise<Value> {
  const until = performance.now() + limitMs;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > until) throw new Error(`not within ${limitMs} ms: ${what}`);
    await Bun.sleep(2);
  }
}
