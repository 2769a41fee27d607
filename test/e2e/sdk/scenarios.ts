// Scenarios that end in an answer: what is asked, what the upstream does, and what must come of it with every SDK.

import { answerText } from "../../../src/upstream-simulator/answer-text.ts";
import { type Ask, assistant, imageUrl, pdfBase64, pngBase64, results, said, toolDescription, user } from "./ask.ts";
import type { Answered, CallerDialect, Mode } from "./driver.ts";
import type { ProviderName } from "./sdk-gateway.ts";

/** What a translated target makes of a scenario that it cannot honour, or can only say in its own way. */
export type Otherwise = { readonly refusedWith: string } | { readonly answer: Partial<Answered> };

export interface Scenario {
  readonly name: string;
  /** What the upstream does: a model of the simulator. */
  readonly model: string;
  readonly ask?: Ask;
  /** Default: both. */
  readonly modes?: readonly Mode[];
  /** Default: all that can say it. */
  readonly callers?: readonly CallerDialect[];
  /** What must come out, as far as it is named. */
  readonly answer?: Partial<Answered>;
  /** Where a translation cannot give what the caller's own dialect does; the reason stands with the scenario. */
  readonly otherwise?: Readonly<Partial<Record<ProviderName, Otherwise>>>;
  /** Where members begin that a translated answer has no reason to have. */
  readonly mayLack?: readonly string[];
  /** Texts that must be in the request that reaches the target, whatever its dialect. */
  readonly reaches?: readonly string[];
}

const weatherCall = { id: "call_7", name: "get_weather", input: { city: "Köln" } };
const secondCall = { id: "call_8", name: "get_weather", input: { city: "大阪" } };
const rain = { id: "call_7", name: "get_weather", text: "it rains in Köln" };
const sun = { id: "call_8", name: "get_weather", text: "the sun shines on 大阪" };
const asksWeather = user("How is the weather?");
const tools: Ask = { tools: true, turns: [asksWeather] };
const cologne = { name: "get_weather", input: { city: "Köln" } };
const osaka = { name: "get_weather", input: { city: "大阪" } };
const said12 = (model: string): Partial<Answered> => ({
  text: answerText(model),
  calls: [],
  end: "stop",
  usage: { input: 11, output: 12, cached: 0 },
});
const okAnswer = said12("ok");

const questions: readonly Scenario[] = [
  { name: "text", model: "ok", answer: okAnswer, reaches: ["Hello"] },
  { name: "a long text", model: "ok-2000", answer: { text: answerText("ok-2000", 2000), end: "stop" } },
  {
    name: "system",
    model: "ok",
    ask: { system: "Answer in rhymes." },
    answer: okAnswer,
    reaches: ["Answer in rhymes."],
  },
  {
    name: "several turns",
    model: "ok",
    ask: { turns: [user("My name is Zoë."), assistant("Hello Zoë!"), user("What is it?")] },
    answer: okAnswer,
    reaches: ["My name is Zoë.", "Hello Zoë!", "What is it?"],
  },
  {
    name: "several parts of text",
    model: "ok",
    ask: { turns: [user("first part", "second part", "日本語 🙂")] },
    answer: okAnswer,
    reaches: ["first part", "second part", "日本語 🙂"],
  },
  {
    name: "an image as data",
    model: "ok",
    ask: { turns: [user("What is this?", { kind: "image-data" })] },
    answer: okAnswer,
    reaches: ["What is this?", pngBase64, "image/png"],
  },
  {
    name: "a PDF",
    model: "ok",
    ask: { turns: [user(said("Sum it up."), { kind: "pdf" })] },
    answer: okAnswer,
    reaches: ["Sum it up.", pdfBase64, "application/pdf"],
    // Most providers of chat completions alone take no files.
    otherwise: { chat: { refusedWith: "files are not supported by provider chat" } },
  },
  {
    name: "an image by its URL",
    model: "ok",
    ask: { turns: [user("And this?", { kind: "image-url" })] },
    answer: okAnswer,
    reaches: [imageUrl],
    // Gemini's own interface loads none, and the gateway opens no addresses that callers name.
    otherwise: { gemini: { refusedWith: "remote images are not loaded" } },
  },
  {
    name: "settings",
    model: "ok",
    ask: { temperature: 0.25, maxTokens: 321 },
    answer: okAnswer,
    reaches: ["0.25", "321"],
  },
  { name: "a stop sequence", model: "ok", ask: { stop: ["NEVER SAID"] }, answer: okAnswer, reaches: ["NEVER SAID"] },
];

const calls: readonly Scenario[] = [
  {
    name: "one tool call",
    model: "tools",
    ask: tools,
    answer: { calls: [cologne], end: "calls" },
    reaches: [toolDescription],
  },
  {
    name: "parallel tool calls",
    model: "parallel-tools",
    ask: tools,
    answer: { calls: [cologne, osaka], end: "calls" },
  },
  {
    name: "huge arguments",
    model: "tools-large",
    ask: tools,
    answer: { calls: [{ name: "get_weather", input: { city: "Köln 大阪 🙂 ".repeat(48 * 377) } }], end: "calls" },
  },
  { name: "tools that are not called", model: "ok", ask: tools, answer: okAnswer },
  {
    name: "a tool that must be called",
    model: "tools",
    ask: { ...tools, toolChoice: "required" },
    answer: { calls: [cologne], end: "calls" },
  },
  {
    name: "a tool that is named",
    model: "tools",
    ask: { ...tools, toolChoice: "named" },
    answer: { calls: [cologne] },
  },
  { name: "tools that must not be called", model: "ok", ask: { ...tools, toolChoice: "none" }, answer: okAnswer },
  {
    name: "one call at most",
    model: "tools",
    ask: { ...tools, oneCall: true },
    answer: { calls: [cologne], end: "calls" },
  },
  {
    name: "the result of a tool",
    model: "tools",
    ask: { tools: true, turns: [asksWeather, assistant(undefined, weatherCall), results(rain)] },
    answer: said12("tools"),
    reaches: [rain.text, "get_weather"],
  },
  {
    name: "text beside a call, and its result",
    model: "tools",
    ask: { tools: true, turns: [asksWeather, assistant("Let me look.", weatherCall), results(rain)] },
    answer: said12("tools"),
    reaches: ["Let me look.", rain.text],
  },
  {
    name: "results of parallel calls",
    model: "parallel-tools",
    ask: { tools: true, turns: [asksWeather, assistant(undefined, weatherCall, secondCall), results(rain, sun)] },
    answer: said12("parallel-tools"),
    reaches: [rain.text, sun.text],
  },
  {
    name: "a tool that failed",
    model: "tools",
    ask: {
      tools: true,
      turns: [asksWeather, assistant(undefined, weatherCall), results({ ...rain, failed: true, text: "no such city" })],
    },
    answer: said12("tools"),
    reaches: ["no such city"],
  },
];

const answers: readonly Scenario[] = [
  {
    name: "reasoning",
    model: "reasoning",
    ask: { thinks: true },
    answer: { text: "done thinking", reasoning: "let me think", end: "stop" },
  },
  {
    name: "structured output",
    model: "json-text",
    ask: { json: true },
    answer: { text: '{"city":"Köln","celsius":-3.5}', end: "stop" },
    reaches: ["celsius"],
  },
  { name: "the limit of tokens", model: "finish-length", answer: { text: "cut by the limit", end: "length" } },
  {
    name: "a stop sequence that ends it",
    model: "stop-sequence",
    ask: { stop: ["END"] },
    answer: { text: "cut by the sequence", end: "stop" },
  },
  {
    name: "a refusal",
    model: "refusal",
    answer: { calls: [] },
    // Anthropic tells it as the reason why the text ended, Gemini gives no text at all.
    otherwise: {
      anthropic: { answer: { text: "no", refusal: "", end: "filter" } },
      gemini: { answer: { text: "", refusal: "", end: "filter" } },
    },
    mayLack: [".content[]", ".output[]"],
  },
  { name: "a content filter", model: "content-filter", answer: { end: "filter" } },
  {
    name: "cached usage",
    model: "cached-usage",
    answer: { text: "from the cache", usage: { input: 1211, output: 12, cached: 1000 } },
  },
  {
    name: "no content",
    model: "no-content",
    answer: { text: "", calls: [] },
    // OpenAI says nothing in a message, others in none.
    mayLack: [".output[]"],
  },
  {
    name: "two choices",
    model: "two-choices",
    ask: { choices: 2 },
    callers: ["chat-completions"],
    answer: { text: "choice 0 of two-choices|choice 1 of two-choices" },
    otherwise: { anthropic: { refusedWith: "`n` is not supported by provider anthropic" } },
  },
  { name: "text that looks like the end of a stream", model: "terminal-in-text", answer: { end: "stop" } },
];

const wires: readonly Scenario[] = [
  { name: "every byte alone", model: "bytes", answer: said12("bytes") },
  { name: "pieces of any size", model: "random-pieces", answer: said12("random-pieces") },
  { name: "compressed", model: "gzip", answer: said12("gzip") },
  { name: "lines that end in CRLF", model: "sse-crlf", modes: ["stream"], answer: said12("sse-crlf") },
  { name: "comments between events", model: "sse-comments", modes: ["stream"], answer: said12("sse-comments") },
  { name: "a byte order mark", model: "sse-bom", modes: ["stream"], answer: said12("sse-bom") },
  { name: "silence before the first word", model: "slow-first-50", answer: said12("slow-first-50") },
];

export const answering: readonly Scenario[] = [...questions, ...calls, ...answers, ...wires];
