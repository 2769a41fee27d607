// How many tokens images, documents and sound are, by what they show of themselves.

import { Buffer } from "node:buffer";
import type { AudioPart, FilePart, ImagePart } from "../../core/chat-request.ts";
import { imageSize } from "./image-size.ts";
import { textTokens } from "./text-tokens.ts";

/** Pixels along an edge, and the most that an image can cost (https://platform.claude.com/docs/en/build-with-claude/vision). */
const patchEdge = 28;
const longestEdge = 1568;
const maxImageTokens = 1568;
/** https://platform.openai.com/docs/guides/images-vision: `detail: low` has one price. */
const lowDetailTokens = 85;

/** Every patch of 28 by 28 pixels is a token; larger images are scaled down first. One whose size cannot be known costs the most. */
export function imageTokens({ source, detail }: ImagePart): number {
  if (detail === "low") return lowDetailTokens;
  const data = source.from === "data" ? source.data : source.from === "url" ? dataOfUrl(source.url) : undefined;
  const size = data === undefined ? undefined : imageSize(data);
  return size === undefined ? maxImageTokens : tokensOfSize(size.width, size.height);
}

function tokensOfSize(width: number, height: number): number {
  const shrunk = Math.min(1, longestEdge / Math.max(width, height));
  const tokens = Math.ceil((width * shrunk) / patchEdge) * Math.ceil((height * shrunk) / patchEdge);
  return Math.min(tokens, maxImageTokens);
}

/** 1500 to 3000 for the text of a page and its picture (https://platform.claude.com/docs/en/build-with-claude/pdf-support). */
const pageTokens = 2250;
/** What a page of a PDF takes when its pages cannot be counted, in bytes. */
const pageBytes = 60_000;
const maxPages = 600;
/** Pages are counted in so many characters of base64; a longer file is taken to go on like that. */
const countsIn = 8_000_000;

/** Texts as what they say, everything else by pages. A file that is somewhere else counts as one page: nothing is known of it. */
export function fileTokens({ source, filename, title }: FilePart): number {
  const named = textTokens(`${title ?? filename ?? ""}`);
  switch (source.from) {
    case "text":
      return named + textTokens(source.text);
    case "data":
      return named + (isText(source.mediaType) ? textTokens(decoded(source.data)) : pagesOf(source.data) * pageTokens);
    case "url":
    case "file-id":
      return named + pageTokens;
  }
}

function isText(mediaType: string): boolean {
  return /^(?:text\/|application\/(?:json|xml|yaml))/i.test(mediaType);
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}

/** Pages say so themselves, unless they are compressed; then a file made for the web tells their number, and any other its size. */
function pagesOf(base64: string): number {
  const looked = base64.length > countsIn ? base64.slice(0, countsIn) : base64;
  const text = Buffer.from(looked, "base64").toString("latin1");
  const linearized = /\/Linearized\b[^>]{0,500}\/N\s+(\d{1,6})/.exec(text.slice(0, 2048))?.[1];
  const found = linearized === undefined ? (text.match(/\/Type\s{0,8}\/Page(?![A-Za-z])/g)?.length ?? 0) : 0;
  const pages =
    linearized === undefined
      ? found === 0
        ? Buffer.byteLength(base64, "base64") / pageBytes
        : (found * base64.length) / looked.length
      : Number(linearized);
  return Math.min(maxPages, Math.max(1, Math.ceil(pages)));
}

/** A token for 100 ms (https://platform.openai.com/docs/guides/realtime-costs) at the usual rates: 24 kHz of 16 bits, 128 kbit/s. */
const tokensPerSecond = 10;
const bytesPerSecond = { wav: 48_000, compressed: 16_000 };

/** By its length. */
export function audioTokens({ data, format }: Pick<AudioPart, "data" | "format">): number {
  const rate = /^(?:wav|pcm16)$/i.test(format) ? bytesPerSecond.wav : bytesPerSecond.compressed;
  return Math.ceil((Buffer.byteLength(data, "base64") / rate) * tokensPerSecond);
}

function dataOfUrl(url: string): string | undefined {
  return url.startsWith("data:") ? url.slice(url.indexOf(",") + 1) : undefined;
}
