// `docs/failure-modes.md`: what the caller sees for everything that a provider can do wrong, from the rule table of the fault matrix.

import type { AnswerMode } from "../../src/upstream-simulator/asked.ts";
import type { FaultDescription } from "../../src/upstream-simulator/fault.ts";
import { faults, faultsIn } from "../../src/upstream-simulator/faults.ts";
import { groupTitles } from "../../src/upstream-simulator/group-titles.ts";
import { callers, cells } from "../../test/e2e/fault-matrix/cell.ts";
import { counts, failsOver, isRetried } from "../../test/e2e/fault-matrix/consequences.ts";
import type { Ending, Failed } from "../../test/e2e/fault-matrix/ending.ts";
import type { Resilience } from "../../test/e2e/fault-matrix/profiles.ts";
import { endingOf } from "../../test/e2e/fault-matrix/rules.ts";
import { contextsOf, type Context } from "../../test/e2e/fault-matrix/surroundings.ts";
import { dialects, type Pair } from "../../test/e2e/fault-matrix/speakers.ts";
import { dialectsIntroduction, introduction } from "./failure-modes-introduction.ts";
import { tableText } from "./markdown-table.ts";

const modes: readonly AnswerMode[] = ["buffered", "stream"];
const modeTitles: Readonly<Record<AnswerMode, string>> = { buffered: "Buffered", stream: "Stream" };
const profilesShown: readonly Resilience[] = ["classic", "strong"];
const columns = modes.flatMap((mode) => profilesShown.map((resilience) => ({ mode, resilience })));

const chatPair: Pair = { asks: "chat-completions", speaks: "chat-completions" };

/** Instead of a text that stands in the column of the classic profile already. */
const sameText = "same";

export function failureModesPage(): string {
  const groups = [...new Set(faults.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const rows = faults.filter((fault) => fault.group === group).flatMap(rowsOf);
    return `## ${groupTitles[group]}\n\n${sectionTable(rows)}`;
  });
  return [introduction, ...sections, dialectsText(), countsText()].join("\n");
}

/** Bytes pass, and one caller for whom an answer is translated, which shows what that changes. */
const dialectColumns: readonly { readonly title: string; readonly pair: Pair }[] = [
  { title: "Chat completions", pair: chatPair },
  { title: "Responses", pair: { asks: "responses", speaks: "responses" } },
  { title: "Messages", pair: { asks: "messages", speaks: "messages" } },
  { title: "Gemini, to a caller of chat completions", pair: { asks: "chat-completions", speaks: "gemini" } },
];

/** Faults that end in another way in some dialect, or are none of chat completions. */
function dialectsText(): string {
  const described = [...new Set(dialects.flatMap((dialect) => faultsIn(dialect)))];
  const rows = modes.flatMap((mode) => described.flatMap((fault) => dialectRows(fault, mode)));
  return `${dialectsIntroduction}\n${tableText([["Name", "Mode", ...dialectColumns.map(({ title }) => title)], ...rows])}`;
}

function dialectRows(fault: FaultDescription, mode: AnswerMode): string[][] {
  const byEnds = new Map<string, { readonly ends: readonly string[]; readonly examples: string[] }>();
  const examples = [...new Set(dialects.flatMap((dialect) => fault.examplesIn(dialect)))];
  for (const example of examples) {
    const ends = dialectColumns.map(({ pair }) => {
      const isThere = fault.examplesIn(pair.speaks).includes(example) && fault.formsIn(pair.speaks).includes(mode);
      return isThere ? endText(endingOf(fault, example, mode, pair, "classic"), mode, example, "classic") : "-";
    });
    const [chat, ...others] = ends;
    const isSame = others.every((end) => end === chat || end === "-");
    // A form of the longer sequences of events ends everywhere as its shorter ones do.
    if (chat === "-" ? fault.formsIn("chat-completions").includes(mode) || new Set(ends).size === 1 : isSame) continue;
    const known = byEnds.get(ends.join("|"));
    if (known === undefined) byEnds.set(ends.join("|"), { ends, examples: [example] });
    else known.examples.push(example);
  }
  return [...byEnds.values()].map((row) => {
    const name = row.examples.length === examples.length ? code(fault.name) : namesText(row.examples);
    return [name, mode, ...row.ends];
  });
}

interface Row {
  readonly sentence: string;
  readonly names: string;
  /** One for each of `columns`. */
  readonly ends: readonly string[];
}

/** The column of the strong profile is there where it says something else at least once. */
function sectionTable(rows: readonly Row[]): string {
  const differing = modes.filter((_, index) => rows.some(({ ends }) => ends[2 * index] !== ends[2 * index + 1]));
  const isShown = (index: number): boolean => {
    const column = columns[index];
    return column !== undefined && (column.resilience === "classic" || differing.includes(column.mode));
  };
  const titlesShown = columns.map(({ mode, resilience }) =>
    differing.includes(mode) ? `${modeTitles[mode]}, ${resilience}` : modeTitles[mode],
  );
  const lines = rows.map(({ sentence, names, ends }) => {
    const texts = ends.map((text, index) => (index % 2 === 1 && text === ends[index - 1] ? sameOf(text) : text));
    return [sentence, names, ...texts.filter((_, index) => isShown(index))];
  });
  return tableText([["The provider", "Name", ...titlesShown.filter((_, index) => isShown(index))], ...lines]);
}

function sameOf(text: string): string {
  return text === "-" ? text : sameText;
}

/** One row for all forms of a fault that end the same way. */
function rowsOf(fault: FaultDescription): Row[] {
  const forms = new Map<string, { readonly ends: readonly string[]; readonly examples: string[] }>();
  for (const example of fault.examples) {
    const ends = columns.map(({ mode, resilience }) =>
      fault.modes.includes(mode)
        ? endText(endingOf(fault, example, mode, chatPair, resilience), mode, example, resilience)
        : "-",
    );
    const known = forms.get(ends.join("|"));
    if (known === undefined) forms.set(ends.join("|"), { ends, examples: [example] });
    else known.examples.push(example);
  }
  return [...forms.values()].map(({ ends, examples }, index) => ({
    sentence: index === 0 ? fault.sentence : "",
    names: forms.size === 1 ? code(fault.name) : namesText(examples),
    ends,
  }));
}

/** The first one whole, of the others what is different. */
function namesText([first = "", ...others]: readonly string[]): string {
  const stem = /^.*[-=](?=[^-=]*$)/.exec(first)?.[0] ?? "";
  return [first, ...others.map((name) => (name.startsWith(stem) ? `-${name.slice(stem.length)}` : name))]
    .map((name, index) => code(index > 0 ? name.replace(/^-/, "...") : name))
    .join(", ");
}

function endText(ending: Ending, mode: AnswerMode, example: string, resilience: Resilience): string {
  const marks = [
    ...(isRetried(ending, mode, Infinity, resilience) ? ["retried"] : []),
    ...(counts(ending) ? ["counts"] : []),
    ...(failsOver(ending, resilience) ? ["fails over"] : []),
    ...(resilience === "strong" && isRecoverable(ending) ? ["recovered"] : []),
  ];
  return [callerText(ending, example), ...marks].join(", ");
}

function isRecoverable(ending: Ending): boolean {
  return (ending.kind === "truncated" || ending.kind === "in-band") && ending.obstacle === undefined;
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
  const count = (resilience: Resilience, contexts: readonly Context[], who: typeof callers): string =>
    cells({ resilience, contexts, callers: who }).length.toLocaleString("en");
  const rows = profilesShown.flatMap((resilience) =>
    contextsOf[resilience].map((context) => [
      resilience,
      context,
      ...callers.map((caller) => count(resilience, [context], [caller])),
    ]),
  );
  return `## How it is tested

${tableText([["Profile", "Cells of the matrix", ...callers.map((caller) => `caller ${caller}`)], ...rows])}
These are the cells of callers of chat completions, Responses and Messages together. \`npm run test:long\` runs all of those in which
caller and providers speak chat completions, every form of every fault for every other pair of a caller's and a provider's dialect, and of
the surroundings of these pairs a part that is spread over all of them. In \`npm test\` are, of chat completions, those of the first three lines with a caller
who stays, and a form of each way to end in the first five of the strong profile; of the other pairs a part of the ways to end. Each checks status, code and the whole body,
that there is exactly one end, the delivered text, the attempts at each target (by the provider's count and by the request
log), the breaker afterwards, the one row in the log, the time it took, and that every connection to a provider is closed or
idle in the pool.
`;
}

function code(text: string): string {
  return `\`${text}\``;
}
