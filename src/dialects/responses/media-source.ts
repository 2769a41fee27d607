// Where the bytes of images and files are: URLs, data URLs and the ids of uploaded files.

import type { FilePart, MediaSource } from "../../core/chat-request.ts";

/** A data URL gives its bytes; one that is not base64 stays a URL. */
export function sourceOfUrl(url: string): MediaSource {
  const match = /^data:([^;,]*)(?:;[^;,]*)*?;base64,/i.exec(url);
  if (match === null) return { from: "url", url };
  return { from: "data", mediaType: match[1] ?? "", data: url.slice(match[0].length) };
}

export function dataUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`;
}

const mediaTypes: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
};

/** Of `file_data` without a data URL around it, by the end of the name; a file without a name is taken for a PDF. */
export function mediaTypeOfName(filename: string | undefined): string {
  const ending = filename?.slice(filename.lastIndexOf(".") + 1).toLowerCase() ?? "pdf";
  return Object.hasOwn(mediaTypes, ending) ? (mediaTypes[ending] ?? "") : "application/octet-stream";
}

/** OpenAI refuses `file_data` without a name (behaviour 3.6: `document.pdf`), and tells its type by the end of it. */
export function filenameOf(part: FilePart, mediaType: string): string {
  if (part.filename !== undefined) return part.filename;
  const ending = `.${Object.entries(mediaTypes).find(([, type]) => type === mediaType)?.[0] ?? "pdf"}`;
  const title = part.title ?? "document";
  return title.toLowerCase().endsWith(ending) ? title : title + ending;
}
