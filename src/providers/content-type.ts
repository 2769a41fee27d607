// Whether the content type of a 2xx answer is one that was asked for.

/**
 * accept: hand the body to the reader. json-for-stream: no stream, but the JSON may be an error that explains why.
 * refuse: nothing that could be an answer.
 */
export type ContentVerdict = "accept" | "json-for-stream" | "refuse";

/**
 * A missing type, plain text and raw bytes are taken for what was asked: servers of one's own are careless here, and the reader notices
 * what is no answer. A page for people is never one (decisions 7).
 */
export function judgeContentType(contentType: string | undefined, stream: boolean): ContentVerdict {
  const essence = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  switch (essence) {
    case "":
    case "text/plain":
    case "application/octet-stream":
      return "accept";
    case "text/event-stream":
      return stream ? "accept" : "refuse";
  }
  if (!/^(?:application|text)\/(?:[a-z0-9.-]+\+)?json$/.test(essence)) return "refuse";
  return stream ? "json-for-stream" : "accept";
}

/** For messages: the type as sent, cut to what a type can be. */
export function namedContentType(contentType: string | undefined): string {
  const essence = contentType?.split(";", 1)[0]?.trim() ?? "";
  return /^[\w!#$&^.+*/-]{1,100}$/.test(essence) ? essence : "an unreadable content type";
}
