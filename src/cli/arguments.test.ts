import { describe, expect, test } from "bun:test";
import { parseArguments } from "./arguments.ts";
import type { Command } from "./arguments.ts";

const read: readonly (readonly [readonly string[], Command])[] = [
  [[], { kind: "serve", configPath: undefined, demo: false }],
  [["--demo"], { kind: "serve", configPath: undefined, demo: true }],
  [["--config", "a.yaml", "--demo"], { kind: "serve", configPath: "a.yaml", demo: true }],
  [["--config=a=b.yaml"], { kind: "serve", configPath: "a=b.yaml", demo: false }],
  [["--config", "-"], { kind: "serve", configPath: "-", demo: false }],
  [["--check", "--config", "a.yaml"], { kind: "check", configPath: "a.yaml" }],
  [["--check", "--demo"], { kind: "check", configPath: undefined }],
  [["--health"], { kind: "probe", probe: "health", configPath: undefined, timeoutMs: 2000 }],
  [
    ["--health", "--health-timeout", "500ms"],
    { kind: "probe", probe: "health", configPath: undefined, timeoutMs: 500 },
  ],
  [["--ready"], { kind: "probe", probe: "ready", configPath: undefined, timeoutMs: 4000 }],
  [["--ready-timeout=1", "--ready"], { kind: "probe", probe: "ready", configPath: undefined, timeoutMs: 1000 }],
  [["--version"], { kind: "version" }],
  [["-v"], { kind: "version" }],
  [["doctor", "--faults"], { kind: "doctor", configPath: undefined, models: [], faults: [], json: false }],
  [
    [
      "doctor",
      "--fault=status-503",
      "--model",
      "smart",
      "--faults",
      "--config",
      "a.yaml",
      "--fault",
      "stall",
      "--json",
    ],
    { kind: "doctor", configPath: "a.yaml", models: ["smart"], faults: ["status-503", "stall"], json: true },
  ],
];

describe("the command line", () => {
  test.each(read)("%j", (argv, command) => {
    expect(parseArguments(argv)).toEqual(command);
  });

  test.each([
    [["--chek"], 'unknown option --chek; did you mean "--check"?'],
    [["--zzz=1"], "unknown option --zzz"],
    [["serve"], "unexpected argument serve"],
    [["--config", "a.yaml", "doctor"], "doctor comes first: gomodel doctor --faults [options]"],
    [["--config"], "--config needs a FILE"],
    [["--config="], "--config needs a FILE"],
    [["--config", "--check"], "--config needs a FILE"],
    [["--demo=yes"], "--demo takes no value"],
    [["--demo", "--demo"], "--demo is given twice"],
    [["--check", "--health"], "--check and --health exclude each other"],
    [["--health-timeout", "1s"], "--health-timeout goes with --health"],
    [["--ready", "--health-timeout", "1s"], "--health-timeout goes with --health"],
    [["--ready", "--ready-timeout", "0"], "--ready-timeout must be more than 0"],
    [
      ["--health", "--health-timeout", "soon"],
      '--health-timeout "soon" is not a duration; write whole seconds, or for example 500ms, 30s or 1m30s (0 needs no unit)',
    ],
  ])("%j is wrong: %s", (argv, message) => {
    expect(parseArguments(argv)).toEqual({ kind: "wrong", message: `${message}\nTry gomodel --help` });
  });

  test.each([
    [["doctor"], "doctor needs to know what to examine; there is: gomodel doctor --faults"],
    [["doctor", "--json"], "doctor needs to know what to examine; there is: gomodel doctor --faults"],
    [["doctor", "--fautls"], 'unknown option of doctor: --fautls; did you mean "--faults"?'],
    [["doctor", "--faults", "smart"], "unexpected argument smart"],
    [["doctor", "--faults", "--fault"], "--fault needs a NAME"],
    [["doctor", "--faults", "--model="], "--model needs a NAME"],
    [["doctor", "--faults", "--config", "--json"], "--config needs a FILE"],
    [["doctor", "--faults=yes"], "--faults takes no value"],
    [["doctor", "--faults", "--json", "--json"], "--json is given twice"],
  ])("%j is wrong: %s", (argv, message) => {
    expect(parseArguments(argv)).toEqual({ kind: "wrong", message: `${message}\nTry gomodel doctor --help` });
  });

  test("every option is in the help", () => {
    const options = helpOf(["--help"]).match(/--[a-z-]+/g);
    for (const name of [
      "config",
      "demo",
      "check",
      "health",
      "health-timeout",
      "ready",
      "ready-timeout",
      "version",
      "help",
    ]) {
      expect(options).toContain(`--${name}`);
    }
  });

  test.each([[["--help"]], [["-h", "--check"]]])("%j gives the help, which names the doctor", (argv) => {
    expect(helpOf(argv)).toContain("gomodel doctor --faults");
  });

  test("doctor has a help of its own", () => {
    const text = helpOf(["doctor", "-h"]);
    for (const name of ["--faults", "--config FILE", "--model NAME", "--fault NAME", "--json", "--help"]) {
      expect(text).toContain(`  ${name} `);
    }
  });
});

function helpOf(argv: readonly string[]): string {
  const command = parseArguments(argv);
  return command.kind === "help" ? command.text : command.kind;
}
