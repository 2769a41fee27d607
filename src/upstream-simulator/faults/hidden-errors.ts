// Errors inside an answer with status 200.

import { bothModes, faultGroup } from "../fault.ts";
import type { Asked } from "../asked.ts";
import { jsonType, sized } from "../http-answer.ts";
import { textJson } from "../json-answer.ts";
import { write, type Step } from "../step.ts";

const document = (asked: Asked, value: unknown): readonly Step[] => [
  write(sized(asked, 200, jsonType, JSON.stringify(value))),
];

const message = (asked: Asked): string => asked.options.get("message") ?? "simulated error behind 200";

export const hiddenErrors = faultGroup("hidden-error", bothModes, [
  {
    name: "hidden",
    sentence: "200 with an error object whose code is this number.",
    parameters: /^(\d{1,3})$/,
    examples: ["hidden-400", "hidden-401", "hidden-404", "hidden-429", "hidden-500", "hidden-503", "hidden-42"],
    plan: (asked, [, code]) => document(asked, { error: { message: message(asked), code: Number(code) } }),
  },
  {
    name: "hidden-quoted",
    sentence: "200 with an error object whose code is this number as a string.",
    parameters: /^(\d{1,3})$/,
    examples: ["hidden-quoted-429", "hidden-quoted-503"],
    plan: (asked, [, code]) => document(asked, { error: { message: message(asked), code } }),
  },
  {
    name: "hidden-named",
    sentence: "200 with an error object whose code is a word.",
    plan: (asked) => document(asked, { error: { message: message(asked), code: "server_overloaded" } }),
  },
  {
    name: "hidden-uncoded",
    sentence: "200 with an error object without a code.",
    plan: (asked) => document(asked, { error: { message: message(asked) } }),
  },
  {
    name: "hidden-text",
    sentence: "200 with an error that is a string.",
    plan: (asked) => document(asked, { error: message(asked) }),
  },
  {
    name: "hidden-bookkept",
    sentence: "200 with an error object of this code among id, model, usage and empty choices.",
    parameters: /^(\d{1,3})$/,
    examples: ["hidden-bookkept-429", "hidden-bookkept-502"],
    plan: (asked, [, code]) =>
      document(asked, {
        id: "gen-1",
        object: "chat.completion",
        created: 1,
        model: asked.model,
        choices: [],
        usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
        error: { message: message(asked), code: Number(code) },
        user_id: "user_1",
      }),
  },
  {
    name: "hidden-null",
    sentence: "A right document that carries the field error with the value null.",
    modes: ["buffered"],
    whole: true,
    plan: (asked) => [write(sized(asked, 200, jsonType, textJson(asked, undefined, { error: null })))],
  },
]);
