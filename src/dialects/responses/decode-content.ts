// The content parts of Responses items, to the hub's.

import type { ContentPart, MediaSource, TextPart } from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { Members } from "../json/members.ts";
import { decodeAnnotations } from "./annotations.ts";
import { mediaTypeOfName, sourceOfUrl } from "./media-source.ts";

/** What one part of a list can be; a refusal is for assistants only. */
export type DecodedPart = ContentPart | { readonly kind: "refusal"; readonly text: string };

/** `undefined`: it is no part that the dialect knows, or a text without a word in it (behaviour 4.4). */
export function decodePart(part: Members): DecodedPart | undefined {
  const type = part.text("type");
  part.value("prompt_cache_breakpoint");
  switch (type) {
    case "input_text":
    case "output_text":
    case "text":
      return decodeText(part);
    case "refusal":
      return decodeRefusal(part);
    case "input_image":
    case "image_url":
      return decodeImage(part);
    case "input_file":
      return decodeFile(part);
    case "input_audio":
      return decodeAudio(part);
    case undefined:
    default:
      return undefined;
  }
}

function decodeText(part: Members): TextPart | undefined {
  const text = part.value("text");
  if (typeof text !== "string" || text === "") return undefined;
  const annotations = decodeAnnotations(part.list("annotations") ?? []);
  const logprobs = part.list("logprobs") ?? [];
  // OpenAI's SDK adds it to texts that it returns (https://github.com/openai/openai-node/blob/master/helpers.md); it says nothing new.
  part.value("parsed");
  return {
    kind: "text",
    text,
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(logprobs.length === 0 ? {} : { logprobs }),
    ...unknownOf(part),
  };
}

function decodeRefusal(part: Members): DecodedPart | undefined {
  const text = part.value("refusal");
  return typeof text === "string" ? { kind: "refusal", text, ...unknownOf(part) } : undefined;
}

function decodeImage(part: Members): ContentPart | undefined {
  // The second form is that of chat completions, which behaviour 4.4 takes, too.
  const url = part.value("image_url");
  const nested = isJsonObject(url) ? url : undefined;
  const source = sourceOf(nested === undefined ? url : nested.url, part.value("file_id"));
  const detail = part.text("detail") ?? nested?.detail;
  if (source === undefined) return undefined;
  return { kind: "image", source, ...(typeof detail === "string" ? { detail } : {}), ...unknownOf(part) };
}

/** https://developers.openai.com/api/docs/guides/file-inputs: `file_data`, `file_url` or `file_id`. */
function decodeFile(part: Members): ContentPart | undefined {
  const filename = part.text("filename");
  const data = part.text("file_data");
  const source =
    data === undefined ? sourceOf(part.value("file_url"), part.value("file_id")) : fileData(data, filename);
  part.value("file_url");
  part.value("file_id");
  part.value("detail");
  if (source === undefined) return undefined;
  return { kind: "file", source, ...(filename === undefined ? {} : { filename }), ...unknownOf(part) };
}

function fileData(data: string, filename: string | undefined): MediaSource {
  if (data.startsWith("data:")) return sourceOfUrl(data);
  return { from: "data", mediaType: mediaTypeOfName(filename), data };
}

function decodeAudio(part: Members): ContentPart | undefined {
  const audio = part.value("input_audio");
  if (!isJsonObject(audio)) return undefined;
  const { data, format } = audio;
  if (typeof data !== "string" || data === "" || typeof format !== "string" || format === "") return undefined;
  return { kind: "audio", data, format, ...unknownOf(part) };
}

function sourceOf(url: unknown, fileId: unknown): MediaSource | undefined {
  if (typeof url === "string" && url !== "") return sourceOfUrl(url);
  if (typeof fileId === "string" && fileId !== "") return { from: "file-id", id: fileId, issuer: "openai" };
  return undefined;
}

function unknownOf(part: Members) {
  const unknown = part.unknown();
  return unknown === undefined ? {} : { unknown };
}
