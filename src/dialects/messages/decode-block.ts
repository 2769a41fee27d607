// Content blocks that callers and tools send, as parts of the hub. Forms: https://platform.claude.com/docs/en/api/messages

import type {
  ContentPart,
  FilePart,
  MediaSource,
  OpaquePart,
  TextPart,
  UnknownMembers,
} from "../../core/chat-request.ts";
import type { Members } from "../json/members.ts";
import { decodeCitations } from "./citations.ts";

/** A string or a list of blocks; absent: nothing. `decode` gives the parts of one block. */
export function decodeContent<Part>(
  owner: Members,
  decode: (block: Members) => readonly Part[],
  ofText: (text: string) => Part,
): Part[] {
  const content = owner.value("content");
  if (content === undefined) return [];
  if (typeof content === "string") return content === "" ? [] : [ofText(content)];
  if (!Array.isArray(content)) throw owner.wrong("content", "a string or a list of content blocks");
  return (owner.objects("content") ?? []).flatMap(decode);
}

export function plainText(text: string): TextPart {
  return { kind: "text", text };
}

/** A document made of blocks becomes several parts, everything else one. */
export function decodeContentBlock(block: Members): readonly ContentPart[] {
  const type = typeOf(block);
  switch (type) {
    case "text":
      return [decodeText(block)];
    case "image": {
      block.value("transformations");
      return [{ kind: "image", source: decodeSource(block), ...extrasOf(block) }];
    }
    case "document":
      return decodeDocument(block);
    case "search_result":
      return [decodeSearchResult(block)];
  }
  return [opaquePart(block, type)];
}

export function decodeText(block: Members): TextPart {
  const text = required(block, "text");
  return { kind: "text", text, annotations: decodeCitations(block.list("citations")), ...extrasOf(block) };
}

/** Blocks that no other dialect has. */
export function opaquePart(block: Members, type: string): OpaquePart {
  return { kind: "opaque", dialect: "messages", type, value: block.whole() };
}

export function typeOf(block: Members): string {
  return required(block, "type");
}

export function required(owner: Members, key: string): string {
  const text = owner.text(key);
  if (text === undefined) throw owner.wrong(key, "a string");
  return text;
}

/** To be asked last. `extra_content` is between callers and the gateway and goes to no provider. */
export function extrasOf(block: Members): { readonly cacheControl?: unknown; readonly unknown?: UnknownMembers } {
  block.value("extra_content");
  return { cacheControl: block.value("cache_control"), unknown: block.unknown() };
}

/** Citations and context are settings that only Anthropic has (behaviour 4.2): dropped. */
function decodeDocument(block: Members): readonly ContentPart[] {
  const title = block.text("title");
  block.value("citations");
  block.value("context");
  const source = block.object("source");
  if (source === undefined) throw block.wrong("source", "an object");
  const heading = title === undefined ? [] : [plainText(title)];
  switch (required(source, "type")) {
    case "content":
      return [...heading, ...decodeContent<ContentPart>(source, decodeContentBlock, plainText)];
    case "text": {
      const file: FilePart = { kind: "file", source: { from: "text", text: required(source, "data") }, title };
      return [{ ...file, ...extrasOf(block) }];
    }
  }
  return [{ kind: "file", source: decodeSource(block), title, ...extrasOf(block) }];
}

/** What the result says where it came from comes first: other models cite it by these words. */
function decodeSearchResult(block: Members): TextPart {
  const texts = decodeContent<ContentPart>(block, decodeContentBlock, plainText).map((part) =>
    part.kind === "text" ? part.text : "",
  );
  const heading = [block.text("title"), block.text("source")].filter((line) => line !== undefined);
  block.value("citations");
  return { kind: "text", text: [heading.join("\n"), ...texts].join("\n\n"), ...extrasOf(block) };
}

function decodeSource(block: Members): MediaSource {
  const source = block.object("source");
  if (source === undefined) throw block.wrong("source", "an object");
  switch (required(source, "type")) {
    case "base64":
      return { from: "data", mediaType: required(source, "media_type"), data: required(source, "data") };
    case "url":
      return { from: "url", url: required(source, "url") };
    case "file":
      return { from: "file-id", id: required(source, "file_id"), issuer: "anthropic" };
  }
  throw source.wrong("type", '"base64", "url", "file", "text" or "content"');
}
