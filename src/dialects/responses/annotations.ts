// The places that a text refers to, from and to Responses annotations.

import type { Annotation } from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** What is no object is left out. */
export function decodeAnnotations(list: readonly unknown[]): readonly Annotation[] {
  return list.filter(isJsonObject).map(decodeAnnotation);
}

/** `url_citation` has a URL; `file_citation`, `container_file_citation` and `file_path` point to files that only OpenAI has. */
export function decodeAnnotation(value: JsonObject): Annotation {
  const { type, url, title, start_index: start, end_index: end } = value;
  const text = type === "url_citation" ? title : value.filename;
  return {
    kind:
      type === "url_citation"
        ? "url"
        : type === "file_citation" || type === "container_file_citation"
          ? "document"
          : "other",
    ...(typeof url === "string" ? { url } : {}),
    ...(typeof text === "string" ? { title: text } : {}),
    ...(typeof start === "number" ? { startIndex: start } : {}),
    ...(typeof end === "number" ? { endIndex: end } : {}),
    raw: { dialect: "responses", value },
  };
}

/** Undefined for a place that the dialect cannot name: neither its own nor a URL. `textLength`: of the text that refers to it, for a place without indices. */
export function encodeAnnotation(annotation: Annotation, textLength: number): unknown {
  if (annotation.raw.dialect === "responses") return annotation.raw.value;
  if (annotation.url === undefined) return undefined;
  return {
    type: "url_citation",
    start_index: annotation.startIndex ?? textLength,
    end_index: annotation.endIndex ?? textLength,
    url: annotation.url,
    title: annotation.title ?? "",
  };
}
