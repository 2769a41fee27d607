// The parts of an answer as the events of a stream, and events put together to parts.

import type { ChatEvent } from "../../../src/core/chat-answer.ts";
import type { AssistantPart } from "../../../src/core/chat-request.ts";

/** Texts come in pieces of `size`. Blocks of one dialect alone have no events. */
export function eventsOf(parts: readonly AssistantPart[], size: number): readonly ChatEvent[] {
  let calls = 0;
  return parts.flatMap((part): ChatEvent[] => {
    switch (part.kind) {
      case "text": {
        const { text, logprobs, annotations = [], state } = part;
        const events: ChatEvent[] = pieces(text, size).map((piece, index) => {
          return {
            kind: "text",
            choice: 0,
            text: piece,
            ...(index === 0 && logprobs !== undefined ? { logprobs } : {}),
          };
        });
        for (const annotation of annotations) events.push({ kind: "annotation", choice: 0, annotation });
        if (state !== undefined) events.push({ kind: "text-state", choice: 0, state });
        return events;
      }
      case "refusal":
        return pieces(part.text, size).map((text) => ({ kind: "refusal", choice: 0, text }));
      case "reasoning": {
        const { state, isSummary } = part;
        const events: ChatEvent[] = pieces(part.text, size).map((text) => {
          return { kind: "reasoning", choice: 0, text, ...(isSummary === undefined ? {} : { isSummary }) };
        });
        return [...events, { kind: "end-of-reasoning", choice: 0, ...(state === undefined ? {} : { state }) }];
      }
      case "tool-call": {
        const { id, name, toolKind, state } = part;
        const call = calls++;
        const start = { kind: "tool-call", choice: 0, call, id, name, toolKind } as const;
        const input = pieces(part.arguments, size).map((text): ChatEvent => ({
          kind: "tool-arguments",
          choice: 0,
          call,
          text,
        }));
        return [{ ...start, ...(state === undefined ? {} : { state }) }, ...input];
      }
      case "audio":
      case "opaque":
        return [];
    }
  });
}

/** One part for each run; calls where they began. */
export function partsOf(events: readonly ChatEvent[]): readonly AssistantPart[] {
  const parts: AssistantPart[] = [];
  const calls = new Map<number, number>();
  let open: AssistantPart["kind"] | undefined;
  for (const event of events) {
    const last = parts.length - 1;
    const part = parts[last];
    if (event.kind === "text" || event.kind === "refusal" || event.kind === "reasoning") {
      const { kind, text } = event;
      if (open !== kind || part?.kind !== kind) {
        const summary = event.kind === "reasoning" && event.isSummary === true ? { isSummary: true } : {};
        const logprobs = event.kind === "text" && event.logprobs !== undefined ? { logprobs: event.logprobs } : {};
        parts.push({ kind, text, ...summary, ...logprobs } as AssistantPart);
      } else parts[last] = { ...part, text: part.text + text };
      open = kind;
    } else if (event.kind === "annotation" && part?.kind === "text") {
      parts[last] = { ...part, annotations: [...(part.annotations ?? []), event.annotation] };
    } else if (event.kind === "end-of-reasoning") {
      const state = event.state === undefined ? {} : { state: event.state };
      if (open === "reasoning" && part?.kind === "reasoning") parts[last] = { ...part, ...state };
      else parts.push({ kind: "reasoning", text: "", ...state });
      open = undefined;
    } else if (event.kind === "tool-call") {
      const { id, name, toolKind } = event;
      calls.set(event.call, parts.length);
      parts.push({ kind: "tool-call", id, name, arguments: "", toolKind });
      open = undefined;
    } else if (event.kind === "tool-arguments") {
      const at = calls.get(event.call) ?? -1;
      const call = parts[at];
      if (call?.kind === "tool-call") parts[at] = { ...call, arguments: call.arguments + event.text };
    }
  }
  return parts;
}

function pieces(text: string, size: number): readonly string[] {
  const list: string[] = [];
  for (let at = 0; at < text.length; at += size) list.push(text.slice(at, at + size));
  return list;
}
