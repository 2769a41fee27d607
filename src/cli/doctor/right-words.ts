// Whether a text is what the simulated targets say, also where several of them said parts of it.

import { answerText, defaultWords } from "../../upstream-simulator/answer-text.ts";

/**
 * `models` in the order in which they were called. All of them say the same words but for marks with their names, so that a text shows who said what: one that
 * goes on from another's text begins with its own mark. `whole`: to the last word; otherwise the text may end anywhere.
 */
export function saysRight(text: string, models: readonly string[], whole: boolean): boolean {
  const words = text.split(" ");
  if (whole ? words.length !== defaultWords : words.length > defaultWords) return false;
  const texts = models.map((model) => answerText(model).split(" "));
  let speaker = 0;
  return words.every((word, index) => {
    const mayBeCut = !whole && index === words.length - 1;
    const found = models.findIndex(
      (model, candidate) =>
        candidate >= speaker &&
        (matches(word, texts[candidate]?.[index], mayBeCut) ||
          (candidate > speaker && index > 0 && matches(word, `[${model}]`, mayBeCut))),
    );
    if (found >= 0) speaker = found;
    return found >= 0;
  });
}

function matches(word: string, right: string | undefined, mayBeCut: boolean): boolean {
  return right !== undefined && (mayBeCut ? right.startsWith(word) : right === word);
}
