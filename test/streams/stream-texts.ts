// The streams that are cut and split: every recording, and kinds of trouble that no recording shows.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface NamedStream {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const folder = join(import.meta.dir, "../recordings");

const recordings: readonly NamedStream[] = readdirSync(folder)
  .filter((name) => name.endsWith(".sse"))
  .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }));

function chunk(content: string, finish: string | null = null, index = 0): string {
  return JSON.stringify({ id: "c", choices: [{ index, delta: { content }, finish_reason: finish }] });
}

const hello = chunk("hällo 🙂");
const usage = JSON.stringify({ id: "c", choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } });

/** What a faulty or unusual provider sends, written down here. */
const written: Readonly<Record<string, string>> = {
  "a heartbeat around every event": `: 1\n\n: 2\n\ndata: ${hello}\n\n: 3\n\ndata: ${chunk("", "stop")}\n\n: 4\n\n: 5\n\ndata: [DONE]\n\n`,
  // Not in it: CR CR LF, whose LF belongs to the event before or after it, as the pieces fall.
  "line ends of every kind": `data: ${hello}\r\n\ndata: ${hello}\n\r\n: c\r\rdata: ${chunk("", "stop")}\r\rdata: ${usage}\n\rdata: [DONE]\r\n\r\n`,
  "events with empty data": `data:\n\ndata: ${hello}\n\ndata: \n\n\n\ndata\n\ndata: ${chunk("", "stop")}\n\ndata: [DONE]\n\n`,
  "more after the terminal": `data: ${hello}\n\ndata: ${chunk("", "stop")}\n\ndata: [DONE]\n\ndata: ${hello}\n\ndata: [DONE]\n\n: late\n\n`,
  "a terminal alone": "data: [DONE]\n\n",
  "an error named by its event": `data: ${hello}\n\nevent: error\ndata: {"message":"too many","code":429}\n\ndata: [DONE]\n\n`,
  "an error named by its event, first": `event: error\r\ndata: {"message":"too many","code":429}\r\n\r\n`,
  "an error as the finish reason": `data: ${hello}\n\ndata: ${chunk("", "error")}\n\ndata: [DONE]\n\n`,
  "an error after the finish": `data: ${hello}\n\ndata: ${chunk("", "stop")}\n\ndata: {"error":{"message":"late","code":503}}\n\n`,
  "an error in CRLF": `data: ${hello}\r\n\r\ndata: {"error":{"message":"overloaded","code":"503"}}\r\n\r\ndata: [DONE]\r\n\r\n`,
  "a malformed event": `data: ${hello}\n\ndata: <html>\n\ndata: ${hello}\n\ndata: [DONE]\n\n`,
  "a malformed first event": `: c\n\ndata: <html>\n\ndata: [DONE]\n\n`,
  "invalid JSON that looks whole": `data: ${hello}\n\ndata: {"a":}\n\ndata: ${chunk("", "stop")}\n\ndata: [DONE]\n\n`,
  "two choices, one of them cut": `data: ${hello}\n\ndata: ${chunk("b", null, 1)}\n\ndata: ${chunk("", "stop")}\n\n`,
  "usage first": `data: ${usage}\n\ndata: ${hello}\n\ndata: ${chunk("", "stop")}\n\n`,
  "usage alone": `data: ${usage}\n\ndata: [DONE]\n\n`,
  "other fields": `id: 1\nretry: 10\nevent: chunk\ndata: ${hello}\n\nid: 2\n\ndata: ${chunk("", "length")}\nid: 3\n\ndata:[DONE] \n\n`,
};

export const streams: readonly NamedStream[] = [
  ...recordings,
  ...Object.entries(written).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) })),
];
