// A caller of Responses, answered by a provider that speaks chat completions.

import {
  argues,
  calls,
  chatUsage,
  choice,
  chunks,
  completion,
  functionTool,
  role,
  says,
  toolCall,
} from "./chat-wire.ts";
import { pages, type Json, type Pair } from "./pair.ts";
import {
  callItem,
  completed,
  incomplete,
  messageItem,
  outputText,
  reasoningItem,
  response,
  responseEvents,
  responsesUsage,
  stateless,
  streamedCall,
  streamedReasoning,
  streamedText,
} from "./responses-wire.ts";

const between = { caller: "responses", provider: "chat-completions" } as const;
const source = [pages.responses, pages.responsesStream, pages.chat, pages.chatStream];
const llama = { id: "chatcmpl-1", model: "llama-3.3-70b" };
const given = { id: "resp_new", model: "llama-3.3-70b", provider: "groq" };
const usage = chatUsage(5, 2);
const city = { type: "object", properties: { city: { type: "string" } } };
const wholeInput = {
  type: "object",
  properties: { input: { type: "string", description: "The whole input of the tool." } },
  required: ["input"],
  additionalProperties: false,
};

/** The events that end the item of this index, moved behind the last piece of the others. */
function endingTogether(events: readonly (Json | string)[], index: number): (Json | string)[] {
  const isEnd = (event: Json | string): boolean =>
    typeof event !== "string" && event.output_index === index && String(event.type).endsWith(".done");
  const isLastEnd = (event: Json | string): boolean =>
    typeof event !== "string" && event.output_index !== index && String(event.type).endsWith(".done");
  const others = events.filter((event) => !isEnd(event));
  const at = others.findIndex(isLastEnd);
  const ordered = [...others.slice(0, at), ...events.filter(isEnd), ...others.slice(at)];
  return ordered.map((event, number) => (typeof event === "string" ? event : { ...event, sequence_number: number }));
}

export const responsesToChat: readonly Pair[] = [
  {
    name: "instructions and a plain input, with everything that is said back",
    source,
    ...between,
    request: {
      instructions: "Be brief.",
      input: "Hi",
      max_output_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      metadata: { team: "a" },
      store: false,
      user: "u1",
      truncation: "auto",
      text: { format: { type: "json_schema", name: "place", schema: city, strict: false }, verbosity: "low" },
    },
    upstream: {
      model: "llama-3.3-70b",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
      ],
      max_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      response_format: { type: "json_schema", json_schema: { name: "place", schema: city, strict: false } },
    },
    dropped: ["truncation", "verbosity", "user", "metadata"],
    answer: completion(llama, [choice({ content: "Hello" }, "stop")], usage),
    given: response(
      {
        ...given,
        instructions: "Be brief.",
        max_output_tokens: 100,
        metadata: { team: "a" },
        temperature: 0.5,
        top_p: 0.9,
        user: "u1",
        truncation: "auto",
        text: { format: { type: "json_schema", name: "place", schema: city, strict: false }, verbosity: "low" },
      },
      [messageItem("msg_new", [outputText("Hello")])],
      completed,
      responsesUsage(5, 2),
    ),
    stream: chunks(llama, [role, says("Hel"), says("lo")], [["stop"]], usage),
    streamed: responseEvents(
      {
        ...given,
        instructions: "Be brief.",
        max_output_tokens: 100,
        metadata: { team: "a" },
        temperature: 0.5,
        top_p: 0.9,
        user: "u1",
        truncation: "auto",
        text: { format: { type: "json_schema", name: "place", schema: city, strict: false }, verbosity: "low" },
      },
      [streamedText("msg_new", ["Hel", "lo"])],
      completed,
      responsesUsage(5, 2),
      true,
    ),
  },
  {
    name: "calls of the history in one turn, hosted tools left out, parallel calls back",
    source,
    ...between,
    request: {
      input: [
        { role: "user", content: [{ type: "input_text", text: "Weather?" }] },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
        { type: "function_call", call_id: "a", name: "weather", arguments: '{"city":"Rome"}' },
        { type: "function_call", call_id: "b", name: "weather", arguments: "" },
        { type: "function_call_output", call_id: "a", output: "sunny" },
        {
          type: "function_call_output",
          call_id: "b",
          output: [
            { type: "input_text", text: "see" },
            { type: "input_image", image_url: "https://example.com/a.png" },
          ],
        },
      ],
      tools: [
        { type: "function", name: "weather", description: "Tells it", parameters: city, strict: false },
        { type: "web_search" },
      ],
      tool_choice: { type: "function", name: "weather" },
      parallel_tool_calls: true,
      include: ["reasoning.encrypted_content"],
    },
    upstream: {
      model: "llama-3.3-70b",
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [toolCall("a", "weather", '{"city":"Rome"}'), toolCall("b", "weather", "{}")],
        },
        { role: "tool", tool_call_id: "a", content: "sunny" },
        { role: "tool", tool_call_id: "b", content: "see" },
      ],
      tools: [functionTool("weather", city, { description: "Tells it", strict: false })],
      tool_choice: { type: "function", function: { name: "weather" } },
      parallel_tool_calls: true,
    },
    dropped: ["include", "images and files in tool results", "tools (web_search)"],
    answer: completion(
      llama,
      [
        choice(
          { content: null, tool_calls: [toolCall("c", "weather", '{"city":"Bonn"}'), toolCall("d", "weather", "")] },
          "tool_calls",
        ),
      ],
      usage,
    ),
    given: response(
      {
        ...given,
        tools: [
          { type: "function", name: "weather", description: "Tells it", parameters: city, strict: false },
          { type: "web_search" },
        ],
        tool_choice: { type: "function", name: "weather" },
      },
      [callItem("fc_new", "c", "weather", '{"city":"Bonn"}'), callItem("fc_new", "d", "weather", "{}")],
      completed,
      responsesUsage(5, 2),
    ),
    stream: chunks(
      llama,
      [
        role,
        calls(0, "c", "weather"),
        argues(0, '{"city":'),
        argues(0, '"Bonn"}'),
        calls(1, "d", "weather"),
        argues(1, "{}"),
      ],
      [["tool_calls"]],
      usage,
    ),
    // Both calls stay open until the answer ends: only then nothing more can come for either.
    streamed: endingTogether(
      responseEvents(
        {
          ...given,
          tools: [
            { type: "function", name: "weather", description: "Tells it", parameters: city, strict: false },
            { type: "web_search" },
          ],
          tool_choice: { type: "function", name: "weather" },
        },
        [
          streamedCall("fc_new", "c", "weather", ['{"city":', '"Bonn"}']),
          streamedCall("fc_new", "d", "weather", ["{}"]),
        ],
        completed,
        responsesUsage(5, 2),
        true,
      ),
      0,
    ),
  },
  {
    name: "a custom tool, offered as a function and called as itself",
    source,
    ...between,
    request: {
      input: [
        { role: "user", content: "Query" },
        { type: "custom_tool_call", call_id: "a", name: "sql", input: 'select "1"' },
        { type: "custom_tool_call_output", call_id: "a", output: "1" },
      ],
      tools: [{ type: "custom", name: "sql", description: "Runs SQL" }],
      tool_choice: { type: "custom", name: "sql" },
    },
    upstream: {
      model: "llama-3.3-70b",
      messages: [
        { role: "user", content: "Query" },
        { role: "assistant", content: null, tool_calls: [toolCall("a", "sql", '{"input":"select \\"1\\""}')] },
        { role: "tool", tool_call_id: "a", content: "1" },
      ],
      tools: [functionTool("sql", wholeInput, { description: "Runs SQL" })],
      tool_choice: { type: "function", function: { name: "sql" } },
    },
    answer: completion(
      llama,
      [choice({ content: null, tool_calls: [toolCall("b", "sql", '{"input":"select 2"}')] }, "tool_calls")],
      usage,
    ),
    given: response(
      {
        ...given,
        tools: [{ type: "custom", name: "sql", description: "Runs SQL" }],
        tool_choice: { type: "custom", name: "sql" },
      },
      [
        {
          id: "ctc_new",
          type: "custom_tool_call",
          status: "completed",
          call_id: "b",
          name: "sql",
          input: "select 2",
        },
      ],
      completed,
      responsesUsage(5, 2),
    ),
    stream: chunks(
      llama,
      [role, calls(0, "b", "sql"), argues(0, '{"input":"sel'), argues(0, 'ect 2"}')],
      [["tool_calls"]],
      usage,
    ),
    streamed: responseEvents(
      {
        ...given,
        tools: [{ type: "custom", name: "sql", description: "Runs SQL" }],
        tool_choice: { type: "custom", name: "sql" },
      },
      [
        {
          added: {
            id: "ctc_new",
            type: "custom_tool_call",
            status: "in_progress",
            call_id: "b",
            name: "sql",
            input: "",
          },
          between: [
            { type: "response.custom_tool_call_input.delta", delta: "sel" },
            { type: "response.custom_tool_call_input.delta", delta: "ect 2" },
            { type: "response.custom_tool_call_input.done", input: "select 2" },
          ],
          done: {
            id: "ctc_new",
            type: "custom_tool_call",
            status: "completed",
            call_id: "b",
            name: "sql",
            input: "select 2",
          },
        },
      ],
      completed,
      responsesUsage(5, 2),
      true,
    ),
  },
  {
    name: "thoughts without any state, text of several bytes a character, and an end at the limit",
    source,
    ...between,
    request: {
      input: [
        { role: "user", content: "2+2?" },
        {
          type: "reasoning",
          summary: [{ type: "summary_text", text: "Twos" }],
          encrypted_content: stateless,
        },
        { role: "assistant", content: "4" },
        { role: "user", content: "Emoji" },
      ],
      reasoning: { effort: "low", summary: "auto" },
    },
    upstream: {
      model: "llama-3.3-70b",
      messages: [
        { role: "user", content: "2+2?" },
        { role: "assistant", content: "4" },
        { role: "user", content: "Emoji" },
      ],
      reasoning_effort: "low",
    },
    dropped: ["reasoning.summary"],
    answer: completion(
      llama,
      [choice({ content: "😀é日", reasoning_content: "Höm" }, "length")],
      chatUsage(5, 4, {
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 2 },
      }),
    ),
    given: response(
      { ...given, reasoning: { effort: "low", summary: "auto" } },
      [
        reasoningItem("rs_new", "Höm", { encrypted_content: stateless }),
        messageItem("msg_new", [outputText("😀é日")], "incomplete"),
      ],
      incomplete("max_output_tokens"),
      responsesUsage(5, 4, { cached: 3, reasoning: 2 }),
    ),
    stream: chunks(
      llama,
      [role, [{ reasoning_content: "Hö" }], [{ reasoning_content: "m" }], says("😀"), says("é日")],
      [["length"]],
      usage,
    ),
    streamed: responseEvents(
      { ...given, reasoning: { effort: "low", summary: "auto" } },
      [
        streamedReasoning("rs_new", ["Hö", "m"], { encrypted_content: stateless }),
        streamedText("msg_new", ["😀", "é日"], "incomplete"),
      ],
      incomplete("max_output_tokens"),
      responsesUsage(5, 2),
      true,
    ),
  },
  {
    name: "no content at all",
    source,
    ...between,
    request: { input: "Hi" },
    upstream: { model: "llama-3.3-70b", messages: [{ role: "user", content: "Hi" }] },
    answer: completion(llama, [choice({ content: "" }, "stop")], usage),
    given: response(given, [], completed, responsesUsage(5, 2)),
    stream: chunks(llama, [role], [["stop"]], usage),
    streamed: responseEvents(given, [], completed, responsesUsage(5, 2), true),
  },
];
