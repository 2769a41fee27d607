// Answers of the benchmark's upstream in the dialects besides chat completions: a whole one, and 50 events.

/** What is said in both: one text, in so many pieces as make 50 events of a stream. */
export interface SaidText {
  readonly text: string;
  pieces(count: number): readonly string[];
}

const eventsOfStream = 50;

/** https://platform.claude.com/docs/en/api/messages */
export function messagesAnswer({ text }: SaidText): unknown {
  return {
    ...messageHead,
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    usage: { ...promptUsage, output_tokens: 64 },
  };
}

const promptUsage = {
  input_tokens: 120,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  service_tier: "standard",
};
const messageHead = {
  id: "msg_0123456789abcdef01234567",
  type: "message",
  role: "assistant",
  model: "claude-haiku-4-5-20251001",
  content: [],
  stop_reason: null,
  stop_sequence: null,
};

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
export function messagesEvents(said: SaidText): readonly string[] {
  const pieces = said.pieces(eventsOfStream - 5);
  return [
    { type: "message_start", message: { ...messageHead, usage: { ...promptUsage, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...pieces.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 64 } },
    { type: "message_stop" },
  ].map(namedEvent);
}

const runningResponse = {
  id: "resp_0123456789abcdef0123456789abcdef",
  object: "response",
  created_at: 1_790_000_000,
  status: "in_progress",
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: 256,
  model: "gpt-4o-mini-2024-07-18",
  output: [] as unknown[],
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  service_tier: "default",
  store: false,
  temperature: 0.2,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  truncation: "disabled",
  usage: null as unknown,
  metadata: {},
};

/** https://developers.openai.com/api/reference/resources/responses */
export function responsesAnswer({ text }: SaidText): unknown {
  return {
    ...runningResponse,
    status: "completed",
    output: [messageItem("completed", [textPart(text)])],
    usage: {
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 64,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 184,
    },
  };
}

/** https://developers.openai.com/api/reference/resources/responses/streaming-events */
export function responsesEvents(said: SaidText): readonly string[] {
  const pieces = said.pieces(eventsOfStream - 8);
  const text = pieces.join("");
  const place = { item_id: itemId, output_index: 0, content_index: 0 };
  const part = textPart(text);
  return [
    { type: "response.created", response: runningResponse },
    { type: "response.in_progress", response: runningResponse },
    { type: "response.output_item.added", output_index: 0, item: messageItem("in_progress", []) },
    { type: "response.content_part.added", ...place, part: textPart("") },
    ...pieces.map((delta) => ({
      type: "response.output_text.delta",
      ...place,
      delta,
      logprobs: [],
      obfuscation: "x7Qk",
    })),
    { type: "response.output_text.done", ...place, text, logprobs: [] },
    { type: "response.content_part.done", ...place, part },
    { type: "response.output_item.done", output_index: 0, item: messageItem("completed", [part]) },
    { type: "response.completed", response: responsesAnswer({ ...said, text }) },
  ].map(({ type, ...members }, sequence) => namedEvent({ type, sequence_number: sequence, ...members }));
}

const itemId = "msg_0123456789abcdef0123456789abcdef";

function messageItem(status: string, content: readonly unknown[]): unknown {
  return { id: itemId, type: "message", status, content, role: "assistant" };
}

function textPart(text: string): unknown {
  return { type: "output_text", annotations: [], logprobs: [], text };
}

function namedEvent(event: { readonly type: string; readonly [member: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
