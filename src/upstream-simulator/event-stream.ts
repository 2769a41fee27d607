// The right events of a stream, in the dialect that was asked for, and the parts of them that faults send.

import type { Asked } from "./asked.ts";
import type { SentEvent } from "./answer-forms.ts";
import { formsOf } from "./forms-of.ts";
import { chunked, streamType } from "./http-answer.ts";
import { said, saidText, text, type Said } from "./said.ts";
import { spokenPieces, wordsOf } from "./spoken-answer.ts";
import { write, type Bytes, type Step } from "./step.ts";

export const textsOf = (events: readonly SentEvent[]): string[] => events.map((event) => event.text);

/** The right events for what was asked. */
export function rightEvents(asked: Asked, words = wordsOf(asked)): string[] {
  return textsOf(eventsOf(asked, saidText(asked, words)));
}

/** The events of this answer. */
export function eventsOf(asked: Asked, answer: Said = saidText(asked)): readonly SentEvent[] {
  return formsOf(asked).events(asked, answer);
}

/** Those up to so many pieces of text, reasoning or arguments; for none of them those in front of the first. */
export function upToPieces(events: readonly SentEvent[], pieces: number): readonly SentEvent[] {
  if (pieces === 0)
    return events.slice(
      0,
      events.findIndex(({ place }) => place !== "around"),
    );
  let seen = 0;
  return events.slice(0, 1 + events.findIndex(({ place }) => place === "piece" && ++seen === pieces));
}

/** Those in front of the first one at this place; all when there is none. */
export function upTo(events: readonly SentEvent[], place: SentEvent["place"]): readonly SentEvent[] {
  const end = events.findIndex((event) => event.place === place);
  return end < 0 ? events : events.slice(0, end);
}

/** Those up to the event that says why the answer ended, which may be the last one. */
export function throughFinish(events: readonly SentEvent[]): readonly SentEvent[] {
  return events.slice(0, 1 + events.findIndex(({ place }) => place === "finish"));
}

/** The begin of a right stream and three words. */
export function beginning(asked: Asked): readonly SentEvent[] {
  return upToPieces(eventsOf(asked), 3);
}

/** A right stream with this behind its third word. */
export function inserted(asked: Asked, ...texts: readonly string[]): string[] {
  const events = eventsOf(asked);
  const start = upToPieces(events, 3);
  return [...textsOf(start), ...texts, ...textsOf(events.slice(start.length))];
}

/** A right stream with one more piece behind its third word. */
export function withPiece(asked: Asked, piece: string): string[] {
  const words = spokenPieces(asked, wordsOf(asked));
  return textsOf(eventsOf(asked, said(asked, "stop", text(...words.slice(0, 3), piece, ...words.slice(3)))));
}

/** The answer that ends well with exactly these events, each in a chunk of its own, all in one write. */
export function streamOf(asked: Asked, events: readonly Bytes[]): readonly Step[] {
  return [write(chunked(asked, streamType, events))];
}
