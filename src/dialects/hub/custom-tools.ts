// Tools that take any text, for targets that know functions only: each becomes a function with one text, and its calls are turned back.

import type { AnswerChoice, ChatAnswer, ChatEvent } from "../../core/chat-answer.ts";
import type {
  AssistantPart,
  ChatMessage,
  ChatRequest,
  ChatTool,
  CustomTool,
  ToolChoice,
} from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { InputText } from "./input-text.ts";

/** Of a request; empty when it has none. */
export function customToolNames(request: ChatRequest): ReadonlySet<string> {
  if (!request.tools.some(({ kind }) => kind === "custom")) return noNames;
  return new Set(request.tools.filter((tool) => tool.kind === "custom").map(({ name }) => name));
}

const noNames: ReadonlySet<string> = new Set();

/** The request with functions of one parameter, `input`, in the place of its custom tools, their calls and a choice of one; itself when it has none. */
export function customToolsAsFunctions(request: ChatRequest): ChatRequest {
  if (!hasCustom(request)) return request;
  const { toolChoice } = request;
  return {
    ...request,
    messages: request.messages.map(messageWithFunctions),
    tools: request.tools.map((tool) => (tool.kind === "custom" ? asFunction(tool) : tool)),
    ...(toolChoice === undefined ? {} : { toolChoice: choiceOfFunction(toolChoice) }),
  };
}

function hasCustom({ messages, tools, toolChoice }: ChatRequest): boolean {
  return (
    (toolChoice?.kind === "named" && toolChoice.toolKind === "custom") ||
    tools.some(({ kind }) => kind === "custom") ||
    messages.some((message) => {
      if (message.role === "tool") return message.toolKind === "custom";
      if (message.role !== "assistant") return false;
      return message.parts.some((part) => part.kind === "tool-call" && part.toolKind === "custom");
    })
  );
}

function asFunction(tool: CustomTool): ChatTool {
  const grammar = grammarOf(tool.format);
  const description = [tool.description, grammar].filter((text) => text !== undefined).join("\n\n");
  return {
    kind: "function",
    name: tool.name,
    ...(description === "" ? {} : { description }),
    parameters: {
      type: "object",
      properties: { input: { type: "string", description: "The whole input of the tool." } },
      required: ["input"],
      additionalProperties: false,
    },
    ...(tool.unknown === undefined ? {} : { unknown: tool.unknown }),
  };
}

/** The grammar cannot be enforced, but the model can be told of it. Chat has one more level than Responses. */
function grammarOf(format: unknown): string | undefined {
  if (!isJsonObject(format) || format.type !== "grammar") return undefined;
  const grammar = isJsonObject(format.grammar) ? format.grammar : format;
  if (typeof grammar.definition !== "string") return undefined;
  return `The input must follow this ${typeof grammar.syntax === "string" ? grammar.syntax : "formal"} grammar:\n${grammar.definition}`;
}

function messageWithFunctions(message: ChatMessage): ChatMessage {
  if (message.role === "tool") return message.toolKind === "custom" ? { ...message, toolKind: "function" } : message;
  if (message.role !== "assistant") return message;
  return { ...message, parts: message.parts.map(partWithFunction) };
}

function partWithFunction(part: AssistantPart): AssistantPart {
  if (part.kind !== "tool-call" || part.toolKind !== "custom") return part;
  return { ...part, toolKind: "function", arguments: JSON.stringify({ input: part.arguments }) };
}

function choiceOfFunction(choice: ToolChoice): ToolChoice {
  return choice.kind === "named" && choice.toolKind === "custom" ? { ...choice, toolKind: "function" } : choice;
}

/** The answer with custom calls again where a function of one of these names was called. */
export function restoreCustomCalls(answer: ChatAnswer, names: ReadonlySet<string>): ChatAnswer {
  if (names.size === 0) return answer;
  return { ...answer, choices: answer.choices.map((choice) => restoreInChoice(choice, names)) };
}

function restoreInChoice(choice: AnswerChoice, names: ReadonlySet<string>): AnswerChoice {
  return {
    ...choice,
    parts: choice.parts.map((part) => {
      if (part.kind !== "tool-call" || part.toolKind === "custom" || !names.has(part.name)) return part;
      const input = new InputText();
      return { ...part, toolKind: "custom", arguments: input.take(part.arguments) + input.finish() };
    }),
  };
}

/** The same for the events of one stream: the input of a call goes on as it arrives. */
export class CustomCallRestorer {
  readonly #names: ReadonlySet<string>;
  readonly #open = new Map<string, { choice: number; call: number; input: InputText }>();

  /** `names`: of the custom tools in the caller's request. */
  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  /** There are names; without them nothing is ever changed. */
  get isNeeded(): boolean {
    return this.#names.size > 0;
  }

  /** The events in their place; gives `events` itself when it changes none. */
  restore(events: readonly ChatEvent[]): readonly ChatEvent[] {
    if (this.#names.size === 0) return events;
    const restored: ChatEvent[] = [];
    for (const event of events) this.#restoreOne(event, restored);
    return restored;
  }

  /** The answer is complete: input that came in no form we know goes out as it came. */
  finish(): readonly ChatEvent[] {
    const events: ChatEvent[] = [];
    for (const { choice } of this.#open.values()) this.#close(choice, events);
    return events;
  }

  #restoreOne(event: ChatEvent, restored: ChatEvent[]): void {
    if (event.kind === "tool-call" && event.toolKind === "function" && this.#names.has(event.name)) {
      const { choice, call } = event;
      this.#open.set(`${choice} ${call}`, { choice, call, input: new InputText() });
      restored.push({ ...event, toolKind: "custom" });
    } else if (event.kind === "tool-arguments") {
      const open = this.#open.get(`${event.choice} ${event.call}`);
      const text = open === undefined ? event.text : open.input.take(event.text);
      if (open === undefined) restored.push(event);
      else if (text !== "") restored.push({ ...event, text });
    } else {
      if (event.kind === "finish") this.#close(event.choice, restored);
      restored.push(event);
    }
  }

  #close(choice: number, events: ChatEvent[]): void {
    for (const [key, open] of this.#open) {
      if (open.choice !== choice) continue;
      this.#open.delete(key);
      const text = open.input.finish();
      if (text !== "") events.push({ kind: "tool-arguments", choice, call: open.call, text });
    }
  }
}
