// Requests, answers and streams of the hub as chat completions can say them in full, for properties.

import fc from "fast-check";
import type { AnswerChoice, ChatAnswer, ChatEvent, Finish } from "../../src/core/chat-answer.ts";
import type {
  Annotation,
  AssistantPart,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ContentPart,
  Issuer,
  OutputFormat,
  ProviderState,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolChoice,
} from "../../src/core/chat-request.ts";
import type { Usage } from "../../src/core/usage.ts";

const word = fc.string({ unit: fc.constantFrom("a", "B", "7", "_"), minLength: 1, maxLength: 8 });
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
/** As it comes out of JSON: no -0. */
const json: fc.Arbitrary<unknown> = fc.json({ maxDepth: 2 }).map((value): unknown => JSON.parse(value));
const object = fc.dictionary(word, json, { maxKeys: 3 }).map((value) => ({ ...value }));
const unknown = fc.dictionary(
  word.map((name) => `x_${name}`),
  json.filter((value) => value !== null),
  { minKeys: 1, maxKeys: 2 },
);
const count = fc.nat({ max: 1_000_000 });

/** Members that may be there or not. */
function maybe<Members extends object>(members: { [Key in keyof Members]: fc.Arbitrary<Members[Key]> }) {
  return fc.record(members, { requiredKeys: [] }) as unknown as fc.Arbitrary<Partial<Members>>;
}

const around = maybe<Pick<TextPart, "unknown">>({ unknown });
const textPart: fc.Arbitrary<TextPart> = fc
  .tuple(text, around)
  .map(([said, more]) => ({ kind: "text", text: said, ...more }));

const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
const contentPart: fc.Arbitrary<ContentPart> = fc.oneof(
  textPart,
  fc
    .tuple(fc.webUrl(), maybe<{ detail: string }>({ detail: fc.constantFrom("low", "high") }), around)
    .map(([url, detail, more]): ContentPart => ({ kind: "image", source: { from: "url", url }, ...detail, ...more })),
  fc.tuple(base64, around).map(([data, more]): ContentPart => ({
    kind: "image",
    source: { from: "data", mediaType: "image/png", data },
    ...more,
  })),
  fc.tuple(base64, word).map(([data, filename]): ContentPart => ({
    kind: "file",
    source: { from: "data", mediaType: "application/pdf", data },
    filename,
  })),
  base64.map((data): ContentPart => ({ kind: "audio", data, format: "wav" })),
  word.map((name): ContentPart => ({
    kind: "opaque",
    dialect: "chat-completions",
    type: `x_${name}`,
    value: { type: `x_${name}`, y: 1 },
  })),
);

function thought(issuer: Issuer): fc.Arbitrary<ProviderState> {
  return word.map((value) => ({ issuer, kind: "thought", value }));
}

/** Reasoning in the forms that one issuer's state has. */
function reasoningOf(issuer: Issuer): fc.Arbitrary<readonly ReasoningPart[]> {
  const bare = text.map((said): readonly ReasoningPart[] => [{ kind: "reasoning", text: said }]);
  const none = fc.constant<readonly ReasoningPart[]>([]);
  const state = stateOf(issuer);
  return state === undefined
    ? fc.oneof(none, bare)
    : fc.oneof(none, bare, fc.array(state, { minLength: 1, maxLength: 2 }));
}

function stateOf(issuer: Issuer): fc.Arbitrary<ReasoningPart> | undefined {
  if (issuer === "anthropic") {
    return fc.oneof(
      fc.tuple(text, word).map(([said, value]): ReasoningPart => ({
        kind: "reasoning",
        text: said,
        state: { issuer, kind: "signature", value },
      })),
      word.map((value): ReasoningPart => ({ kind: "reasoning", text: "", state: { issuer, kind: "redacted", value } })),
    );
  }
  if (issuer !== "openrouter") return undefined;
  return fc.tuple(text, word).map(([said, signature]): ReasoningPart => {
    const value = JSON.stringify({ type: "reasoning.text", signature });
    return { kind: "reasoning", text: said, state: { issuer, kind: "signature", value } };
  });
}

function callOf(issuer: Issuer): fc.Arbitrary<Omit<ToolCallPart, "id">> {
  const state = issuer === "google" ? maybe<Pick<ToolCallPart, "state">>({ state: thought(issuer) }) : fc.constant({});
  return fc
    .tuple(word, fc.constantFrom("function", "custom"), object, text, state, around)
    .map(([name, toolKind, parameters, input, own, more]) => ({
      kind: "tool-call",
      name,
      toolKind,
      arguments: toolKind === "custom" ? input : JSON.stringify(parameters),
      ...own,
      ...more,
    }));
}

/** One turn: a user, then perhaps an assistant and the results of its calls. */
function turnOf(issuer: Issuer): fc.Arbitrary<(number: number) => readonly ChatMessage[]> {
  const named = maybe<{ name: string; unknown: Readonly<Record<string, unknown>> }>({ name: word, unknown });
  const assistant = fc.tuple(
    reasoningOf(issuer),
    fc.array(textPart, { maxLength: 2 }),
    fc.option(text, { nil: undefined }),
    fc.array(callOf(issuer), { maxLength: 2 }),
  );
  const role = fc.constantFrom("system", "user");
  return fc
    .tuple(
      role,
      fc.array(contentPart, { maxLength: 3 }),
      named,
      assistant,
      fc.array(textPart, { maxLength: 2 }),
      fc.boolean(),
    )
    .map(([speaker, parts, more, [reasoning, texts, refusal, calls], result, isError]) => (number) => {
      const withIds = calls.map((call, index): ToolCallPart => ({ ...call, id: `c${number}_${index}` }));
      const said: readonly AssistantPart[] = [
        ...reasoning,
        ...texts,
        ...(refusal === undefined ? [] : [{ kind: "refusal", text: refusal } as const]),
        ...withIds,
      ];
      return [
        { role: speaker, ...more, parts },
        { role: "assistant", parts: said },
        ...withIds.map(({ id, toolKind }): ChatMessage => ({
          role: "tool",
          callId: id,
          toolKind,
          parts: result,
          isError: isError && issuer === "anthropic",
        })),
      ];
    });
}

const tool: fc.Arbitrary<ChatTool> = fc.oneof(
  fc
    .tuple(
      word,
      maybe<{ description: string; parameters: unknown; strict: boolean; unknown: Readonly<Record<string, unknown>> }>({
        description: fc.string(),
        parameters: object,
        strict: fc.boolean(),
        unknown,
      }),
    )
    .map(([name, more]): ChatTool => ({ kind: "function", name, ...more })),
  fc
    .tuple(word, maybe<{ format: unknown }>({ format: object }))
    .map(([name, more]): ChatTool => ({ kind: "custom", name, ...more })),
);

function choiceAmong(tools: readonly ChatTool[], issuer: Issuer): fc.Arbitrary<{ readonly toolChoice?: ToolChoice }> {
  const kinds: fc.Arbitrary<ToolChoice>[] = [
    fc.constantFrom<ToolChoice>({ kind: "auto" }, { kind: "required" }, { kind: "none" }),
  ];
  const names = tools.flatMap((one) => (one.kind === "hosted" ? [] : [one.name]));
  if (names.length > 0) {
    kinds.push(fc.constantFrom(...names).map((name) => ({ kind: "named", toolKind: "function", name })));
    if (issuer === "openai") {
      kinds.push(fc.boolean().map((required) => ({ kind: "allowed", required, names })));
    }
  }
  return maybe<{ toolChoice: ToolChoice }>({ toolChoice: fc.oneof(...kinds) });
}

const format: fc.Arbitrary<OutputFormat> = fc.oneof(
  fc.constantFrom<OutputFormat>({ kind: "text" }, { kind: "json" }),
  fc
    .tuple(word, object, maybe<{ description: string; strict: boolean }>({ description: text, strict: fc.boolean() }))
    .map(([name, schema, more]): OutputFormat => ({ kind: "json-schema", name, schema, ...more })),
);

const ratio = fc.integer({ min: -20, max: 20 }).map((tenths) => (tenths === 0 ? 0 : tenths / 10));

/** For a target that takes everything and reads this issuer's state. */
export function chatRequest(issuer: Issuer): fc.Arbitrary<ChatRequest> {
  const settings = maybe<Partial<ChatRequest>>({
    parallelToolCalls: fc.boolean(),
    maxTokens: count,
    temperature: ratio,
    topP: ratio,
    topK: count,
    stop: fc.array(text, { minLength: 1, maxLength: 3 }),
    seed: count,
    choices: count,
    frequencyPenalty: ratio,
    presencePenalty: ratio,
    logitBias: object,
    logprobs: fc.boolean(),
    topLogprobs: count,
    reasoning: word.map((effort) => ({ effort })),
    format,
    verbosity: word,
    user: word,
    metadata: object,
    serviceTier: word,
    store: fc.boolean(),
    promptCacheKey: word,
  });
  return fc
    .tuple(
      fc.array(turnOf(issuer), { minLength: 1, maxLength: 3 }),
      fc.array(tool, { maxLength: 3 }),
      settings,
      fc.boolean(),
      fc.option(unknown, { nil: {} }),
    )
    .chain(([turns, tools, fields, stream, more]) =>
      choiceAmong(tools, issuer).map((choice): ChatRequest => ({
        dialect: "chat-completions",
        model: "m",
        stream,
        wantsStreamUsage: stream,
        messages: turns.flatMap((turn, number) => turn(number)),
        tools,
        ...choice,
        ...fields,
        own: [],
        unknown: more,
      })),
    );
}

const annotation: fc.Arbitrary<Annotation> = fc
  .tuple(fc.webUrl(), text, fc.nat({ max: 5 }))
  .map(([url, title, endIndex]) => {
    const url_citation = { url, title, start_index: 0, end_index: endIndex };
    const value = { type: "url_citation", url_citation };
    return { kind: "url", url, title, startIndex: 0, endIndex, raw: { dialect: "chat-completions", value } };
  });

const plainFinish = fc.constantFrom<Finish>(
  { reason: "stop", raw: "stop" },
  { reason: "length", raw: "length" },
  { reason: "content-filter", raw: "content_filter" },
  { reason: "unknown", raw: "of_tomorrow" },
);
const callFinish = fc.constantFrom<Finish>(
  { reason: "tool-calls", raw: "tool_calls" },
  { reason: "length", raw: "length" },
);

/** Inclusive counts; `raw` is the provider's and differs from answer to answer. */
const chatUsage: fc.Arbitrary<Usage> = fc
  .tuple(count, count, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([inputTokens, outputTokens, part]) => ({
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cachedInputTokens: Math.floor(inputTokens * part),
    cacheWriteTokens: Math.floor((inputTokens * part) / 2),
    reasoningTokens: Math.floor(outputTokens * part),
    audioInputTokens: Math.floor((inputTokens * part) / 3),
    audioOutputTokens: Math.floor((outputTokens * part) / 3),
    cacheIsExtra: false,
    reasoningIsExtra: false,
    unmappedFields: [],
    raw: {},
  }));

const logprobs = fc.array(object, { minLength: 1, maxLength: 2 });
const issuer = fc.constantFrom<Issuer>("anthropic", "openai", "google");

function answerChoice(index: number): fc.Arbitrary<AnswerChoice> {
  return issuer
    .chain((one) =>
      fc.tuple(
        reasoningOf(one),
        fc.option(
          fc.tuple(
            text,
            maybe<Pick<TextPart, "annotations" | "logprobs" | "state">>({
              annotations: fc.array(annotation, { minLength: 1, maxLength: 2 }),
              logprobs,
              ...(one === "google" ? { state: thought(one) } : {}),
            } as never),
          ),
          { nil: undefined },
        ),
        fc.option(text, { nil: undefined }),
        fc.array(callOf(one), { maxLength: 2 }),
        fc.option(unknown, { nil: undefined }),
      ),
    )
    .chain(([reasoning, said, refusal, calls, more]) =>
      (calls.length > 0 ? callFinish : plainFinish).map((finish) => ({
        index,
        parts: [
          ...reasoning,
          ...(said === undefined ? [] : [{ kind: "text", text: said[0], ...said[1] } as const]),
          ...(refusal === undefined ? [] : [{ kind: "refusal", text: refusal } as const]),
          ...calls.map((call, number): ToolCallPart => ({ ...call, id: `c${number}` })),
        ],
        finish,
        ...(more === undefined ? {} : { unknown: more }),
      })),
    );
}

export const chatAnswer: fc.Arbitrary<ChatAnswer> = fc
  .tuple(
    fc
      .nat({ max: 2 })
      .chain((last) => fc.tuple(...Array.from({ length: last + 1 }, (_, index) => answerChoice(index)))),
    maybe<{ serviceTier: string; usage: Usage; unknown: Readonly<Record<string, unknown>> }>({
      serviceTier: word,
      usage: chatUsage,
      unknown,
    }),
  )
  .map(([choices, more]) => ({ id: "c1", model: "m", created: 1, choices, ...more }));

/** Events of one choice up to its end. */
function choiceEvents(choice: number): fc.Arbitrary<readonly ChatEvent[]> {
  const piece = text.map((said) => said);
  const opening = fc.oneof(
    fc.constant<readonly ChatEvent[]>([]),
    fc
      .array(piece, { minLength: 1, maxLength: 3 })
      .map((pieces) => pieces.map((said): ChatEvent => ({ kind: "reasoning", choice, text: said }))),
    fc.tuple(piece, word, fc.array(word, { maxLength: 2 })).map(([said, signature, redacted]): readonly ChatEvent[] => [
      { kind: "reasoning", choice, text: said },
      { kind: "end-of-reasoning", choice, state: { issuer: "anthropic", kind: "signature", value: signature } },
      ...redacted.map((value): ChatEvent => ({
        kind: "end-of-reasoning",
        choice,
        state: { issuer: "anthropic", kind: "redacted", value },
      })),
    ]),
  );
  const said = fc.array(
    fc.oneof(
      fc
        .tuple(piece, maybe<{ logprobs: readonly unknown[] }>({ logprobs }))
        .map(([one, more]): ChatEvent => ({ kind: "text", choice, text: one, ...more })),
      piece.map((one): ChatEvent => ({ kind: "refusal", choice, text: one })),
      annotation.map((one): ChatEvent => ({ kind: "annotation", choice, annotation: one })),
      thought("google").map((state): ChatEvent => ({ kind: "text-state", choice, state })),
      object
        .filter((value) => Object.keys(value).length > 0)
        .map((value): ChatEvent => ({ kind: "audio", choice, value })),
    ),
    { maxLength: 4 },
  );
  const calls = fc.array(
    fc.tuple(word, fc.constantFrom("function", "custom"), fc.option(thought("google"), { nil: undefined })),
    { maxLength: 3 },
  );
  // Pieces go to any of the calls, so that they alternate.
  const pieces = fc.array(fc.tuple(fc.nat({ max: 2 }), piece), { maxLength: 6 });
  return fc.tuple(opening, said, calls, pieces).chain(([reasoning, texts, started, rest]) => {
    const begun = started.map(([name, toolKind, state], call): ChatEvent => {
      const id = `id${choice}_${call}`;
      return { kind: "tool-call", choice, call, id, name, toolKind, ...(state === undefined ? {} : { state }) };
    });
    // Each has a piece of its own: a function without any would get the empty object.
    const first = started.map((_, call): ChatEvent => ({ kind: "tool-arguments", choice, call, text: "{" }));
    const more = rest
      .filter(([call]) => call < started.length)
      .map(([call, one]): ChatEvent => ({ kind: "tool-arguments", choice, call, text: one }));
    return (started.length > 0 ? callFinish : plainFinish).map((finish): readonly ChatEvent[] => [
      ...reasoning,
      ...texts,
      ...begun,
      ...first,
      ...more,
      { kind: "finish", choice, finish },
    ]);
  });
}

/** A whole stream; with several choices their events alternate, each in its own order. */
export const chatEvents: fc.Arbitrary<readonly ChatEvent[]> = fc
  .tuple(choiceEvents(0), fc.option(choiceEvents(1), { nil: [] }), fc.infiniteStream(fc.boolean()), chatUsage)
  .map(([first, second, turns, usage]) => {
    const events: ChatEvent[] = [{ kind: "start", id: "c1", model: "m", created: 1 }];
    const queues = [first.slice(), second.slice()];
    while (queues.some((queue) => queue.length > 0)) {
      const turn = turns.next().value === true ? 1 : 0;
      const event = queues[turn]?.shift() ?? queues[1 - turn]?.shift();
      if (event !== undefined) events.push(event);
    }
    events.push({ kind: "usage", usage });
    return events;
  });
