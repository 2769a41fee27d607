// Metrics as Prometheus reads them: text format 0.0.4.

import type { Family, Sample } from "./counting.ts";

/** Families apart by an empty line, none behind the last. */
export function exposition(families: readonly Family[]): string {
  return families.map(familyText).join("\n\n");
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  for (const sample of samples()) lines.push(`${name}${sample.suffix}${labelText(sample)} ${sample.value}`);
  return lines.join("\n");
}

function labelText({ labels }: Sample): string {
  if (labels.length === 0) return "";
  const parts: string[] = [];
  for (let index = 0; index < labels.length; index += 2) {
    parts.push(`${labels[index] ?? ""}="${escaped(labels[index + 1] ?? "")}"`);
  }
  return `{${parts.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
