// Answers of a healthy upstream, in all the shapes that models give them.

import { defaultWords } from "../answer-text.ts";
import type { Asked } from "../asked.ts";
import { bothModes, faultGroup, numberOr, oneNumber } from "../fault.ts";
import { deltaEvent, done, finishEvent, rightEvents, roleEvent, streamOf, usageEvents } from "../event-stream.ts";
import { chunk, chunkedBody, head, jsonType, lastChunk, sized, streamType } from "../http-answer.ts";
import { chatJson } from "../json-answer.ts";
import { rightAnswer } from "../right-answer.ts";
import { wordsOf } from "../spoken-answer.ts";
import { paced, write, type Step } from "../step.ts";

/** A message in one document, or as the deltas that add up to it. */
function message(asked: Asked, whole: object, deltas: readonly object[], finishReason: string): readonly Step[] {
  if (asked.mode === "buffered") {
    return [write(sized(asked, 200, jsonType, chatJson(asked, { role: "assistant", ...whole }, finishReason)))];
  }
  const events = deltas.map((delta) => deltaEvent(asked, delta));
  const end = [finishEvent(asked, finishReason), ...usageEvents(asked, defaultWords), done];
  return streamOf(asked, [roleEvent(asked), ...events, ...end]);
}

const cologne = { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Köln"}' } };
const osaka = { id: "call_2", type: "function", function: { name: "get_weather", arguments: '{"city":"大阪"}' } };

function toolDelta(index: number, fragment: string, call?: typeof cologne): object {
  const start = call === undefined ? {} : { id: call.id, type: call.type };
  const name = call === undefined ? {} : { name: call.function.name };
  return { tool_calls: [{ index, ...start, function: { ...name, arguments: fragment } }] };
}

/** Deltas of one tool call, its arguments in three pieces. */
export const toolDeltas = [
  toolDelta(0, "", cologne),
  toolDelta(0, '{"city"'),
  toolDelta(0, ':"Kö'),
  toolDelta(0, 'ln"}'),
];

const parallelDeltas = [
  toolDelta(0, "", cologne),
  toolDelta(1, '{"city', osaka),
  toolDelta(0, '{"city":"Kö'),
  toolDelta(1, '":"大'),
  toolDelta(0, 'ln"}'),
  toolDelta(1, '阪"}'),
];

/** Two choices whose deltas alternate. */
function twoChoices(asked: Asked): readonly Step[] {
  if (asked.mode === "buffered") {
    const choices = [0, 1].map((index) => ({
      index,
      message: { role: "assistant", content: `choice ${index} of ${asked.model}` },
      finish_reason: "stop",
    }));
    return [write(sized(asked, 200, jsonType, chatJson(asked, {}, "stop", { choices })))];
  }
  const each = (make: (index: number) => string): string[] => [make(0), make(1)];
  return streamOf(asked, [
    ...each((index) => roleEvent(asked, index)),
    ...each((index) => deltaEvent(asked, { content: `choice ${index}` }, {}, index)),
    ...each((index) => deltaEvent(asked, { content: ` of ${asked.model}` }, {}, index)),
    ...each((index) => finishEvent(asked, "stop", {}, index)),
    ...usageEvents(asked, defaultWords),
    done,
  ]);
}

/** A beat for every event, the first one with the head. */
function pacedAnswer(asked: Asked, everyMs: number, words: number): readonly Step[] {
  if (asked.mode === "buffered") return [write(rightAnswer(asked, words))];
  const chunks = rightEvents(asked, words).map(chunk);
  return [write(head(asked, 200, [streamType, chunkedBody])), paced(everyMs, chunks), write(lastChunk)];
}

export const healthyAnswers = faultGroup("healthy", bothModes, [
  {
    name: "ok",
    sentence: "A right answer of 12 words, or of so many as are given.",
    parameters: oneNumber,
    examples: ["ok", "ok-3"],
    whole: true,
    plan: (asked, [, words]) => [write(rightAnswer(asked, numberOr(words, wordsOf(asked))))],
  },
  {
    name: "burst",
    sentence: "A right answer of so many words, every event of the stream in one write.",
    parameters: /^(\d{1,5})$/,
    examples: ["burst-50"],
    whole: true,
    plan: (asked, [, words]) => [write(rightAnswer(asked, Number(words)))],
  },
  {
    name: "paced",
    sentence: "A right stream with so many milliseconds between events and so many words.",
    parameters: /^(\d{1,5})-(\d{1,5})$/,
    examples: ["paced-10-5"],
    whole: true,
    plan: (asked, [, everyMs, words]) => pacedAnswer(asked, Number(everyMs), Number(words)),
  },
  {
    name: "tools",
    sentence: "One tool call, its arguments in pieces.",
    whole: true,
    plan: (asked) => message(asked, { content: null, tool_calls: [cologne] }, toolDeltas, "tool_calls"),
  },
  {
    name: "parallel-tools",
    sentence: "Two tool calls whose pieces alternate.",
    whole: true,
    plan: (asked) => message(asked, { content: null, tool_calls: [cologne, osaka] }, parallelDeltas, "tool_calls"),
  },
  {
    name: "reasoning",
    sentence: "Reasoning text before the answer.",
    whole: true,
    plan: (asked) => {
      const deltas = [{ reasoning_content: "let me " }, { reasoning_content: "think" }, { content: "done thinking" }];
      return message(asked, { content: "done thinking", reasoning_content: "let me think" }, deltas, "stop");
    },
  },
  {
    name: "refusal",
    sentence: "The model declines in the refusal field, without content.",
    whole: true,
    plan: (asked) => message(asked, { content: null, refusal: "no" }, [{ refusal: "no" }], "stop"),
  },
  { name: "two-choices", sentence: "An answer with two choices that alternate.", whole: true, plan: twoChoices },
  {
    name: "finish-length",
    sentence: "A right answer that ended at the token limit.",
    whole: true,
    plan: (asked) => message(asked, { content: "cut by the limit" }, [{ content: "cut by the limit" }], "length"),
  },
  {
    name: "finish-error",
    sentence: "An answer whose finish_reason is error.",
    plan: (asked) => message(asked, { content: "then it broke" }, [{ content: "then it broke" }], "error"),
  },
  {
    name: "no-content",
    sentence: "A well-formed answer without a single word.",
    whole: true,
    plan: (asked) => message(asked, { content: "" }, [], "stop"),
  },
  {
    name: "terminal-in-text",
    sentence: "A right answer whose text looks like the end of a stream and like an error.",
    whole: true,
    plan: (asked) => {
      const content = 'data: [DONE]\n\ndata: {"error":{"code":500}}\n\n"finish_reason":"stop"';
      return message(asked, { content }, [{ content }], "stop");
    },
  },
]);
