// Citations of web pages, as chat completions write them.

import type { Annotation } from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** https://platform.openai.com/docs/api-reference/chat/object: `url_citation`; other types are kept as they came. */
export function readAnnotations(list: unknown): readonly Annotation[] {
  return (Array.isArray(list) ? list : []).filter(isJsonObject).map(readAnnotation);
}

function readAnnotation(value: JsonObject): Annotation {
  const raw = { dialect: "chat-completions", value } as const;
  const citation = isJsonObject(value.url_citation) ? value.url_citation : undefined;
  if (value.type !== "url_citation" || citation === undefined) return { kind: "other", raw };
  const { url, title, content, start_index: start, end_index: end } = citation;
  return {
    kind: "url",
    ...(typeof url === "string" ? { url } : {}),
    ...(typeof title === "string" ? { title } : {}),
    // OpenRouter gives a piece of the page, too (https://openrouter.ai/docs/features/web-search).
    ...(typeof content === "string" ? { citedText: content } : {}),
    ...(typeof start === "number" ? { startIndex: start } : {}),
    ...(typeof end === "number" ? { endIndex: end } : {}),
    raw,
  };
}

/** Undefined for what this dialect cannot say. `offset`: of the annotated text in the whole one, in UTF-16 units. */
export function encodeAnnotation(annotation: Annotation, offset: number): JsonObject | undefined {
  const { kind, raw, url, title, startIndex, endIndex } = annotation;
  if (raw.dialect === "chat-completions" && isJsonObject(raw.value) && offset === 0) return raw.value;
  if (kind !== "url" || url === undefined) return undefined;
  return {
    type: "url_citation",
    url_citation: {
      url,
      title: title ?? "",
      start_index: (startIndex ?? 0) + offset,
      end_index: (endIndex ?? 0) + offset,
    },
  };
}
