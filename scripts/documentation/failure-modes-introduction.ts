// The text in front of the tables of `docs/failure-modes.md`: what their words mean, and which settings they assume.

import { tableText } from "./markdown-table.ts";

export const introduction = `# Failure modes

<!-- Generated from test/e2e/fault-matrix by scripts/generate-docs.ts; edit it there. -->

What a caller sees when a provider misbehaves, under both values of \`resilience.profile\`. The tables are those of \`/v1/chat/completions\`;
callers of Responses and Messages, and providers of other dialects, see the same but for [what differs by dialect](#what-differs-by-dialect). Every line is
tested against the running gateway in every surrounding named below. [resilience.md](resilience.md) shows what single settings make of it.

## Settings

Every setting has its default: \`gomodel --check\` prints those that the profile decides. The tables depend on these:

${tableText([
  ["Setting", "classic", "strong"],
  ["`resilience.retry.streaming`", "`never`", "`before_first_event`"],
  ["`resilience.retry.retry_on_statuses`", "429, 502, 503, 504, 522, 524", "also 500, 520, 521, 523, 529"],
  ["`resilience.retry.max_retry_after`", "10 s", "30 s"],
  ["`failover.retries_before_failover`", "all retries", "1"],
  ["`failover.retry_on_errors`", "the default phrases", "also phrases for a prompt that is too long, and 413"],
  ["`resilience.max_attempts_per_request`", "no limit", "6"],
  ["`http.first_event_timeout`, `http.answer_timeout`", "off", "12 s, 120 s, while another target is left"],
  ["`failover.stream_recovery`", "`off`", "`continue`"],
  ["`server.advise_no_retry`", "`false`", "`true`"],
])}
Stream recovery, and with it the tolerance for malformed events, is a matter of virtual models: whoever asks for
\`provider/model\` without one gets \`off\`.

## How to read the tables

A line says how one attempt ends, for a buffered request and for a stream. Names such as \`status-503\` are what the built-in
upstream simulator calls it. Where the profiles differ there is a column for each; _same_ means as under \`classic\`.

- **whole answer**: the caller gets all of it, exactly once. A stream ends in one \`data: [DONE]\`.
- **a status** (\`502\`, \`504\`, or the provider's own): the caller gets it with the error envelope, before anything else was sent.
- **\`stream_incomplete\`**: everything that came is delivered, then one error event with this code, and nothing after it.
- **its error event**: everything that came is delivered, the provider's own error event last.
- **goes on**: the stream shows signs of life, so nothing ends it but the caller or \`REQUEST_DEADLINE\`.

What follows from it:

- **retried**: the same target is tried again, up to \`resilience.retry.max_retries\` times, or fewer while another target is left; then
  the status is the caller's. Under \`classic\` streams are never sent twice. A provider that asks to be left alone for longer than
  \`resilience.retry.max_retry_after\` is not asked again.
- **counts**: one failure for the target's circuit breaker, however many retries there were.
- **fails over**: with another target in the virtual model, that one is tried next, and a healthy one's whole answer is all that
  the caller sees. When all targets fail, the caller gets the error of the last one. Once something was delivered, there is no
  failover. Which errors fail over is set under \`failover\`: by status, or by what the error says. A refusal of the content never does.
- **recovered**: with another target in the virtual model, that one goes on where the stream broke, and the caller gets each missing
  piece once. What is said on the left is what the caller gets when no other target is left or none of them can; when the other
  one says something else than what was delivered, the end is \`stream_incomplete\`.

## Around a failure

${tableText([
  ["Surrounding", "Under `classic`", "Under `strong`"],
  ["The only target", "What the tables say.", "What the tables say; _recovered_ does not apply."],
  [
    "A second target, healthy",
    "After _fails over_: its whole answer, from its beginning. Otherwise what the tables say.",
    "After _fails over_: its whole answer, 12 s (a stream's first event) or 120 s (a buffered answer's headers) after the first target fell silent. After _recovered_: the whole answer, once. Otherwise what the tables say.",
  ],
  [
    "A second target that says something else",
    "As above.",
    "After _fails over_ as above. After _recovered_: `stream_incomplete`, unless no text was delivered yet.",
  ],
  [
    "All targets fail",
    "After _fails over_: each has its turn and its own retries; the last one's error.",
    "After _fails over_: each has its turn and one retry, the last one all of them, 6 attempts at most; the last one's error. After _recovered_: `stream_incomplete` once all have been asked.",
  ],
  [
    "The breaker is open",
    "The target is not called: 503, code `circuit_open`, with `Retry-After`; another target is tried at once.",
    "The same. A target with an open breaker is none that is left: for its sake no retry and no wait is cut short.",
  ],
  [
    "The deadline is near",
    "No wait is begun that would not end before it. When it passes: 504, code `request_timeout`, or `stream_incomplete` once a stream has begun. Nothing counts, nothing fails over. A stream with its `finish_reason` is whole.",
    "The same; what breaks before it passes is recovered.",
  ],
  [
    "The caller leaves",
    "The provider's connection is closed within 100 ms, whether the gateway waits for it, relays it or waits between two attempts; no attempt follows, nothing counts; the log has the status 499.",
    "The same.",
  ],
  [
    "Retries and failover are at their end",
    "The error.",
    "The error, with `x-should-retry: false`, unless the provider asked for a wait of up to a minute that the gateway did not make.",
  ],
])}`;

/** In front of the table of what differs. */
export const dialectsIntroduction = `## What differs by dialect

The words of the tables mean the same everywhere; what a caller gets to read is in his own dialect:

${tableText([
  ["", "Chat completions", "Responses", "Messages"],
  [
    "whole answer",
    "ends in one `data: [DONE]`",
    "ends in one `response.completed` or `response.incomplete`; a translated one has `data: [DONE]` behind it",
    "ends in one `message_stop`",
  ],
  [
    "a status",
    '`{"error":{"type","message","param","code"}}`',
    "the same",
    `\`{"type":"error","error":{"type","message"},"request_id"}\` with the nearest type of Anthropic's`,
  ],
  [
    "`stream_incomplete`",
    '`data: {"error":{...}}` with this code',
    "an `error` event with this code, then `response.failed`",
    "`event: error` of the type `api_error`",
  ],
  [
    "its error event",
    "the provider's own event",
    "the provider's own, as `error` and `response.failed`",
    "the provider's own event",
  ],
])}
Where caller and provider speak the same dialect, bytes pass. Otherwise the answer is read in the provider's dialect first, by the same rules, and
translated; an error in a stream that has begun then is \`stream_incomplete\`, and what has changed its type is a **502**. Of a translated answer
nothing goes out before the provider's first event, so that it fails over as any other. Names with \`choices\` or \`[DONE]\` mean what the dialect has
in their place: \`output\`, \`content\`, \`candidates\`; \`response.completed\`, \`message_stop\`.

Only faults that end in another way than in chat completions, or that these do not have (\`-\`), under \`classic\`:
`;
