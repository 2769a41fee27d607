// A table in Markdown.

/** The first row is the head. Columns are padded as the formatter of this repository does it. */
export function tableText([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((cells) => (cells[column] ?? "").length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("");
}
