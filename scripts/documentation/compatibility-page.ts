// `docs/compatibility.md`: what becomes of each field between dialects, from the golden values that tests hold the code to.

import type { Dialect } from "../../src/core/chat-request.ts";
import { chatFields } from "../../test/golden/fields/chat-fields.ts";
import type { FieldTable, Outcome } from "../../test/golden/fields/field-row.ts";
import { messagesFields } from "../../test/golden/fields/messages-fields.ts";
import { responsesFields } from "../../test/golden/fields/responses-fields.ts";
import { allPairs } from "../../test/golden/pairs/all-pairs.ts";
import { tableText } from "./markdown-table.ts";

const titles: Readonly<Record<Dialect, string>> = {
  "chat-completions": "Chat completions",
  responses: "Responses",
  messages: "Messages",
  gemini: "Gemini",
};
const dialects: readonly Dialect[] = ["chat-completions", "responses", "messages", "gemini"];

const introduction = `# Compatibility of dialects

A caller speaks chat completions, Responses or Messages, and so does a provider, or \`generateContent\` (Gemini). Where both speak
the same, the bytes pass: every field, known or not, goes up as it came but for the model and the quirks of the provider's type
([configuration](configuration.md#provider-types)). Otherwise the request is translated.
The tables say what becomes of each documented field then:

- \`name\`: it stands there in the provider's request, in the provider's words. \`[]\`: in one of the list.
- unchanged: nobody knows it, and it goes on under the same name.
- left out: the provider has no such thing and the answer is no worse for it; a debug line names the field unless a note says why.
- **400**: the answer would be another one; the error names the field, the provider and what to change.

\`model\` and \`stream\` are the gateway's own everywhere. Small figures are notes below the table.
`;

export function compatibilityPage(): string {
  const sections = [chatFields, responsesFields, messagesFields].map(section);
  return [introduction, ...sections, pairsText()].join("\n");
}

/** Notes of one table, each with its number. */
class Notes {
  readonly #texts: string[] = [];

  mark(text: string | undefined): string {
    if (text === undefined) return "";
    const known = this.#texts.indexOf(text);
    const number = known < 0 ? this.#texts.push(text) : known + 1;
    return ` <sup>${number}</sup>`;
  }

  text(): string {
    return this.#texts.map((text, index) => `${index + 1}. ${text[0]?.toUpperCase()}${text.slice(1)}.\n`).join("");
  }
}

function section({ caller, source, rows }: FieldTable): string {
  const notes = new Notes();
  const lines = rows.map(({ field, to }) => [
    fieldText(field),
    ...dialects.map((dialect) => outcomeText(to[dialect], notes)),
  ]);
  const head = ["Field", ...dialects.map((dialect) => titles[dialect])];
  return `## Callers of ${titles[caller]}\n\n${source}\n\n${tableText([head, ...lines])}\n${notes.text()}`;
}

/** Names are code: the first word where a row begins with one, and every other word that can be nothing else. */
function fieldText(field: string): string {
  const isSentence = /^(?:an? |tools that|tool result|assistant |messages of|image or)/.test(field);
  const isList = /^\w+(?:, \w+)+$/.test(field);
  return field
    .split(" ")
    .map((word, index) => {
      const name = word.replace(/,$/, "");
      const isName = (index === 0 && !isSentence) || isList || /[_.[]/.test(name);
      return isName ? `\`${name}\`${word.slice(name.length)}` : word;
    })
    .join(" ");
}

function outcomeText(outcome: Outcome, notes: Notes): string {
  switch (outcome.kind) {
    case "passes":
      return "passes";
    case "translated": {
      const onlyOpenAi = outcome.onlyOpenAi === true ? "only to OpenAI, left out for others" : undefined;
      return `\`${outcome.as}\`${notes.mark(outcome.note ?? onlyOpenAi)}`;
    }
    case "unchanged":
      return `unchanged${notes.mark(outcome.note)}`;
    case "left-out":
      return `left out${notes.mark(outcome.note)}`;
    case "refused":
      return `**400**${notes.mark(outcome.note)}`;
  }
}

function pairsText(): string {
  const rows = allPairs.map(({ caller, provider, name }) => [titles[caller], titles[provider], name]);
  return `## Whole exchanges

Request and answer, whole and streamed in pieces down to a byte, are held to values written from the providers' documentation
(\`test/golden/pairs\`):

${tableText([["Caller", "Provider", "Exchange"], ...rows])}`;
}
