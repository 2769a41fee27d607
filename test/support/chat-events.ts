// Streams of chat completions for tests that look at each event, and what a caller makes of the bytes.

const encode = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** An event of the model `name` with this delta. */
export function delta(name: string, fields: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta: fields, finish_reason: finish }];
  return encode({ id: `id-${name}`, object: "chat.completion.chunk", created: 1, model: name, choices });
}

const done = "data: [DONE]\n\n";
export const malformed = 'data: {"id":"x","choices":[\n\n';
export const errorEvent = encode({ error: { message: "overloaded", type: "server_error", code: 503 } });

/** A role, an event for each word, a finish reason, the usage and the terminal. The prompt is 10 tokens, each word is one. */
export function answerOf(name: string, text: string): string[] {
  const words = text.match(/ ?[^ ]+/g) ?? [];
  const counts = { prompt_tokens: 10, completion_tokens: words.length, total_tokens: 10 + words.length };
  return [
    delta(name, { role: "assistant", content: "" }),
    ...words.map((content) => delta(name, { content })),
    delta(name, {}, "stop"),
    encode({ id: `id-${name}`, object: "chat.completion.chunk", created: 1, model: name, choices: [], usage: counts }),
    done,
  ];
}

/** The role and the first `count` words of it. */
export function beginningOf(name: string, text: string, count: number): string[] {
  return answerOf(name, text).slice(0, 1 + count);
}

/** What is in the bytes that a caller got. */
export interface SeenStream {
  readonly text: string;
  /** Of its events with choices, each once. */
  readonly ids: readonly string[];
  readonly roles: number;
  readonly finishes: number;
  readonly terminals: number;
  readonly comments: number;
  readonly usage: Readonly<Record<string, number>> | undefined;
  /** Of an error event, which has to be the last thing. */
  readonly error: { readonly message: string; readonly code: unknown } | undefined;
}

interface Chunk {
  readonly id: string;
  readonly error?: { message: string; code: unknown };
  readonly usage?: Record<string, number> | null;
  readonly choices?: readonly {
    readonly delta: { readonly role?: string; readonly content?: string };
    readonly finish_reason: string | null;
  }[];
}

/** Throws for bytes that are no whole events, and for anything behind an error or the terminal. */
export function seenStream(bytes: string): SeenStream {
  const events = bytes.split("\n\n");
  if (events.pop() !== "") throw new Error(`half an event at the end of ${bytes}`);
  let text = "";
  let roles = 0;
  let finishes = 0;
  let terminals = 0;
  let comments = 0;
  let usage: SeenStream["usage"];
  let error: SeenStream["error"];
  const ids = new Set<string>();
  for (const event of events) {
    if (event.startsWith(":")) {
      comments++;
      continue;
    }
    if (terminals > 0 || error !== undefined) throw new Error(`an event after the end: ${event}`);
    if (event === "data: [DONE]") {
      terminals++;
      continue;
    }
    const chunk: Chunk = JSON.parse(event.replace(/^data: /, ""));
    error = chunk.error;
    usage = chunk.usage ?? usage;
    for (const { delta: fields, finish_reason: reason } of chunk.choices ?? []) {
      ids.add(chunk.id);
      text += fields.content ?? "";
      if (fields.role !== undefined) roles++;
      if (reason !== null) finishes++;
    }
  }
  return { text, ids: [...ids], roles, finishes, terminals, comments, usage, error };
}
