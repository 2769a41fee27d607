// `docs/failure-modes.md`: what the caller sees for everything that a provider can do wrong, from the rule table of the fault matrix.

import type { AnswerMode } from "../../src/upstream-simulator/asked.ts";
import type { FaultDescription, FaultGroup } from "../../src/upstream-simulator/fault.ts";
import { faults } from "../../src/upstream-simulator/faults.ts";
import { callers, cells, contexts, type Context } from "../../test/e2e/fault-matrix/cell.ts";
import { counts, failsOver, isRetried } from "../../test/e2e/fault-matrix/consequences.ts";
import type { Ending, Failed } from "../../test/e2e/fault-matrix/ending.ts";
import { endingOf } from "../../test/e2e/fault-matrix/rules.ts";
import { tableText } from "./markdown-table.ts";

const introduction = `# Failure modes

<!-- Generated from test/e2e/fault-matrix by scripts/generate-docs.ts; edit it there. -->

What a caller of \`/v1/chat/completions\` sees when a provider misbehaves, with the default settings. Every line is tested
against the running gateway in every surrounding named below. [resilience.md](resilience.md) shows what other settings make of it.

## How to read the tables

A line says how one attempt ends, for a buffered request and for a stream. Names such as \`status-503\` are what the built-in
upstream simulator calls it.

- **whole answer**: the caller gets all of it, exactly once. A stream ends in one \`data: [DONE]\`.
- **a status** (\`502\`, \`504\`, or the provider's own): the caller gets it with the error envelope, before anything else was sent.
- **\`stream_incomplete\`**: everything that came is delivered, then one error event with this code, and nothing after it.
- **its error event**: everything that came is delivered, the provider's own error event last.
- **goes on**: the stream shows signs of life, so nothing ends it but the caller or \`REQUEST_DEADLINE\`.

What follows from it:

- **retried**: the same target is tried again, up to \`resilience.retry.max_retries\` times; then the status is the caller's. Streams
  are never sent twice, and a provider that asks to be left alone for longer than \`resilience.retry.max_retry_after\` is not asked again.
- **counts**: one failure for the target's circuit breaker, however many retries there were.
- **fails over**: with another target in the virtual model, that one is tried next, and a healthy one's whole answer is all that
  the caller sees. When all targets fail, the caller gets the error of the last one. Once something was delivered, there is no
  failover. Which errors fail over is set under \`failover\`: by status, or by what the error says.

## Around a failure

${tableText([
  ["Surrounding", "What happens"],
  ["The only target", "What the tables say."],
  [
    "A second target, healthy",
    "After _fails over_: its whole answer, from its beginning. Otherwise what the tables say.",
  ],
  ["All targets fail", "After _fails over_: each has its turn and its own retries; the last one's error."],
  [
    "The breaker is open",
    "The target is not called: 503, code `circuit_open`, with `Retry-After`; another target is tried at once.",
  ],
  [
    "The deadline is near",
    "No wait is begun that would not end before it. When it passes: 504, code `request_timeout`, or `stream_incomplete` once a stream has begun. Nothing counts, nothing fails over. A stream with its `finish_reason` is whole.",
  ],
  [
    "The caller leaves",
    "The provider's connection is closed within 100 ms, whether the gateway waits for it, relays it or waits between two attempts; no attempt follows, nothing counts; the log has the status 499.",
  ],
])}`;

const titles: Readonly<Record<FaultGroup, string>> = {
  healthy: "Right answers",
  timing: "Slow answers",
  connection: "Connections that break or fall silent",
  status: "Error statuses",
  "hidden-error": "Errors behind status 200",
  framing: "Broken or unusual HTTP",
  document: "Documents that are no answer, or only just one",
  cut: "Streams that end too early",
  "stream-error": "Errors inside a stream",
  "stream-silence": "Streams that say nothing",
  "stream-event": "Single events that are broken or unusual",
  "stream-format": "Spellings of a stream",
};

export function failureModesPage(): string {
  const groups = [...new Set(faults.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const rows = faults.filter((fault) => fault.group === group).flatMap(rowsOf);
    return `## ${titles[group]}\n\n${tableText([["The provider", "Name", "Buffered", "Stream"], ...rows])}`;
  });
  return [introduction, ...sections, countsText()].join("\n");
}

/** One row for all forms of a fault that end the same way. */
function rowsOf(fault: FaultDescription): string[][] {
  const forms = new Map<string, { readonly ends: readonly string[]; readonly examples: string[] }>();
  for (const example of fault.examples) {
    const ends = (["buffered", "stream"] as const).map((mode) =>
      fault.modes.includes(mode) ? endText(endingOf(fault, example, mode), mode, example) : "-",
    );
    const known = forms.get(ends.join("|"));
    if (known === undefined) forms.set(ends.join("|"), { ends, examples: [example] });
    else known.examples.push(example);
  }
  return [...forms.values()].map(({ ends, examples }, index) => [
    index === 0 ? fault.sentence : "",
    forms.size === 1 ? code(fault.name) : namesText(examples),
    ...ends,
  ]);
}

/** The first one whole, of the others what is different. */
function namesText([first = "", ...others]: readonly string[]): string {
  const stem = /^.*[-=](?=[^-=]*$)/.exec(first)?.[0] ?? "";
  return [first, ...others.map((name) => (name.startsWith(stem) ? `-${name.slice(stem.length)}` : name))]
    .map((name, index) => code(index > 0 ? name.replace(/^-/, "...") : name))
    .join(", ");
}

function endText(ending: Ending, mode: AnswerMode, example: string): string {
  const marks = [
    ...(isRetried(ending, mode, Infinity) ? ["retried"] : []),
    ...(counts(ending) ? ["counts"] : []),
    ...(failsOver(ending) ? ["fails over"] : []),
  ];
  return [callerText(ending, example), ...marks].join(", ");
}

function callerText(ending: Ending, example: string): string {
  switch (ending.kind) {
    case "whole":
      return ending.takesMs === 5000 ? "whole answer after 5 s" : "whole answer";
    case "truncated":
      return "`stream_incomplete`";
    case "in-band":
      return "its error event";
    case "endless":
      return "goes on";
    case "failed":
      return statusText(ending, example);
  }
}

/** A status that the provider named is not repeated, so that lines that differ in nothing else are one. */
function statusText({ cause, status }: Failed, example: string): string {
  return cause === "status" && example.includes(String(status)) ? "that status" : `**${status}**`;
}

function countsText(): string {
  const number = (of: readonly Context[], who: typeof callers): string =>
    cells({ contexts: of, callers: who }).length.toLocaleString("en");
  const rows = contexts.map((context) => [context, ...callers.map((caller) => number([context], [caller]))]);
  return `## How it is tested

${tableText([["Cells of the matrix", ...callers.map((caller) => `caller ${caller}`)], ...rows])}
${number(contexts, callers)} cells in all (\`npm run test:long\`); those of the first three lines with a caller who stays are in \`npm test\`. Each
checks status, code and the whole body, that there is exactly one end, the delivered text, the attempts at each target (by
the provider's count and by the request log), the breaker afterwards, the one row in the log, and that every connection to
a provider is closed or idle in the pool.
`;
}

function code(text: string): string {
  return `\`${text}\``;
}
