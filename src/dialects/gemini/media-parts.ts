// Images, files and audio as parts with their bytes inside; Gemini loads nothing from elsewhere for us (behaviour 4.5).

import { Buffer } from "node:buffer";
import type { AudioPart, ChatRequest, FilePart, ImagePart } from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { fieldNames, unsupported } from "./caller-fields.ts";

/** `text/*`, PDF, JSON and media: https://ai.google.dev/gemini-api/docs/document-processing and its neighbours. */
const takenTypes = /^(?:(?:text|image|audio|video)\/.+|application\/(?:pdf|json))$/i;

const dataUrl = /^data:([^;,]*)((?:;[^;,]*)*),/;

/** Throws a 400 for an image that is not in the request. */
export function imagePart(part: ImagePart, request: ChatRequest, target: TranslationTarget): JsonObject {
  if (part.detail !== undefined && part.detail !== "auto") target.dropped("detail");
  const { source } = part;
  const names = fieldNames(request);
  switch (source.from) {
    case "data":
      return inlineData(source.mediaType || "image/png", source.data);
    case "url":
      return (
        inlined(source.url) ??
        refuse(names.imageUrl, target, "remote images are not loaded, send the image inline as base64 data")
      );
    case "file-id":
      return refuse("file_id", target, "the file is stored at another provider, send the image inline as base64 data");
    case "text":
      return { text: source.text };
  }
}

/** Throws a 400 for a document that is not in the request, or of a type that Gemini does not read. */
export function filePart(part: FilePart, request: ChatRequest, target: TranslationTarget): JsonObject {
  const { source } = part;
  const names = fieldNames(request);
  switch (source.from) {
    case "data":
      return documentPart(source.mediaType, source.data, names.fileData, target);
    case "url": {
      const [prefix = "", mediaType = ""] = dataUrl.exec(source.url) ?? [];
      if (prefix === "") {
        return refuse(
          names.fileUrl,
          target,
          "remote documents are not loaded, send the document inline as base64 data",
        );
      }
      return documentPart(mediaType, source.url.slice(prefix.length), names.fileData, target);
    }
    case "file-id":
      return refuse("file_id", target, "the file is stored at another provider, send it inline as base64 data");
    case "text":
      return { text: part.title === undefined ? source.text : `${part.title}\n\n${source.text}` };
  }
}

/** `audio/wav`, `audio/mp3`, ...: https://ai.google.dev/gemini-api/docs/audio. */
export function audioPart(part: AudioPart): JsonObject {
  return inlineData(`audio/${part.format}`, part.data);
}

function documentPart(mediaType: string, data: string, field: string, target: TranslationTarget): JsonObject {
  // Clients that know only the bytes say nothing or "some bytes"; a PDF begins with `%PDF-`.
  const isVague = mediaType === "" || mediaType === "application/octet-stream";
  const type = isVague && data.startsWith("JVBERi0") ? "application/pdf" : mediaType;
  if (takenTypes.test(type)) return inlineData(type, data);
  const named = type === "" ? "a document without a media type" : `a document of type ${type}`;
  return refuse(field, target, `${named} is not read, send a PDF or text`);
}

function inlined(url: string): JsonObject | undefined {
  const [prefix = "", mediaType = "", options = ""] = dataUrl.exec(url) ?? [];
  if (prefix === "") return undefined;
  const data = url.slice(prefix.length);
  const isBase64 = options.toLowerCase().includes(";base64");
  return inlineData(
    mediaType || "image/png",
    isBase64 ? data : Buffer.from(decodeURIComponent(data)).toString("base64"),
  );
}

function inlineData(mimeType: string, data: string): JsonObject {
  return { inlineData: { mimeType, data } };
}

function refuse(field: string, target: TranslationTarget, advice: string): never {
  throw unsupported(field, target, advice);
}
