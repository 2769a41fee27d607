// Compares what a page shows with what really came, of which the page may leave out parts.

/**
 * "the same", or `real` where it differs. `...` in a line of `shown` stands for any text, `...` alone for any number of lines. Empty lines and
 * spaces at the end of a line do not matter.
 */
export function showsShortened(shown: string, real: string): string {
  const pattern = linesOf(shown).map((line) =>
    line.trim() === "..." ? String.raw`(?:.*\n)*?` : `${line.split("...").map(RegExp.escape).join(".*?")}\n`,
  );
  const text = `${linesOf(real).join("\n")}\n`;
  return new RegExp(`^${pattern.join("")}$`).test(text) ? "the same" : text;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
}
