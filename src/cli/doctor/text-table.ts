// Tables for terminals: columns of a fixed width whose cells go on in the next line.

/** Lines without trailing blanks; columns are two blanks apart. */
export function textTable(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  return rows
    .flatMap((cells) => {
      const wrapped = widths.map((width, column) => wrap(cells[column] ?? "", width));
      const height = Math.max(...wrapped.map((lines) => lines.length));
      return Array.from({ length: height }, (_, line) =>
        widths
          .map((width, column) => (wrapped[column]?.[line] ?? "").padEnd(width))
          .join("  ")
          .trimEnd(),
      );
    })
    .map((line) => `${line}\n`)
    .join("");
}

/** Broken between words, and within one that is longer than a line. Blanks at the start indent every line. */
function wrap(text: string, width: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? "";
  const room = width - indent.length;
  const lines: string[] = [];
  let line = "";
  for (const word of text.trim().split(" ")) {
    let rest = word;
    if (line !== "" && line.length + 1 + rest.length > room) {
      lines.push(line);
      line = "";
    }
    while (rest.length > room) {
      lines.push(rest.slice(0, room));
      rest = rest.slice(room);
    }
    line = line === "" ? rest : `${line} ${rest}`;
  }
  return [...lines, line].map((content) => indent + content);
}
