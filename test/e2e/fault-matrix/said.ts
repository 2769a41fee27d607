// What a rule says about the text of an answer, as the text itself.

import { answerText } from "../../../src/upstream-simulator/answer-text.ts";
import type { Said } from "./ending.ts";

export function saidText(said: Said, model: string): string {
  if (typeof said === "number") return answerText(model, said);
  return typeof said === "string" ? said : said(model);
}
