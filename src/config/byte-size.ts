// Sizes in bytes as operators write them: `10M`, `512KB`, `1G`.

import type { Reading } from "./reading.ts";

const sizePattern = /^(\d+)([KMG])?B?$/i;
const bytesPerUnit: Readonly<Record<string, number>> = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** Bytes in `text`, units of 1024, inclusive bounds in bytes (behaviour 5.2). */
export function readByteSize(
  text: string,
  bounds: { readonly min: number; readonly max: number; readonly allowed: string },
): Reading<number> {
  const match = sizePattern.exec(text);
  if (match === null) return { complaint: `is not a size; write a number of bytes with K, M or G, for example 10M` };
  const bytes = Number(match[1]) * (bytesPerUnit[(match[2] ?? "").toUpperCase()] ?? 1);
  return bytes < bounds.min || bytes > bounds.max
    ? { complaint: `is out of bounds; ${bounds.allowed}` }
    : { value: bytes };
}
