// What a caller got, read in the caller's own dialect.

import { errorEnd, readChatDocument, readChatStream } from "./read-chat.ts";
import {
  type ByAsking,
  type ErrorEnd,
  parsedObject,
  readEvents,
  type StreamReader,
  type StreamReading,
} from "./read-events.ts";
import { readMessagesDocument, readMessagesError, readMessagesStream } from "./read-messages.ts";
import { readResponsesDocument, readResponsesStream } from "./read-responses.ts";
import type { Asking } from "./speakers.ts";

const streamReaders: ByAsking<StreamReader> = {
  "chat-completions": readChatStream,
  responses: readResponsesStream,
  messages: readMessagesStream,
};

const documentReaders: ByAsking<(body: string) => string | undefined> = {
  "chat-completions": readChatDocument,
  responses: readResponsesDocument,
  messages: readMessagesDocument,
};

/** A stream, as far as it came. */
export function readStream(body: string, asks: Asking): StreamReading {
  const { events, rest } = readEvents(body);
  return { ...streamReaders[asks](events), rest };
}

/** The text of a document; undefined when it is no answer. */
export function readDocument(body: string, asks: Asking): string | undefined {
  return documentReaders[asks](body);
}

/** The error document of a status; undefined when it is none. */
export function readError(body: string, asks: Asking): ErrorEnd | undefined {
  if (asks === "messages") return readMessagesError(body);
  const value = parsedObject(body);
  return value === undefined ? undefined : errorEnd(value);
}
