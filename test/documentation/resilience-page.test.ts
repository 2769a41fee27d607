// `docs/resilience.md` says what is so: its examples are run as they stand, its tables compared with their sources.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { variableSettings } from "../../src/config/shape.ts";
import { providerTypes } from "../../src/providers/registry.ts";
import { runGomodel } from "../support/gateway-process.ts";
import { blocksOf, examplesOf, type PageExample, sectionsOf } from "./page-examples.ts";
import { type ExampleOutcome, runExample } from "./run-example.ts";
import { showsShortened } from "./shows-shortened.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/resilience.md"), "utf8");
const examples = examplesOf(page);
const common = blockUnder("How to repeat the examples", "yaml");
/** At the same time; most of them wait. */
const runners = 4;
/** A busy machine is late by less than this. */
const slackSeconds = 3;

function textUnder(title: string): string {
  const section = sectionsOf(page).find((each) => each.title === title);
  if (section === undefined) throw new Error(`the page has no section ${title}`);
  return section.text;
}

function blockUnder(title: string, language: string): string {
  const [block] = blocksOf(textUnder(title), language);
  if (block === undefined) throw new Error(`${title} has no block of ${language}`);
  return block;
}

/** Cells of the first table, without its head and without backticks. */
function rowsUnder(title: string): string[][] {
  return textUnder(title)
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .replaceAll("`", "")
        .split("|")
        .map((cell) => cell.trim()),
    );
}

describe("an example", () => {
  const outcomes = new Map<PageExample, ExampleOutcome | Error>();
  beforeAll(async () => {
    const waiting = [...examples];
    const runSome = async (): Promise<void> => {
      for (let example = waiting.shift(); example !== undefined; example = waiting.shift()) {
        outcomes.set(example, await runExample(example, common).catch((error: unknown) => asError(error)));
      }
    };
    await Promise.all(Array.from({ length: runners }, runSome));
  });

  test("is there for every failure that a setting of the profile answers", () => {
    expect(examples.length).toBeGreaterThanOrEqual(20);
  });

  test.each(examples.map((example) => [example.title, example] as const))("%s: ends as stated", (_title, example) => {
    const outcome = outcomes.get(example);
    if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error("it was not run");
    const { answer, seconds, facts, metrics } = outcome;
    expect(headOf(answer, headOf(example.answer))).toEqual(headOf(example.answer));
    expect(showsShortened(bodyOf(example.answer), bodyOf(answer))).toBe("the same");

    const stated = (pattern: RegExp): string[] => example.facts.filter((line) => pattern.test(line));
    const known = (pattern: RegExp): string[] => facts.filter((line) => pattern.test(line));
    expect(known(/^turn /)).toEqual(stated(/^turn /));
    expect(known(/^recovery /)).toEqual(stated(/^recovery /));
    // Not every example tells what was used and said.
    for (const fact of stated(/^(?:usage|cost|caveat|text) /)) expect(facts).toContain(fact);
    for (const series of stated(/^gomodel_/)) expect(metrics).toContain(series);
    for (const line of stated(/^after /)) {
      const wanted = Number(/^after (\S+) s$/.exec(line)?.[1]);
      // Waits are spread by a tenth.
      expect(seconds).toBeGreaterThanOrEqual(wanted * 0.89);
      expect(seconds).toBeLessThan(wanted + slackSeconds);
    }
    expect(stated(/^(?!turn |recovery |usage |cost |caveat |text |gomodel_|after )/)).toEqual([]);
  });
});

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Status line and headers, names in lower case, in alphabetical order; of the real ones only those that `like` has. */
function headOf(answer: string, like?: readonly string[]): string[] {
  const [status = "", ...headers] = (answer.split("\n\n", 1)[0] ?? "").split("\n");
  const lines = headers.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase())).toSorted();
  const gateways = /^(?:x-gomodel-\w+|x-should-retry|retry-after):/;
  return [status, ...(like === undefined ? lines : lines.filter((line) => gateways.test(line)))];
}

function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf("\n\n") + 2);
}

describe("what the commands of the page print", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "gomodel-page-"));
    writeFileSync(join(folder, "config.yaml"), blockUnder("What holds in your configuration", "yaml"));
    writeFileSync(join(folder, "common.yaml"), common);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("--check ends in the page's table", async () => {
    const args = ["--check", "--config", "config.yaml"];
    const { stdout } = await runGomodel(args, folder, { REQUEST_DEADLINE: "5m" });
    expect(stdout.slice(stdout.indexOf("# What resilience"))).toBe(
      blockUnder("What holds in your configuration", "text"),
    );
  });

  test("doctor --faults prints what the page shows of it, and finds nothing wrong", async () => {
    const command = blockUnder("Before production", "sh").trim();
    const [variable = "", program, ...args] = command.split(" ");
    const [name = "", value = ""] = variable.split("=");
    expect(program).toBe("bin/gomodel");
    const { exitCode, stdout } = await runGomodel(args, folder, { [name]: value });
    expect(exitCode).toBe(0);
    expect(showsShortened(blockUnder("Before production", "text"), stdout)).toBe("the same");
  });
});

describe("the tables of the page", () => {
  test("have every setting that the profile decides, with its variable and both defaults", () => {
    const decided = variableSettings().filter(({ shape }) => shape.notes.strong !== undefined);
    const described = new Set(["failover.retry_on_errors"]);
    const wanted = decided.map(({ path, name, shape: { notes } }) => {
      const setting = path.join(".");
      const { default: classic = "", strong = "" } = notes;
      const grown = strong.startsWith(`${classic},`) ? `also ${strong.slice(classic.length + 1)}` : strong;
      return described.has(setting) ? [setting, name] : [setting, name, classic, grown];
    });
    const rows = rowsUnder("What the profile decides").map((row) => row.slice(0, described.has(row[0] ?? "") ? 2 : 4));
    expect(rows.toSorted(bySetting)).toEqual(wanted.toSorted(bySetting));
  });

  test("name every phrase for prompts that are too long", () => {
    const phrases = variableSettings().find(({ name }) => name === "FAILOVER_RETRY_ON_ERRORS")?.shape.notes;
    const added = (phrases?.strong ?? "").slice((phrases?.default ?? "").length + 1).split(",");
    const text = textUnder("Requests that are too long").replaceAll("\n", " ");
    expect(added.length).toBeGreaterThan(3);
    for (const phrase of added) expect(text).toContain(phrase);
  });

  test("have every provider type that declares supports_prefill", () => {
    const declared = providerTypes.filter(({ info }) => info.supportsPrefill === true).map(({ info }) => info.type);
    const listed = rowsUnder("Who can be asked to go on").flatMap(([types = ""]) => types.split(", "));
    expect(listed.toSorted()).toEqual(declared.toSorted());
  });
});

function bySetting([left = ""]: readonly string[], [right = ""]: readonly string[]): number {
  return left < right ? -1 : 1;
}
