import { expect, test } from "bun:test";
import type { ChatEvent, PiecesEvent, StreamEvent } from "../../core/chat-answer.ts";
import { FoundPieces } from "../json/found-pieces.ts";
import { plainEvents } from "./plain-events.ts";

function said(of: PiecesEvent["of"], isSummary = false): PiecesEvent {
  const pieces = new FoundPieces(new TextEncoder().encode("ab\\n"));
  pieces.add(0, 1);
  pieces.add(1, 4);
  return { kind: "pieces", of, choice: 1, call: of === "tool-arguments" ? 2 : 0, isSummary, pieces };
}

test("each piece becomes the event that it is, in its place", () => {
  const end: StreamEvent = { kind: "finish", choice: 1, finish: { reason: "stop" } };
  expect(plainEvents([said("text"), end, said("reasoning"), said("reasoning", true), said("tool-arguments")])).toEqual([
    { kind: "text", choice: 1, text: "a" },
    { kind: "text", choice: 1, text: "b\n" },
    end,
    { kind: "reasoning", choice: 1, text: "a" },
    { kind: "reasoning", choice: 1, text: "b\n" },
    { kind: "reasoning", choice: 1, text: "a", isSummary: true },
    { kind: "reasoning", choice: 1, text: "b\n", isSummary: true },
    { kind: "tool-arguments", choice: 1, call: 2, text: "a" },
    { kind: "tool-arguments", choice: 1, call: 2, text: "b\n" },
  ]);
});

test("events without pieces stay the list that they are", () => {
  const events: readonly ChatEvent[] = [{ kind: "start" }, { kind: "text", choice: 0, text: "a" }];
  expect(plainEvents(events)).toBe(events);
});
