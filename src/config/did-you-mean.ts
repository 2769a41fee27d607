// The known word that a mistyped one was probably meant to be.

/** `; did you mean "x"?`, or nothing when no candidate is near. */
export function suggestion(written: string, candidates: Iterable<string>): string {
  const found = nearest(written, candidates);
  return found === undefined ? "" : `; did you mean "${found}"?`;
}

/** The candidate with the fewest edits, at most a third of the word's length and three; none for less than three letters. Case and `-` against `_` cost nothing. */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  const word = plain(written);
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    // Each letter too many or too few is an edit: most candidates are out before they are compared.
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word, plain(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll("-", "_");
}

/** Insertions, deletions, substitutions and swaps of neighbours; any number from `limit` on stands for "too many". */
function editDistance(left: string, right: string, limit: number): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  let leastBefore = 0;
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current.push(cost);
      if (cost < least) least = cost;
    }
    // No way to the end leads past two rows; most words are recognised as strangers after a few letters.
    if (least >= limit && leastBefore >= limit) return limit;
    leastBefore = least;
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
