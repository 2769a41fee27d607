// The findings as text for people.

import { durationText } from "./duration-text.ts";
import { countVerdicts, type ExaminedModel, type Findings, type Situation } from "./findings.ts";
import { groupFindings, type FindingRow } from "./group-findings.ts";
import { listText, outcomeText } from "./outcome.ts";
import { textTable } from "./text-table.ts";

const widths = { faults: 36, outcome: 40 };
/** Names that a row shows; `--json` has them all. */
const shownFaults = 3;
const longestFaultName = 30;

export function reportText(findings: Findings): string {
  const models = findings.models.map((model) => modelText(model, findings)).join("\n");
  return `${preface(findings)}\n${models}\n${summaryText(findings)}`;
}

function preface({ configFile, durations, speed, notes }: Findings): string {
  const rows = durations
    .filter(({ ms }) => ms > 0)
    .map(({ path, ms }) => [`  ${path}`, durationText(ms), speed === 1 ? "" : durationText(ms / speed)]);
  const pathWidth = Math.max(...rows.map(([path = ""]) => path.length), "  Setting".length);
  const off = durations.filter(({ ms }) => ms === 0).map(({ path }) => path);
  const scale =
    speed === 1
      ? "time passes as it is"
      : `time passes up to ${Number(speed.toPrecision(3))} times faster, and is told as it really would be`;
  return [
    `Configuration file: ${configFile ?? "none"}`,
    "Every provider is simulated on the loopback address; nothing is sent anywhere else and nothing is stored.",
    `Durations: ${scale}.`,
    "",
    textTable([["  Setting", "Real", speed === 1 ? "" : "Here"], ...rows], [pathWidth, 8, 8]).trimEnd(),
    ...(off.length === 0 ? [] : [`  off: ${off.join(", ")}`]),
    ...notes.map((note) => `Note: ${note}.`),
    "",
  ].join("\n");
}

function modelText(model: ExaminedModel, all: Findings): string {
  const { name, strategy, failover, targets } = model;
  const kind = strategy === undefined ? "" : ` (${strategy}${failover ? "" : ", no failover"})`;
  const heading = `${name} = ${targets.join(", ")}${kind}`;
  const tables = (["first-faulty", "all-faulty"] as const).map((situation) => situationText(model, situation, all));
  const story = all.breakers.find((breaker) => breaker.model === name);
  const breaker = story === undefined ? "" : `\nCircuit breaker of ${story.target}\n\n${bullets(story.events)}`;
  return `${heading}\n${"=".repeat(heading.length)}\n${tables.join("")}${breaker}`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `  - ${line}\n`).join("");
}

function situationText({ name, targets }: ExaminedModel, situation: Situation, { findings }: Findings): string {
  const own = findings.filter((finding) => finding.model === name && finding.situation === situation);
  if (own.length === 0) return "";
  const first = targets[0] ?? "";
  const others = targets.length === 1 ? "" : `, the other${targets.length === 2 ? " is" : "s are"} healthy`;
  const title = situation === "all-faulty" ? "Every target is faulty" : `${first} is faulty${others}`;
  const rows = groupFindings(own).flatMap(({ family, rows: group }) => [
    [family],
    ...group.map((row) => [`  ${faultNames(row)}`, cell(row.buffered), cell(row.stream)]),
  ]);
  const columns = [widths.faults, widths.outcome, widths.outcome];
  return `\n${title}\n\n${textTable([["Fault", "Buffered", "Stream"], columns.map((width) => "-".repeat(width)), ...rows], columns)}`;
}

function cell(outcomes: FindingRow["buffered"]): string {
  return outcomes.length === 0 ? "-" : outcomeText(outcomes);
}

function faultNames({ faults }: FindingRow): string {
  return listText(faults.map(shortName), shownFaults);
}

/** Messages that are sent along say nothing here. */
function shortName(fault: string): string {
  const name = fault.replace(/~message=[^~]*/, "");
  return name.length <= longestFaultName ? name : `${name.slice(0, longestFaultName)}...`;
}

function summaryText({ findings, tookMs }: Findings): string {
  const { harmless, rescued, honest, endless, wrong } = countVerdicts(findings);
  const parts = [
    `${harmless} whole at the first attempt`,
    `${rescued} rescued`,
    `${honest} honest errors`,
    ...(endless === 0 ? [] : [`${endless} that only the caller ends`]),
    `${wrong} wrong`,
  ];
  const loud =
    wrong === 0
      ? ""
      : "\nWRONG ANSWERS WERE PASSED OFF AS RIGHT ONES: this is a bug of the gateway. Please report the lines marked WRONG.\n";
  return `${findings.length} requests in ${durationText(tookMs)}: ${parts.join(", ")}.\n${loud}`;
}
