// Writes an event with its name, without which Anthropic's SDKs pass over it.

import { Buffer } from "node:buffer";

const eventEnd = Buffer.from("\n\n");
const lineEnd = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;

/** `json` on one line: a line end in JSON is space between its tokens; in an event it would end the data. */
export function namedEvent(type: string, json: Uint8Array): Uint8Array {
  const head = Buffer.from(`event: ${type}\ndata: `);
  const event = Buffer.concat([head, json, eventEnd]);
  const end = head.length + json.length;
  for (let at = head.length; at < end; at++) {
    if (event[at] === lineEnd || event[at] === carriageReturn) event[at] = space;
  }
  return event;
}
