// The forms of each dialect, in one table.

import type { Dialect } from "../core/chat-request.ts";
import type { AnswerForms } from "./answer-forms.ts";
import type { Asked } from "./asked.ts";
import { chatCompletionsForms } from "./forms/chat-completions.ts";
import { geminiForms } from "./forms/gemini.ts";
import { messagesForms } from "./forms/messages.ts";
import { responsesForms } from "./forms/responses.ts";

const table: Readonly<Record<Dialect, AnswerForms>> = {
  "chat-completions": chatCompletionsForms,
  responses: responsesForms,
  messages: messagesForms,
  gemini: geminiForms,
};

export function formsOf({ dialect }: Pick<Asked, "dialect">): AnswerForms {
  return table[dialect];
}
