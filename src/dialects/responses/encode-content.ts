// The content parts of the hub, as Responses items hold them.

import type { ContentPart, FilePart, ImagePart, MediaSource } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { dataUrl, filenameOf } from "./media-source.ts";

/** Throws a 400 for a part that only another dialect has, and for a file that lies elsewhere. */
export function encodeContentPart(part: ContentPart, target: TranslationTarget): object {
  switch (part.kind) {
    case "text":
      return { ...part.unknown, type: "input_text", text: part.text };
    case "image":
      return encodeImage(part, target);
    case "file":
      return encodeFile(part, target);
    case "audio":
      return { ...part.unknown, type: "input_audio", input_audio: { data: part.data, format: part.format } };
    case "opaque":
      throw foreignPart(part.type, target);
  }
}

/** The `output` of a tool's result: a text where that says it all. */
export function encodeToolOutput(parts: readonly ContentPart[], target: TranslationTarget): string | readonly object[] {
  const kept = target.accepts.mediaInToolResults ? parts : parts.filter(({ kind }) => kind === "text");
  if (kept.length < parts.length) target.dropped("images and files in tool results");
  if (kept.length === 0) return "";
  const [first] = kept;
  if (kept.length === 1 && first?.kind === "text" && first.unknown === undefined) return first.text;
  return kept.map((part) => encodeContentPart(part, target));
}

export function foreignPart(type: string, target: TranslationTarget): Error {
  return invalidRequest(
    `\`${type}\` is not supported by provider ${target.providerName}: remove that block from the messages`,
    { param: "messages" },
  );
}

function encodeImage(part: ImagePart, target: TranslationTarget): object {
  const detail = part.detail === undefined ? {} : { detail: part.detail };
  return { ...part.unknown, type: "input_image", ...imageSource(part.source, target), ...detail };
}

function imageSource(source: MediaSource, target: TranslationTarget): object {
  switch (source.from) {
    case "url":
      return { image_url: source.url };
    case "data":
      return { image_url: dataUrl(source.mediaType, source.data) };
    case "file-id":
      return { file_id: ownFileId(source, target) };
    case "text":
      throw foreignPart("an image that is text", target);
  }
}

/** https://developers.openai.com/api/docs/guides/file-inputs. A document that is text is sent as text. */
function encodeFile(part: FilePart, target: TranslationTarget): object {
  const { source, filename, unknown } = part;
  switch (source.from) {
    case "data": {
      const file = { filename: filenameOf(part, source.mediaType), file_data: dataUrl(source.mediaType, source.data) };
      return { ...unknown, type: "input_file", ...file };
    }
    case "url":
      return { ...unknown, type: "input_file", file_url: source.url, ...(filename === undefined ? {} : { filename }) };
    case "file-id":
      return { ...unknown, type: "input_file", file_id: ownFileId(source, target) };
    case "text":
      return { ...unknown, type: "input_text", text: source.text };
  }
}

/** A file cannot be left out as if it were state: it is part of what the caller says. */
function ownFileId(source: { readonly id: string; readonly issuer: string }, target: TranslationTarget): string {
  if (source.issuer === target.issuer) return source.id;
  throw invalidRequest(
    `\`file_id\` is not supported by provider ${target.providerName}: the file ${source.id} is stored at ${source.issuer}; send its data or a URL`,
    { param: "file_id" },
  );
}
