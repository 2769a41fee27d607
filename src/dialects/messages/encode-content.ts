// Parts of the hub as content blocks that a provider takes from the user, the system or a tool.

import { Buffer } from "node:buffer";
import type { ContentPart, FilePart, ImagePart, MediaSource, OpaquePart, TextPart } from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { isJsonObject, type JsonObject } from "../json/is-json-object.ts";
import { encodeCitations } from "./citations.ts";
import { refuse } from "./refuse.ts";

/** Undefined for text without anything in it, which Anthropic refuses. */
function encodeContentPart(part: ContentPart, target: TranslationTarget): JsonObject | undefined {
  switch (part.kind) {
    case "text":
      return encodeText(part);
    case "image":
      return encodeImage(part, target);
    case "file":
      return encodeFile(part, target);
    case "audio":
      throw refuse("messages[].content[].input_audio", target, "send the words as text");
    case "opaque":
      if (part.dialect === "messages") return opaqueBlock(part);
      throw refuse(`messages[].content[].${part.type}`, target, "leave it out or call a provider that knows it");
  }
}

export function encodeContentParts(parts: readonly ContentPart[], target: TranslationTarget): JsonObject[] {
  return parts.map((part) => encodeContentPart(part, target)).filter((block) => block !== undefined);
}

export function encodeText(part: TextPart): JsonObject | undefined {
  if (part.text.trim() === "") return undefined;
  const { text, cacheControl, annotations, unknown } = part;
  return { ...unknown, type: "text", text, citations: encodeCitations(annotations), cache_control: cacheControl };
}

/** One plain text needs no list around it. */
export function contentOf(blocks: readonly JsonObject[]): unknown {
  const [only] = blocks;
  if (blocks.length !== 1 || only === undefined) return blocks;
  return isPlainText(only) ? only.text : blocks;
}

export function isPlainText(block: JsonObject): boolean {
  if (block.type !== "text") return false;
  for (const key in block) if (key !== "type" && key !== "text" && block[key] !== undefined) return false;
  return true;
}

/** A block of this dialect, as it came. */
export function opaqueBlock(part: OpaquePart): JsonObject {
  return isJsonObject(part.value) ? part.value : { type: part.type };
}

function encodeImage(part: ImagePart, target: TranslationTarget): JsonObject {
  if (part.detail !== undefined) target.dropped("image_url.detail");
  if (part.source.from === "text")
    throw refuse("messages[].content[].image_url", target, "send the image itself or its URL");
  const source = encodeSource(part.source, target);
  return { ...part.unknown, type: "image", source, cache_control: part.cacheControl };
}

/** https://platform.claude.com/docs/en/build-with-claude/pdf-support: a document is a PDF or plain text; images sent as files are images. */
function encodeFile(part: FilePart, target: TranslationTarget): JsonObject {
  const { source, title, filename, cacheControl, unknown } = part;
  const document = (encoded: JsonObject): JsonObject => ({
    ...unknown,
    type: "document",
    source: encoded,
    title: title ?? filename,
    cache_control: cacheControl,
  });
  if (source.from === "text") return document(plainText(source.text));
  if (source.from !== "data") return document(encodeSource(source, target));
  const mediaType = source.mediaType.toLowerCase();
  if (mediaType.startsWith("image/")) {
    return { ...unknown, type: "image", source: encodeSource(source, target), cache_control: cacheControl };
  }
  if (mediaType === "application/pdf") return document(encodeSource(source, target));
  if (mediaType.startsWith("text/") || mediaType === "application/json") {
    return document(plainText(Buffer.from(source.data, "base64").toString()));
  }
  throw refuse("messages[].content[].file", target, `send a PDF, an image or text instead of ${source.mediaType}`);
}

function plainText(data: string): JsonObject {
  return { type: "text", media_type: "text/plain", data };
}

function encodeSource(source: Exclude<MediaSource, { readonly from: "text" }>, target: TranslationTarget): JsonObject {
  switch (source.from) {
    case "data":
      return { type: "base64", media_type: source.mediaType, data: source.data };
    case "url":
      return { type: "url", url: source.url };
    case "file-id":
      if (source.issuer === target.issuer) return { type: "file", file_id: source.id };
      throw refuse("messages[].content[].file_id", target, `it is stored at ${source.issuer}: send the content itself`);
  }
}
