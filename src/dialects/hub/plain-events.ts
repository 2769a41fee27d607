// The events of a stream one by one, for whoever has to read every text.

import type { ChatEvent, PiecesEvent, StreamEvent } from "../../core/chat-answer.ts";

/** `events` itself when it has no pieces. */
export function plainEvents(events: readonly StreamEvent[]): readonly ChatEvent[] {
  if (events.every(isPlain)) return events;
  return events.flatMap((event) => (event.kind === "pieces" ? eventsOfPieces(event) : [event]));
}

/** One event for each piece. */
export function eventsOfPieces(event: PiecesEvent): readonly ChatEvent[] {
  return Array.from({ length: event.pieces.count }, (_, index) => eventOfPiece(event, index));
}

function eventOfPiece({ of, choice, call, isSummary, pieces }: PiecesEvent, index: number): ChatEvent {
  const text = pieces.textOf(index);
  switch (of) {
    case "text":
      return { kind: "text", choice, text };
    case "reasoning":
      return isSummary ? { kind: "reasoning", choice, text, isSummary } : { kind: "reasoning", choice, text };
    case "tool-arguments":
      return { kind: "tool-arguments", choice, call, text };
  }
}

function isPlain(event: StreamEvent): event is ChatEvent {
  return event.kind !== "pieces";
}
