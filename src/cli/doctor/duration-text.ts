// Durations as people read them.

/** `off`, `20 ms`, `1.7 s`, `10 min`, `2 h`. */
export function durationText(ms: number): string {
  if (ms === 0) return "off";
  if (ms < 10) return `${trimmed(ms, 1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${trimmed(ms / 1000, 1)} s`;
  if (ms < 7_200_000) return `${trimmed(ms / 60_000, 1)} min`;
  return `${trimmed(ms / 3_600_000, 1)} h`;
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

/** Work on a busy machine takes this long without anybody having waited. */
const atOnceMs = 500;

/** How long callers waited, from the shortest to the longest of a group: `at once`, `7 s`, `1-7 s`. */
export function waitText(shortestMs: number, longestMs: number): string {
  const [from, to] = [rounded(shortestMs), rounded(longestMs)];
  if (from === to) return to;
  const [fromUnit, toUnit] = [from, to].map((text) => text.split(" ")[1]);
  return fromUnit === toUnit ? `${from.split(" ")[0]}-${to}` : `${from} to ${to}`;
}

export function isAtOnce(ms: number): boolean {
  return ms < atOnceMs;
}

function rounded(ms: number): string {
  if (isAtOnce(ms)) return "at once";
  return durationText(Math.round(ms / 1000) * 1000 || 1000);
}
