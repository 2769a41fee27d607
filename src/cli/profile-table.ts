// The rows of the profile as an aligned table in comment lines, so that what `--check` prints stays YAML.

import type { ProfileRow } from "../config/profile-rows.ts";

/** Widest value in a line; lists are broken between their entries. */
const valueWidth = 44;

/** Three columns and a heading, every line a comment. */
export function profileTable(rows: readonly ProfileRow[]): string {
  const cells = rows.flatMap(({ setting, inside, values, from }) =>
    valueLines(values).map((value, index) =>
      index === 0 ? [inside ? `  ${setting}` : setting, value, from] : ["", value, ""],
    ),
  );
  const lines = [["Setting", "Value", "From"], ...cells];
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    `# ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
  );
  return `# What resilience.profile decides\n#\n${text.join("\n")}\n`;
}

function valueLines(values: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const [index, value] of values.entries()) {
    const entry = index === values.length - 1 ? value : `${value},`;
    if (line !== "" && line.length + 1 + entry.length > valueWidth) {
      lines.push(line);
      line = entry;
    } else {
      line = line === "" ? entry : `${line} ${entry}`;
    }
  }
  return [...lines, line];
}
