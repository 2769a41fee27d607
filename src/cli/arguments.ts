// What the operator wants of `gomodel`: the command line, read.

import { suggestion } from "../config/did-you-mean.ts";
import { readDuration } from "../config/duration.ts";
import { doctorHelpText, readDoctorArguments, type DoctorOptions } from "./doctor/arguments.ts";

export type Command =
  /** `demo`: with no provider configured, register the built-in one. */
  | { readonly kind: "serve"; readonly configPath: string | undefined; readonly demo: boolean }
  | { readonly kind: "check"; readonly configPath: string | undefined }
  | {
      readonly kind: "probe";
      readonly probe: "health" | "ready";
      readonly configPath: string | undefined;
      readonly timeoutMs: number;
    }
  | ({ readonly kind: "doctor" } & DoctorOptions)
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly text: string }
  /** Exit with `usageExitCode`. */
  | { readonly kind: "wrong"; readonly message: string };

export const usageExitCode = 2;

/** In the order of the help. `value` names what follows the flag. */
const flags = {
  "--config": { value: "FILE", help: "read this YAML file instead of config/config.yaml or config.yaml" },
  "--demo": { value: undefined, help: "with no provider configured, register the built-in demo provider" },
  "--check": { value: undefined, help: "validate the configuration, print it with secrets masked, and exit" },
  "--health": { value: undefined, help: "ask the running gateway for /health; exit 0 when it answers ok" },
  "--health-timeout": { value: "TIME", help: "how long --health waits (default 2s)" },
  "--ready": { value: undefined, help: "ask it for /health/ready; exit 0 when it is ready or degraded" },
  "--ready-timeout": { value: "TIME", help: "how long --ready waits (default 4s)" },
  "--version": { value: undefined, help: "print the version and exit" },
  "--help": { value: undefined, help: "print this help and exit" },
} as const;

type Flag = keyof typeof flags;

const commandFlags = ["--check", "--health", "--ready", "--version", "--help"] as const;

function helpText(): string {
  const rows = Object.entries(flags).map(
    ([flag, { value, help }]) => `  ${`${flag}${value === undefined ? "" : ` ${value}`}`.padEnd(24)}${help}\n`,
  );
  return `Usage: gomodel [options]
       gomodel doctor --faults [options]

Serves the gateway unless an option says otherwise.

${rows.join("")}
${"  doctor --faults".padEnd(26)}show what callers see when providers misbehave (gomodel doctor --help)

Settings: docs/configuration.md, or config.example.yaml and .env.example
`;
}

/** Reads the arguments after the program's name. `--flag value` and `--flag=value` are the same. */
export function parseArguments(argv: readonly string[]): Command {
  const [first, ...others] = argv;
  if (first === "doctor") return doctor(others);
  const given = new Map<Flag, string>();
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const written = word === "-h" ? "--help" : word === "-v" ? "--version" : word;
    const equals = written.indexOf("=");
    const name = equals === -1 ? written : written.slice(0, equals);
    if (name === "doctor") return wrong("doctor comes first: gomodel doctor --faults [options]");
    if (!isFlag(name))
      return wrong(
        `${name.startsWith("-") ? "unknown option" : "unexpected argument"} ${name}${suggestion(name, Object.keys(flags))}`,
      );
    if (given.has(name)) return wrong(`${name} is given twice`);
    const { value } = flags[name];
    if (value === undefined) {
      if (equals !== -1) return wrong(`${name} takes no value`);
      given.set(name, "");
      continue;
    }
    const text = equals === -1 ? rest.shift() : written.slice(equals + 1);
    if (text === undefined || text === "" || (equals === -1 && text.startsWith("--")))
      return wrong(`${name} needs a ${value}`);
    given.set(name, text);
  }
  return commandOf(given);
}

function doctor(argv: readonly string[]): Command {
  const read = readDoctorArguments(argv);
  if (read === "help") return { kind: "help", text: doctorHelpText() };
  return "complaint" in read
    ? { kind: "wrong", message: `${read.complaint}\nTry gomodel doctor --help` }
    : { kind: "doctor", ...read };
}

function commandOf(given: ReadonlyMap<Flag, string>): Command {
  if (given.has("--help")) return { kind: "help", text: helpText() };
  const [command, other] = commandFlags.filter((flag) => given.has(flag));
  if (other !== undefined) return wrong(`${command} and ${other} exclude each other`);
  const configPath = given.get("--config");
  const misplaced = (["--health-timeout", "--ready-timeout"] as const).find(
    (flag) => given.has(flag) && command !== flag.replace("-timeout", ""),
  );
  if (misplaced !== undefined) return wrong(`${misplaced} goes with ${misplaced.replace("-timeout", "")}`);
  if (command === undefined) return { kind: "serve", configPath, demo: given.has("--demo") };
  switch (command) {
    case "--check":
      return { kind: "check", configPath };
    case "--health":
      return probe("health", configPath, given.get("--health-timeout") ?? "2s", "--health-timeout");
    case "--ready":
      return probe("ready", configPath, given.get("--ready-timeout") ?? "4s", "--ready-timeout");
    case "--version":
      return { kind: "version" };
    case "--help":
      return { kind: "help", text: helpText() };
  }
}

function probe(which: "health" | "ready", configPath: string | undefined, timeout: string, flag: Flag): Command {
  const reading = readDuration(timeout, { plainSeconds: true });
  if ("complaint" in reading) return wrong(`${flag} "${timeout}" ${reading.complaint}`);
  if (reading.value === 0) return wrong(`${flag} must be more than 0`);
  return { kind: "probe", probe: which, configPath, timeoutMs: reading.value };
}

function isFlag(word: string): word is Flag {
  return Object.hasOwn(flags, word);
}

function wrong(message: string): Command {
  return { kind: "wrong", message: `${message}\nTry gomodel --help` };
}
