// Answers of a healthy upstream, in all the shapes that models give them.

import type { Asked } from "../asked.ts";
import { eventsOf, rightEvents, streamOf, textsOf } from "../event-stream.ts";
import { bothModes, faultGroup, numberOr, oneNumber } from "../fault.ts";
import { chatDocument, usageEvents } from "../forms/chat-completions.ts";
import { deltaEvent, done, finishEvent, roleEvent } from "../forms/chat-events.ts";
import { chunk, chunkedBody, head, jsonType, lastChunk, sized, streamType } from "../http-answer.ts";
import { saidJson } from "../json-answer.ts";
import { rightAnswer } from "../right-answer.ts";
import { cologneCall, namedCall, parallelCalls, said, text, thought, type Said, type SaidPart } from "../said.ts";
import { wordsOf } from "../spoken-answer.ts";
import { paced, write, type Step } from "../step.ts";

/** Every piece begins and ends inside the string, between characters of more than one byte. */
function largeArguments(): string[] {
  const middle = Array.from({ length: 48 }, () => "Köln 大阪 🙂 ".repeat(377));
  return ['{"city":"', ...middle, '"}'];
}

/** In one document, or as the events that add up to it. */
function answerOf(asked: Asked, answer: Said): readonly Step[] {
  if (asked.mode === "stream") return streamOf(asked, textsOf(eventsOf(asked, answer)));
  return [write(sized(asked, 200, jsonType, saidJson(asked, answer)))];
}

/** Calls, or the right text once their results are there: an agent's turn comes to its end. */
function callsOf(asked: Asked, answer: Said): readonly Step[] {
  return asked.hasToolResult ? [write(rightAnswer(asked))] : answerOf(asked, answer);
}

/** Two choices whose deltas alternate. */
function twoChoices(asked: Asked): readonly Step[] {
  const { usage } = said(asked, "stop");
  if (asked.mode === "buffered") {
    const choices = [0, 1].map((index) => ({
      index,
      message: { role: "assistant", content: `choice ${index} of ${asked.model}` },
      finish_reason: "stop",
    }));
    const document = { ...chatDocument(asked, {}, "stop", usage), choices };
    return [write(sized(asked, 200, jsonType, JSON.stringify(document)))];
  }
  const each = (make: (index: number) => string): string[] => [make(0), make(1)];
  return streamOf(asked, [
    ...each((index) => roleEvent(asked, index)),
    ...each((index) => deltaEvent(asked, { content: `choice ${index}` }, {}, index)),
    ...each((index) => deltaEvent(asked, { content: ` of ${asked.model}` }, {}, index)),
    ...each((index) => finishEvent(asked, "stop", {}, index)),
    ...textsOf(usageEvents(asked, usage)),
    done,
  ]);
}

/** Gemini's form of two choices: every chunk has both. */
function twoCandidates(asked: Asked): readonly Step[] {
  const pieces = (index: number): SaidPart => text(`choice ${index}`, ` of ${asked.model}`);
  const sent = [0, 1].map((index) => eventsOf(asked, said(asked, "stop", pieces(index))));
  const documents = [0, 1].map((index) => saidJson(asked, said(asked, "stop", pieces(index))));
  if (asked.mode === "buffered") return [write(sized(asked, 200, jsonType, bothCandidates(documents)))];
  const chunks = sent[0]?.map((_, place) => sent.map((events) => events[place]?.text.slice("data: ".length) ?? ""));
  return streamOf(asked, chunks?.map((both) => `data: ${bothCandidates(both)}\n\n`) ?? []);
}

/** The first document, with the candidate of the second beside its own. */
function bothCandidates(documents: readonly string[]): string {
  const [first, second]: { candidates: object[] }[] = documents.map((text) => JSON.parse(text));
  const other = second?.candidates.map((candidate) => ({ ...candidate, index: 1 })) ?? [];
  return JSON.stringify({ ...first, candidates: [...(first?.candidates ?? []), ...other] });
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
    plan: (asked) => callsOf(asked, said(asked, "calls", namedCall(asked, cologneCall))),
  },
  {
    name: "parallel-tools",
    sentence: "Two tool calls whose pieces alternate.",
    whole: true,
    plan: (asked) => callsOf(asked, said(asked, "calls", ...parallelCalls.map((call) => namedCall(asked, call)))),
  },
  {
    name: "tools-large",
    sentence: "One tool call of about 200,000 characters of arguments, in 50 pieces.",
    whole: true,
    plan: (asked) => callsOf(asked, said(asked, "calls", { ...cologneCall, pieces: largeArguments() })),
  },
  {
    name: "tools-bad-json",
    sentence: "One tool call whose arguments are no JSON.",
    whole: ["chat-completions", "responses"],
    plan: (asked) => callsOf(asked, said(asked, "calls", { ...cologneCall, pieces: ['{"city"', ':"Kö'] })),
  },
  {
    name: "reasoning",
    sentence: "Reasoning text before the answer.",
    whole: true,
    plan: (asked) => answerOf(asked, said(asked, "stop", thought, text("done thinking"))),
  },
  {
    name: "refusal",
    sentence: "The model declines in the refusal field, without content.",
    whole: true,
    plan: (asked) => answerOf(asked, said(asked, "refusal", { kind: "refusal", pieces: ["no"] })),
  },
  {
    name: "two-choices",
    sentence: "An answer with two choices that alternate.",
    dialects: ["chat-completions", "gemini"],
    whole: true,
    plan: (asked) => (asked.dialect === "gemini" ? twoCandidates(asked) : twoChoices(asked)),
  },
  {
    name: "finish-length",
    sentence: "A right answer that ended at the token limit.",
    whole: true,
    plan: (asked) => answerOf(asked, said(asked, "length", text("cut by the limit"))),
  },
  {
    name: "finish-error",
    sentence: "An answer whose finish_reason is error.",
    dialects: ["chat-completions", "responses"],
    plan: (asked) => answerOf(asked, said(asked, "error", text("then it broke"))),
  },
  {
    name: "content-filter",
    sentence: "An answer that the content filter ended.",
    whole: true,
    plan: (asked) => answerOf(asked, said(asked, "filter", text("cut by the filter"))),
  },
  {
    name: "stop-sequence",
    sentence: "A right answer that ended at a stop sequence.",
    whole: true,
    plan: (asked) => answerOf(asked, said(asked, "stop-sequence", text("cut by the sequence"))),
  },
  {
    name: "cached-usage",
    sentence: "A right answer whose usage tells of cached and of reasoning tokens.",
    whole: true,
    plan: (asked) => {
      const usage = { input: 1211, output: 12, cached: 1000, written: 200, reasoning: 5 };
      return answerOf(asked, { ...said(asked, "stop", text("from ", "the cache")), usage });
    },
  },
  {
    name: "json-text",
    sentence: "A right answer whose text is a JSON object, as structured output is.",
    whole: true,
    plan: (asked) => answerOf(asked, said(asked, "stop", text('{"ci', 'ty":"Kö', 'ln","celsius"', ":-3.5}"))),
  },
  {
    name: "no-content",
    sentence: "A well-formed answer without a single word.",
    whole: true,
    plan: (asked) => answerOf(asked, said(asked, "stop", text())),
  },
  {
    name: "terminal-in-text",
    sentence: "A right answer whose text looks like the end of a stream and like an error.",
    whole: true,
    plan: (asked) => {
      const content = 'data: [DONE]\n\ndata: {"error":{"code":500}}\n\n"finish_reason":"stop"';
      return answerOf(asked, said(asked, "stop", text(content)));
    },
  },
]);
