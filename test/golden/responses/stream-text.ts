// Events of a Responses stream as text, and back.

export interface WireEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly response?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** As OpenAI writes them: the type is the event's name, too. */
export function streamText(events: readonly object[]): string {
  return events
    .map((event) => `event: ${String((event as WireEvent).type)}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

/** Throws for a block that is no whole event of the dialect. `done`: `[DONE]` ended it. */
export function readStream(pieces: readonly Uint8Array[]): {
  readonly events: readonly WireEvent[];
  readonly done: boolean;
} {
  const blocks = Buffer.concat([...pieces])
    .toString()
    .split("\n\n");
  if (blocks.pop() !== "") throw new Error("the last event is not whole");
  const done = blocks.at(-1) === "data: [DONE]";
  const events = (done ? blocks.slice(0, -1) : blocks).map((block) => {
    const match = /^event: (\S+)\ndata: ([^\n]*)$/.exec(block);
    if (match === null) throw new Error(`no event: ${block}`);
    const event = JSON.parse(match[2] ?? "") as WireEvent;
    if (event.type !== match[1]) throw new Error(`the event ${match[1]} says that it is ${event.type}`);
    return event;
  });
  return { events, done };
}
