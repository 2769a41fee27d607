// Numbers among the top-level members of a JSON object, found in one pass without parsing the rest.

/**
 * One per name; undefined when the member is missing or no number. `json` is taken to be valid or a valid beginning; the last
 * occurrence counts, as it does for `JSON.parse`. Strings, which are most of a prompt, are jumped over.
 */
export function topLevelNumbers(json: string, names: readonly string[]): (number | undefined)[] {
  const numbers: (number | undefined)[] = names.map(() => undefined);
  let depth = 0;
  for (let position = 0; position < json.length; position++) {
    const code = json.charCodeAt(position);
    if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x22) {
      const end = stringEnd(json, position);
      if (depth === 1) {
        for (let index = 0; index < names.length; index++) {
          const name = names[index] ?? "";
          if (end - position - 2 !== name.length || !json.startsWith(name, position + 1)) continue;
          numberAfterColon.lastIndex = end;
          const match = numberAfterColon.exec(json);
          if (match?.[1] !== undefined) numbers[index] = Number(match[1]);
        }
      }
      position = end - 1;
    }
  }
  return numbers;
}

const numberAfterColon = /\s*:\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}])/y;

/** The position after the closing quote of the string that opens at `start`. */
function stringEnd(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (quote !== -1) {
    let backslashes = 0;
    while (json.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    quote = json.indexOf('"', quote + 1);
  }
  return json.length;
}
