// What holds for every stream of the dialect, whatever was in it.

import { expect } from "bun:test";
import type { WireEvent } from "./stream-text.ts";

interface Open {
  readonly id: unknown;
  said: string;
  parts: number;
}

/** Items are told in order, each is begun and ended once, pieces add up to the whole, and one terminal has all of it. */
export function expectWellFormed(events: readonly WireEvent[]): void {
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(["response.created", "response.in_progress"]);
  const terminals = events.filter(({ type }) => /^response\.(completed|incomplete|failed)$/.test(type));
  expect(terminals).toEqual([events.at(-1) as WireEvent]);
  const open = new Map<unknown, Open>();
  const ended: unknown[] = [];
  let begun = 0;
  for (const event of events.slice(2, -1)) {
    const { type, output_index: index, item, item_id: id } = event;
    if (type === "response.output_item.added") {
      expect(index).toBe(begun++);
      open.set(index, { id: (item as { id: unknown }).id, said: "", parts: 0 });
      continue;
    }
    const current = open.get(index);
    if (current === undefined) throw new Error(`${type} for an item that is not open: ${String(index)}`);
    if (type === "response.output_item.done") {
      expect((item as { id: unknown }).id).toBe(current.id);
      ended[Number(index)] = item;
      open.delete(index);
      continue;
    }
    expect(id).toBe(current.id);
    if (typeof event.delta === "string") current.said += event.delta;
    const whole = type.endsWith(".done") ? (event.text ?? event.refusal ?? event.arguments ?? event.input) : undefined;
    if (typeof whole === "string") {
      expect(whole).toBe(current.said);
      current.said = "";
    }
    if (type === "response.content_part.added") expect(event.content_index).toBe(current.parts++);
  }
  expect(open.size).toBe(0);
  expect(events.at(-1)?.response?.output).toEqual(ended);
}
