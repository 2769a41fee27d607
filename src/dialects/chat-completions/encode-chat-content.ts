// Content of messages for a provider that speaks chat completions.

import { Buffer } from "node:buffer";
import type { ContentPart, Dialect, FilePart, MediaSource, TextPart, UnknownMembers } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** One request for one target. */
export interface ContentContext {
  readonly target: TranslationTarget;
  /** The caller's, which decides how several texts become one. */
  readonly dialect: Dialect;
}

/** A string when there is only text: not every provider takes lists, and least of all for system and tool messages. */
export function encodeContent(parts: readonly ContentPart[], context: ContentContext): string | readonly JsonObject[] {
  const encoded = parts.map((part) => encodePart(part, context));
  return asText(encoded, context.dialect === "messages" ? "\n\n" : " ", context) ?? encoded;
}

/** Undefined: it cannot be a string. Behaviour 4.4: plain texts of Responses are joined with a space; a chat caller's parts stay apart. */
export function asText(parts: readonly JsonObject[], glue: string, { dialect }: ContentContext): string | undefined {
  if (parts.length > 1 && dialect === "chat-completions") return undefined;
  const texts = parts.map((part) => (part.type === "text" && Object.keys(part).length === 2 ? part.text : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join(glue) : undefined;
}

function encodePart(part: ContentPart, context: ContentContext): JsonObject {
  switch (part.kind) {
    case "text":
      return encodeText(part, context.target);
    case "image": {
      const url = urlOf(part.source, "image", context.target);
      return {
        ...around(part, context.target),
        type: "image_url",
        image_url: { url, ...(part.detail === undefined ? {} : { detail: part.detail }) },
      };
    }
    case "audio":
      return {
        ...around(part, context.target),
        type: "input_audio",
        input_audio: { data: part.data, format: part.format },
      };
    case "file":
      return encodeFile(part, context.target);
    case "opaque": {
      if (part.dialect === "chat-completions") return asObject(part.value);
      const { providerName } = context.target;
      throw invalidRequest(
        `\`messages\`: content of type \`${part.type}\` is not supported by provider ${providerName}: leave it out or use another model`,
        { param: "messages" },
      );
    }
  }
}

export function encodeText(part: TextPart, target: TranslationTarget): JsonObject {
  return { ...around(part, target), type: "text", text: part.text };
}

function encodeFile(part: FilePart, target: TranslationTarget): JsonObject {
  const { source } = part;
  const text = textOf(source);
  const title = part.title ?? part.filename;
  // Documents of plain text are text in a chat (behaviour 3.6).
  if (text !== undefined) {
    return { ...around(part, target), type: "text", text: title === undefined ? text : `${title}\n\n${text}` };
  }
  if (!target.accepts.files) {
    throw invalidRequest(
      `\`messages\`: files are not supported by provider ${target.providerName}: send the document as text or use another model`,
      { param: "messages" },
    );
  }
  const filename = part.filename ?? nameOfTitle(part.title, source);
  const name = filename === undefined ? {} : { filename };
  return { ...around(part, target), type: "file", file: { ...fileOf(source, name, target) } };
}

/** OpenAI tells a PDF by the end of its name, which a title need not have. */
function nameOfTitle(title: string | undefined, source: MediaSource): string | undefined {
  const isPdf = source.from === "data" && source.mediaType === "application/pdf";
  return title === undefined || !isPdf || title.toLowerCase().endsWith(".pdf") ? title : `${title}.pdf`;
}

function fileOf(source: MediaSource, name: JsonObject, target: TranslationTarget): JsonObject {
  switch (source.from) {
    case "data": {
      // OpenAI refuses a PDF without a name (behaviour 3.6).
      const file_data = `data:${source.mediaType};base64,${source.data}`;
      return source.mediaType === "application/pdf"
        ? { filename: "document.pdf", ...name, file_data }
        : { ...name, file_data };
    }
    case "url":
      return { ...name, file_url: source.url };
    case "file-id":
      if (source.issuer !== target.issuer) throw foreignFile(source.id, target);
      return { ...name, file_id: source.id };
    case "text":
      return name;
  }
}

function urlOf(source: MediaSource, what: string, target: TranslationTarget): string {
  switch (source.from) {
    case "url":
      return source.url;
    case "data":
      return `data:${source.mediaType};base64,${source.data}`;
    case "text":
    case "file-id":
      throw invalidRequest(
        `\`messages\`: an ${what} by file id is not supported by provider ${target.providerName}: send its data or its URL`,
        { param: "messages" },
      );
  }
}

function foreignFile(id: string, target: TranslationTarget): Error {
  return invalidRequest(
    `\`messages\`: the file ${id} is not stored at provider ${target.providerName}: send its data or its URL`,
    { param: "messages" },
  );
}

function textOf(source: MediaSource): string | undefined {
  if (source.from === "text") return source.text;
  if (source.from !== "data" || !/^text\/|^application\/json$/i.test(source.mediaType)) return undefined;
  return Buffer.from(source.data, "base64").toString();
}

/** Those who take `cache_control` in a chat: https://openrouter.ai/docs/features/prompt-caching. */
function takesCacheControl(target: TranslationTarget): boolean {
  return target.issuer === "anthropic" || target.providerType === "openrouter";
}

/** Cache hint and unknown members of anything that has them. */
export function around(
  holder: { readonly cacheControl?: unknown; readonly unknown?: UnknownMembers },
  target: TranslationTarget,
): JsonObject {
  if (holder.cacheControl === undefined) return holder.unknown ?? {};
  if (takesCacheControl(target)) return { ...holder.unknown, cache_control: holder.cacheControl };
  target.dropped("cache_control");
  return holder.unknown ?? {};
}

function asObject(value: unknown): JsonObject {
  return value as JsonObject;
}
