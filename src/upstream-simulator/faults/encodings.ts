// Compressed answers, also when nobody asked for them.

import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Asked } from "../asked.ts";
import { bothModes, faultGroup } from "../fault.ts";
import { head, lengthOf } from "../http-answer.ts";
import { rightContent } from "../right-answer.ts";
import { bytesOf, write, type Step } from "../step.ts";

function encoded(asked: Asked, encoding: string, encode: (body: string) => Uint8Array): readonly Step[] {
  const { type, body } = rightContent(asked);
  const bytes = encode(body);
  return [write(head(asked, 200, [type, ["content-encoding", encoding], lengthOf(bytes)]), bytes)];
}

let spaces: Uint8Array | undefined;

/** A gzip member of 64 MB of spaces, legal in front of JSON and an endless line in a stream. Made once, when first asked for. */
function compressedSpaces(): Uint8Array {
  return (spaces ??= gzipSync(Buffer.alloc(64 << 20, " ")));
}

export const encodingFaults = faultGroup("framing", bothModes, [
  {
    name: "gzip",
    sentence: "A right body, compressed with gzip.",
    whole: true,
    plan: (asked) => encoded(asked, "gzip", (body) => gzipSync(body)),
  },
  {
    name: "brotli",
    sentence: "A right body, compressed with brotli.",
    whole: true,
    plan: (asked) => encoded(asked, "br", (body) => brotliCompressSync(body)),
  },
  {
    name: "gzip-cut",
    sentence: "A gzip body that ends too early.",
    plan: (asked) => encoded(asked, "gzip", (body) => gzipSync(body).subarray(0, -12)),
  },
  {
    name: "gzip-junk",
    sentence: "A plain body that claims to be gzip.",
    plan: (asked) => encoded(asked, "gzip", (body) => Buffer.from(body)),
  },
  {
    name: "gzip-twice",
    sentence: "A body compressed twice.",
    plan: (asked) => encoded(asked, "gzip, gzip", (body) => gzipSync(gzipSync(body))),
  },
  {
    name: "gzip-bomb",
    sentence: "A small gzip body of more than 64 MB.",
    plan: (asked) => encoded(asked, "gzip", (body) => bytesOf(compressedSpaces(), gzipSync(body))),
  },
  {
    name: "encoding-junk",
    sentence: "A plain body under a content-encoding nobody knows.",
    plan: (asked) => encoded(asked, "zigzag", (body) => Buffer.from(body)),
  },
]);
