// Errors inside an answer with status 200.

import { bothModes, chatOnly, faultGroup } from "../fault.ts";
import type { Asked } from "../asked.ts";
import { formsOf } from "../forms-of.ts";
import { jsonType, sized } from "../http-answer.ts";
import { textJson } from "../json-answer.ts";
import { write, type Step } from "../step.ts";

const document = (asked: Asked, value: unknown): readonly Step[] => [
  write(sized(asked, 200, jsonType, JSON.stringify(value))),
];

const message = (asked: Asked): string => asked.options.get("message") ?? "simulated error behind 200";

/** The error that a word means, see `AnswerForms.errorValue`. */
function hidden(asked: Asked, word: string): readonly Step[] {
  const forms = formsOf(asked);
  return document(asked, forms.errorAround(forms.errorValue(message(asked), word)));
}

export const hiddenErrors = faultGroup("hidden-error", bothModes, [
  {
    name: "hidden",
    sentence: "200 with an error object whose code is this number.",
    parameters: /^(\d{1,3})$/,
    examples: ["hidden-400", "hidden-401", "hidden-404", "hidden-429", "hidden-500", "hidden-503", "hidden-42"],
    plan: (asked, [, code]) => hidden(asked, code ?? ""),
  },
  {
    name: "hidden-quoted",
    sentence: "200 with an error object whose code is this number as a string.",
    parameters: /^(\d{1,3})$/,
    examples: ["hidden-quoted-429", "hidden-quoted-503"],
    plan: (asked, [, code]) => hidden(asked, `quoted-${code}`),
  },
  {
    name: "hidden-named",
    sentence: "200 with an error object whose code is a word.",
    plan: (asked) => hidden(asked, "worded"),
  },
  {
    name: "hidden-uncoded",
    sentence: "200 with an error object without a code.",
    plan: (asked) => hidden(asked, "uncoded"),
  },
  {
    name: "hidden-text",
    sentence: "200 with an error that is a string.",
    plan: (asked) => hidden(asked, "text"),
  },
  {
    name: "hidden-bookkept",
    sentence: "200 with an error object of this code among id, model, usage and empty choices.",
    parameters: /^(\d{1,3})$/,
    examples: ["hidden-bookkept-429", "hidden-bookkept-502"],
    dialects: ["chat-completions", "responses"],
    plan: (asked, [, code]) => document(asked, formsOf(asked).bookkeptError(asked, message(asked), Number(code))),
  },
  {
    name: "hidden-null",
    sentence: "A right document that carries the field error with the value null.",
    modes: ["buffered"],
    dialects: chatOnly,
    whole: true,
    plan: (asked) => [write(sized(asked, 200, jsonType, textJson(asked, undefined, { error: null })))],
  },
]);
