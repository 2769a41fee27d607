// Content of chat messages and answers: a string, or a list of typed parts.

import { Buffer } from "node:buffer";
import { invalidRequest } from "../../core/failure.ts";
import type { AssistantPart, ContentPart, MediaSource, RefusalPart, TextPart } from "../../core/chat-request.ts";
import type { Members } from "../json/members.ts";

/** Content of everybody but the assistant. Absent and empty content have no parts. */
export function decodeContent(message: Members): readonly ContentPart[] {
  return partsIn(message).map((part) => {
    if (typeof part === "string") return { kind: "text", text: part };
    const decoded = decodePart(part);
    if (decoded.kind !== "refusal") return decoded;
    throw part.wrong("type", "a type of part that this role can have");
  });
}

/** Content of the assistant without reasoning parts, which `isReasoning` has been told of. */
export function decodeAssistantContent(
  message: Members,
  isReasoning: (part: Members, parts: AssistantPart[]) => boolean,
): AssistantPart[] {
  const parts: AssistantPart[] = [];
  for (const part of partsIn(message)) {
    if (typeof part === "string") parts.push({ kind: "text", text: part });
    else if (!isReasoning(part, parts)) {
      const decoded = decodePart(part);
      if (decoded.kind === "text" || decoded.kind === "refusal") parts.push(decoded);
      else
        parts.push({ kind: "opaque", dialect: "chat-completions", type: part.text("type") ?? "", value: part.whole() });
    }
  }
  return parts;
}

function partsIn(message: Members): readonly (string | Members)[] {
  const content = message.value("content");
  if (content === undefined || content === "") return [];
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) throw message.wrong("content", "a string or a list of parts");
  return content.every((part) => typeof part === "string") ? content : (message.objects("content") ?? []);
}

/** https://platform.openai.com/docs/api-reference/chat/create; an unknown type is kept as it is. */
function decodePart(part: Members): ContentPart | RefusalPart {
  const type = part.text("type") ?? "text";
  switch (type) {
    case "text": {
      const text = part.text("text") ?? "";
      return { kind: "text", text, ...common(part) };
    }
    case "refusal": {
      const text = part.text("refusal") ?? "";
      return { kind: "refusal", text, ...common(part) };
    }
    case "image_url": {
      // Some clients write the address itself in the place of the object.
      const image = typeof part.value("image_url") === "string" ? undefined : part.object("image_url");
      const url = image === undefined ? part.text("image_url") : image.text("url");
      if (url === undefined) throw part.wrong("image_url", "an object with the `url` of the image");
      const detail = image?.text("detail");
      return { kind: "image", source: sourceOf(url), ...(detail === undefined ? {} : { detail }), ...common(part) };
    }
    case "input_audio": {
      const audio = part.object("input_audio");
      const data = audio?.text("data");
      const format = audio?.text("format");
      if (data === undefined || format === undefined) {
        throw part.wrong("input_audio", "an object with `data` and `format`");
      }
      return { kind: "audio", data, format, ...common(part) };
    }
    case "file":
      return decodeFile(part);
  }
  return { kind: "opaque", dialect: "chat-completions", type, value: part.whole() };
}

function decodeFile(part: Members): ContentPart {
  const file = part.object("file");
  const data = file?.text("file_data");
  const url = file?.text("file_url");
  const id = file?.text("file_id");
  const filename = file?.text("filename");
  const source = data !== undefined ? fileSource(data) : url !== undefined ? sourceOf(url) : undefined;
  if (source === undefined && id === undefined) {
    throw part.wrong("file", "an object with `file_data`, `file_url` or `file_id`");
  }
  return {
    kind: "file",
    source: source ?? { from: "file-id", id: id ?? "", issuer: "openai" },
    ...(filename === undefined ? {} : { filename }),
    ...common(part),
  };
}

/** Bare base64 is a PDF: nothing else was there before data URLs were asked for. */
function fileSource(data: string): MediaSource {
  return /^(data:|https?:)/i.test(data) ? sourceOf(data) : { from: "data", mediaType: "application/pdf", data };
}

function sourceOf(url: string): MediaSource {
  const comma = url.slice(0, 5).toLowerCase() === "data:" ? url.indexOf(",") : -1;
  if (comma < 0) return { from: "url", url };
  const head = url.slice(5, comma);
  const isBase64 = /;\s*base64$/i.test(head);
  const mediaType = isBase64 ? head.slice(0, head.lastIndexOf(";")) : head;
  const body = url.slice(comma + 1);
  const data = isBase64 ? body : base64Of(body);
  return { from: "data", mediaType: mediaType === "" ? "text/plain" : mediaType, data };
}

/** Of the percent encoding that data URLs have without `;base64`. */
function base64Of(text: string): string {
  try {
    return Buffer.from(decodeURIComponent(text)).toString("base64");
  } catch {
    throw invalidRequest("a data URL has an invalid percent encoding: send the data as `;base64`", {
      param: "messages",
    });
  }
}

/** `cache_control` as LiteLLM and OpenRouter take it; `prompt_cache_breakpoint` is a hint to OpenAI alone. */
function common(part: Members): Pick<TextPart, "cacheControl" | "unknown"> {
  const cacheControl = part.value("cache_control");
  part.value("prompt_cache_breakpoint");
  const unknown = part.unknown();
  return { ...(cacheControl === undefined ? {} : { cacheControl }), ...(unknown === undefined ? {} : { unknown }) };
}
