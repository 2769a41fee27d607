// Requests that every dialect of callers can say in full, and what of a request is compared between dialects.

import fc from "fast-check";
import type { ChatMessage, ChatRequest, ContentPart, ToolCallPart } from "../../src/core/chat-request.ts";
import type { CallerDialect } from "../support/translated-exchange.ts";

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== "");
const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
const json = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
/** A number that no double holds goes along as it is written. */
const argumentsText = fc
  .dictionary(fc.constantFrom("a", "b", "__proto__"), json)
  .map((value) => JSON.stringify(value))
  .map((text) => (text === "{}" ? '{"n":12345678901234567890}' : text));

const text = words.map((said): ContentPart => ({ kind: "text", text: said }));
const image: fc.Arbitrary<ContentPart> = fc.oneof(
  name.map((path): ContentPart => ({ kind: "image", source: { from: "url", url: `https://x.test/${path}` } })),
  fc
    .base64String({ minLength: 4, maxLength: 12 })
    .map((data): ContentPart => ({ kind: "image", source: { from: "data", mediaType: "image/png", data } })),
);
/** Texts of one message may be joined on the way: one is what all can say. */
const userParts = fc.tuple(fc.array(image, { maxLength: 2 }), text).map(([images, said]) => [...images, said]);

const call = fc.record({ name, text: argumentsText });
const turn = fc.record({ user: userParts, said: maybe(words), calls: fc.array(call, { maxLength: 3 }), result: words });

function messagesOf(turns: readonly (typeof turn extends fc.Arbitrary<infer Value> ? Value : never)[]): ChatMessage[] {
  let calls = 0;
  return turns.flatMap(({ user, said, calls: called, result }): ChatMessage[] => {
    const parts = called.map((one): ToolCallPart => ({
      kind: "tool-call",
      id: `call_${++calls}`,
      name: one.name,
      arguments: one.text,
      toolKind: "function",
    }));
    const answer = said === undefined && parts.length > 0 ? [] : [{ kind: "text", text: said ?? "ok" } as const];
    return [
      { role: "user", parts: user },
      { role: "assistant", parts: [...answer, ...parts] },
      ...parts.map(({ id }): ChatMessage => ({
        role: "tool",
        callId: id,
        toolKind: "function",
        parts: [{ kind: "text", text: result }],
        isError: false,
      })),
    ];
  });
}

const tool = fc.record({
  name,
  description: maybe(words),
  properties: fc.dictionary(name, fc.constantFrom({ type: "string" }, { maximum: 5 }), { maxKeys: 2 }),
});
const closed = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };

/** `caller`: the dialect that said it. */
export function sharedRequest(caller: CallerDialect): fc.Arbitrary<ChatRequest> {
  return fc
    .record({
      system: maybe(words),
      turns: fc.array(turn, { minLength: 1, maxLength: 3 }),
      last: userParts,
      tools: fc.uniqueArray(tool, { selector: (one) => one.name, maxLength: 3 }),
      choice: fc.constantFrom(undefined, "auto", "required", "named"),
      parallel: fc.boolean(),
      maxTokens: fc.integer({ min: 16, max: 100_000 }),
      temperature: maybe(fc.constantFrom(0, 0.5, 1)),
      topP: maybe(fc.constantFrom(0.5, 1)),
      wantsFormat: fc.boolean(),
      stream: fc.boolean(),
    })
    .map(({ system, turns, last, tools, choice, parallel, wantsFormat, ...settings }): ChatRequest => {
      const [first] = tools;
      const chosen = first === undefined ? undefined : choice;
      return {
        dialect: caller,
        model: "m",
        wantsStreamUsage: true,
        messages: [
          ...(system === undefined ? [] : [{ role: "system", parts: [{ kind: "text", text: system }] } as const]),
          ...messagesOf(turns),
          { role: "user", parts: last },
        ],
        tools: tools.map((one) => ({
          kind: "function",
          name: one.name,
          ...(one.description === undefined ? {} : { description: one.description }),
          parameters: { type: "object", properties: one.properties },
        })),
        ...(chosen === undefined
          ? {}
          : {
              toolChoice:
                chosen === "named"
                  ? { kind: "named", toolKind: "function", name: first?.name ?? "" }
                  : { kind: chosen },
              parallelToolCalls: parallel,
            }),
        ...(wantsFormat ? { format: { kind: "json-schema", name: "response", schema: closed } } : {}),
        ...settings,
        own: [],
        unknown: {},
      };
    });
}

/** What all of them can say; results and the user's words of one turn may be one message or several. */
export function sharedParts(request: ChatRequest): unknown {
  const { messages, tools, toolChoice, parallelToolCalls, maxTokens, temperature, topP, format, stream } = request;
  const said = messages.flatMap((message): object[] =>
    message.role === "tool"
      ? [{ role: "tool", id: message.callId, parts: message.parts, isError: message.isError }]
      : message.parts.map((part) => ({ role: message.role, part })),
  );
  return JSON.parse(
    JSON.stringify({
      said,
      tools: tools.map((one) => (one.kind === "function" ? { ...one, strict: undefined } : one)),
      toolChoice,
      parallelToolCalls,
      maxTokens,
      temperature,
      topP,
      schema: format?.kind === "json-schema" ? format.schema : undefined,
      stream,
    }),
  );
}
