// Streams of the Messages dialect for tests that look at each event, as Anthropic's page on streaming shows them.

/** An event under the name of its type. */
export function messagesEvent(value: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
}

export function messageStart(name = "a", usage: object | null = { input_tokens: 10, output_tokens: 1 }): string {
  const message = {
    id: `msg_${name}`,
    type: "message",
    role: "assistant",
    model: name,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(usage === null ? {} : { usage }),
  };
  return messagesEvent({ type: "message_start", message });
}

export function blockStart(index = 0, block: object = { type: "text", text: "" }): string {
  return messagesEvent({ type: "content_block_start", index, content_block: block });
}

export function blockDelta(delta: object, index = 0): string {
  return messagesEvent({ type: "content_block_delta", index, delta });
}

export function textDelta(text: string, index = 0): string {
  return blockDelta({ type: "text_delta", text }, index);
}

export function blockStop(index = 0): string {
  return messagesEvent({ type: "content_block_stop", index });
}

export function messageDelta(reason: unknown = "end_turn", usage: object | null = { output_tokens: 4 }): string {
  const delta = { stop_reason: reason, stop_sequence: null };
  return messagesEvent({ type: "message_delta", delta, ...(usage === null ? {} : { usage }) });
}

export const messageStop = messagesEvent({ type: "message_stop" });
export const ping = 'event: ping\ndata: {"type": "ping"}\n\n';

export function errorEventOf(type: string, message: string): string {
  return messagesEvent({ type: "error", error: { type, message } });
}

/** A whole answer: an event for each word, a prompt of 10 tokens, a token for each word. */
export function messagesAnswer(name: string, text: string): string[] {
  const words = text.match(/ ?[^ ]+/g) ?? [];
  return [
    messageStart(name),
    blockStart(),
    ...words.map((word) => textDelta(word)),
    blockStop(),
    messageDelta("end_turn", { output_tokens: words.length }),
    messageStop,
  ];
}
