// Answers that only other dialects than chat completions can give: events out of their sequence, spellings of compatible servers.

import type { Asked } from "../asked.ts";
import { eventsOf, inserted, rightEvents, streamOf, textsOf } from "../event-stream.ts";
import { bothModes, faultGroup } from "../fault.ts";
import { namedEvent } from "../forms/named-event.ts";
import { jsonType, sized } from "../http-answer.ts";
import { saidJson } from "../json-answer.ts";
import { cologneCall, namedCall, said, text } from "../said.ts";
import { write, type Step } from "../step.ts";

/** Members of an event's data. */
type Members = Readonly<Record<string, unknown>>;

/** The events with the data that `change` makes of theirs; undefined takes an event out of the stream. */
function changed(events: readonly string[], change: (data: Members) => Members | undefined): string[] {
  return events.flatMap((event) => {
    const start = event.indexOf("data: ") + "data: ".length;
    const data = change(JSON.parse(event.slice(start)));
    return data === undefined ? [] : [`${event.slice(0, start)}${JSON.stringify(data)}\n\n`];
  });
}

/** What Anthropic sends of thoughts that it does not show; it decodes as base64. */
const redacted = { type: "redacted_thinking", data: "EmwKAnNpbXVsYXRlZCByZWRhY3Rpb24=" };

/** A redacted block in front of the text, which comes one place later. */
function redactedAnswer(asked: Asked): readonly Step[] {
  const answer = said(asked, "stop", text("done ", "thinking"));
  if (asked.mode === "buffered") {
    const content = [redacted, { type: "text", text: "done thinking" }];
    return [write(sized(asked, 200, jsonType, saidJson(asked, answer, { content })))];
  }
  const [start = "", ...rest] = textsOf(eventsOf(asked, answer));
  const moved = changed(rest, (data) => (data["index"] === 0 ? { ...data, index: 1 } : data));
  const block = [
    namedEvent({ type: "content_block_start", index: 0, content_block: redacted }),
    namedEvent({ type: "content_block_stop", index: 0 }),
  ];
  return streamOf(asked, [start, ...block, ...moved]);
}

/** A call that has an id, as newer Gemini models give it one. */
function callWithId(asked: Asked): readonly Step[] {
  const answer = said(asked, "calls", namedCall(asked, cologneCall));
  const withId = (json: string): string => json.replace('"functionCall":{', '"functionCall":{"id":"call_1",');
  if (asked.mode === "stream") return streamOf(asked, textsOf(eventsOf(asked, answer)).map(withId));
  return [write(sized(asked, 200, jsonType, withId(saidJson(asked, answer))))];
}

/** A right answer that ended for a reason nobody knows. */
function unknownReason(asked: Asked): readonly Step[] {
  const renamed = (json: string): string => json.replace(/"(end_turn|STOP)"/, '"MADE_UP"');
  if (asked.mode === "stream") return streamOf(asked, rightEvents(asked).map(renamed));
  return [write(sized(asked, 200, jsonType, renamed(saidJson(asked, said(asked, "stop", text("so it ends"))))))];
}

const answers = faultGroup("healthy", bothModes, [
  {
    name: "redacted-reasoning",
    sentence: "A block of thoughts that are not shown, then the text.",
    dialects: ["messages"],
    whole: true,
    plan: redactedAnswer,
  },
  {
    name: "call-with-id",
    sentence: "A function call that has an id.",
    dialects: ["gemini"],
    whole: true,
    plan: callWithId,
  },
  {
    name: "finish-unknown",
    sentence: "A right answer that ended for a reason nobody knows.",
    dialects: ["messages", "gemini"],
    whole: true,
    plan: unknownReason,
  },
]);

const events = faultGroup(
  "stream-event",
  ["stream"],
  [
    {
      name: "done-marker",
      sentence: "A right stream with data: [DONE] behind its end.",
      dialects: ["responses", "messages", "gemini"],
      whole: true,
      plan: (asked) => streamOf(asked, [...rightEvents(asked), "data: [DONE]\n\n"]),
    },
    {
      name: "events-unnamed",
      sentence: "A right stream whose events have their type in the data alone.",
      dialects: ["responses", "messages"],
      whole: true,
      plan: (asked) =>
        streamOf(
          asked,
          rightEvents(asked).map((event) => event.replace(/^event: .*\n/, "")),
        ),
    },
    {
      name: "sequence-missing",
      sentence: "A right stream whose events have no numbers.",
      dialects: ["responses"],
      whole: true,
      plan: (asked) =>
        streamOf(
          asked,
          changed(rightEvents(asked), (data) => ({ ...data, sequence_number: undefined })),
        ),
    },
    {
      name: "sequence-gaps",
      sentence: "A right stream that leaves out every second number.",
      dialects: ["responses"],
      whole: true,
      plan: (asked) =>
        streamOf(
          asked,
          changed(rightEvents(asked), (data) => ({ ...data, sequence_number: 2 * Number(data["sequence_number"]) })),
        ),
    },
    {
      name: "output-missing",
      sentence: "A right stream whose last event holds no output.",
      dialects: ["responses"],
      whole: true,
      plan: (asked) => {
        const sent = rightEvents(asked);
        const last = changed(sent.slice(-1), (data) => ({
          ...data,
          response: { ...Object(data["response"]), output: [] },
        }));
        return streamOf(asked, [...sent.slice(0, -1), ...last]);
      },
    },
    {
      name: "deltas-missing",
      sentence: "A stream whose text comes only in the events that end its parts.",
      dialects: ["responses"],
      whole: true,
      plan: (asked) =>
        streamOf(
          asked,
          changed(rightEvents(asked), (data) => (data["type"] === "response.output_text.delta" ? undefined : data)),
        ),
    },
    {
      name: "block-stop-missing",
      sentence: "A right stream whose block of text never stops.",
      dialects: ["messages"],
      whole: true,
      plan: (asked) =>
        streamOf(
          asked,
          changed(rightEvents(asked), (data) => (data["type"] === "content_block_stop" ? undefined : data)),
        ),
    },
    {
      name: "delta-unknown",
      sentence: "A delta of a type nobody knows in the middle of a right stream.",
      dialects: ["messages"],
      whole: true,
      plan: (asked) => {
        const delta = { type: "made_up_delta", made_up: "x" };
        return streamOf(asked, inserted(asked, namedEvent({ type: "content_block_delta", index: 0, delta })));
      },
    },
  ],
);

/** Chat completions have none of these: they are no part of the list that its matrix goes through. */
export const dialectOnlyFaults = [...answers, ...events];
