// Citations of a text block as annotations of the hub and back. Forms: https://platform.claude.com/docs/en/build-with-claude/citations

import type { Annotation } from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";

/** Anthropic's citations belong to the whole block and have no place in its text. */
export function decodeCitation(citation: unknown): Annotation {
  const raw = { dialect: "messages", value: citation } as const;
  if (!isJsonObject(citation)) return { kind: "other", raw };
  const citedText = textOf(citation.cited_text);
  switch (citation.type) {
    case "web_search_result_location":
      return { kind: "url", url: textOf(citation.url), title: textOf(citation.title), citedText, raw };
    case "char_location":
    case "page_location":
    case "content_block_location":
      return { kind: "document", title: textOf(citation.document_title), citedText, raw };
    case "search_result_location":
      return { kind: "document", url: textOf(citation.source), title: textOf(citation.title), citedText, raw };
  }
  return { kind: "other", citedText, raw };
}

export function decodeCitations(citations: readonly unknown[] | undefined): readonly Annotation[] | undefined {
  return citations === undefined || citations.length === 0 ? undefined : citations.map(decodeCitation);
}

/** Only what was one of these already: the others lack what Anthropic's forms need (which document, which result). */
export function encodeCitations(annotations: readonly Annotation[] | undefined): readonly unknown[] | undefined {
  const own = annotations?.filter((annotation) => annotation.raw.dialect === "messages");
  return own === undefined || own.length === 0 ? undefined : own.map((annotation) => annotation.raw.value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
