// The requests that are sent: different from each other, the same in every run.

import { type BenchDialect, dialectOfPath } from "./dialect.ts";

/** Enough that nothing on the way can remember the last one, few enough to stay in memory. */
const variety = 64;
/** With line ends, quotes and letters beyond ASCII, as prompts have them. */
const words =
  'the model answers "yes"\nwhen a user asks for naïve prices, flights to Köln or 3 examples of (short) code:\n- first\n- second\nand then'.split(
    " ",
  );

export interface RequestShape {
  /** Where it is sent, such as `/v1/chat/completions`; its end says in which dialect. */
  readonly path: string;
  /** Of the JSON body, about. */
  readonly bodyBytes: number;
  readonly stream: boolean;
  readonly key: string;
}

/** The name of the gateway's virtual model; the bare proxies and the upstream do not look at it. */
export const requestedModel = "smart";

/** Whole HTTP/1.1 requests, ready for a socket. */
export function encodeRequests(shape: RequestShape): readonly Buffer[] {
  const random = randomFrom(1);
  return Array.from({ length: variety }, (_, index) => {
    const body = JSON.stringify(bodyOf(shape, index, random));
    const head = [
      `POST ${shape.path} HTTP/1.1`,
      "host: 127.0.0.1",
      `authorization: Bearer ${shape.key}`,
      "content-type: application/json",
      `accept: ${shape.stream ? "text/event-stream" : "application/json"}`,
      "user-agent: OpenAI/Python 2.8.1",
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
  });
}

function bodyOf(
  { path, bodyBytes, stream }: RequestShape,
  index: number,
  random: () => number,
): Record<string, unknown> {
  const dialect = dialectOfPath(path);
  const system = "You are a helpful assistant.";
  const messages: { role: string; content: string }[] = [{ role: "system", content: system }];
  let left = bodyBytes - 200;
  while (left > 0) {
    const content = prose(Math.min(left, 1500), random);
    messages.push({ role: messages.length % 2 === 1 ? "user" : "assistant", content });
    left -= content.length + 40;
  }
  const conversation = conversations[dialect](system, messages);
  const limit = dialect === "responses" ? { max_output_tokens: 256 } : { max_tokens: 256 };
  const settings = { temperature: 0.2, ...limit, ...(stream ? { stream } : {}) };
  // Clients differ: some write the model first, others after the messages.
  return index % 2 === 0
    ? { model: requestedModel, ...conversation, ...settings }
    : { ...conversation, model: requestedModel, ...settings };
}

type Message = { readonly role: string; readonly content: string };

/** `messages` begin with the system's. */
const conversations: Readonly<
  Record<BenchDialect, (system: string, messages: readonly Message[]) => Record<string, unknown>>
> = {
  "chat-completions": (_system, messages) => ({ messages }),
  messages: (system, messages) => ({ system, messages: messages.slice(1) }),
  responses: (system, messages) => ({ instructions: system, input: messages.slice(1) }),
};

function prose(length: number, random: () => number): string {
  let text = "";
  while (text.length < length) text += `${words[Math.floor(random() * words.length)]} `;
  return text;
}

/** Numbers from 0 up to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
