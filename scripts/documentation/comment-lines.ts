// Text broken into comment lines.

const width = 110;

/** Lines of at most 110 characters, marker and indent included. */
export function commentLines(text: string, marker: string): string[] {
  const lines: string[] = [];
  let line = marker;
  for (const word of text.split(/\s+/)) {
    if (line !== marker && line.length + 1 + word.length > width) {
      lines.push(line);
      line = marker;
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
