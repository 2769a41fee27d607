// A number among the top-level members of a JSON object, found without parsing the rest.

/**
 * Undefined when the member is missing or no number. `json` is taken to be valid or a valid beginning; the last
 * occurrence counts, as it does for `JSON.parse`. Strings, which are most of a prompt, are jumped over.
 */
export function topLevelNumber(json: string, name: string): number | undefined {
  let depth = 0;
  let value: number | undefined;
  for (let position = 0; position < json.length; position++) {
    const code = json.charCodeAt(position);
    if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x22) {
      const end = stringEnd(json, position);
      if (depth === 1 && end - position - 2 === name.length && json.startsWith(name, position + 1)) {
        numberAfterColon.lastIndex = end;
        const match = numberAfterColon.exec(json);
        if (match?.[1] !== undefined) value = Number(match[1]);
      }
      position = end - 1;
    }
  }
  return value;
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
