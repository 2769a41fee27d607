// The words a simulated model says: the same for the same name, and recognisable as that name's.

const sentence =
  "this text was made up by the upstream simulator — no model was asked , nothing was paid , ça va , 日本語 も 🙂 .".split(
    " ",
  );

/** Words of an answer whose name does not say how many. */
export const defaultWords = 12;

/** Word number `index` of the answer of `model`. Every round through the sentence starts with a marker that names the model. */
function answerWord(model: string, index: number): string {
  const round = Math.floor(index / (sentence.length + 1));
  const position = index % (sentence.length + 1);
  if (position > 0) return sentence[position - 1] ?? "";
  return round === 0 ? `[${model}]` : `[${model}/${round + 1}]`;
}

/** The pieces in which a stream delivers `answerText`. */
export function answerPieces(model: string, words: number): string[] {
  return Array.from({ length: words }, (_, index) => (index === 0 ? "" : " ") + answerWord(model, index));
}

/** The whole text of an answer of `words` words by `model`, its name written as it is in the request. */
export function answerText(model: string, words: number = defaultWords): string {
  return answerPieces(model, words).join("");
}

/** What an answer of `words` words reports: 11 tokens in, one token out per word. */
export function answerUsage(words: number): { prompt_tokens: number; completion_tokens: number; total_tokens: number } {
  return { prompt_tokens: 11, completion_tokens: words, total_tokens: 11 + words };
}
