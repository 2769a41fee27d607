// The command line of `gomodel doctor`, read.

import { suggestion } from "../../config/did-you-mean.ts";

export interface DoctorOptions {
  readonly configPath: string | undefined;
  /** Names to test; empty: all. */
  readonly models: readonly string[];
  /** Faults to send; empty: all. */
  readonly faults: readonly string[];
  readonly json: boolean;
}

/** `help` or the options, or what is wrong. */
export type DoctorArguments = DoctorOptions | "help" | { readonly complaint: string };

/** `value` names what follows the flag. */
const flags = {
  "--faults": {
    value: undefined,
    help: "send every fault of the upstream simulator through, and show what callers see",
  },
  "--config": { value: "FILE", help: "read this YAML file instead of config/config.yaml or config.yaml" },
  "--model": { value: "NAME", help: "only this virtual model, or a provider/model; may be given again" },
  "--fault": { value: "NAME", help: "only this fault, such as status-503 or cut-after; may be given again" },
  "--json": { value: undefined, help: "print every request as JSON instead of tables" },
  "--help": { value: undefined, help: "print this help and exit" },
} as const;

type Flag = keyof typeof flags;

export function doctorHelpText(): string {
  const rows = Object.entries(flags).map(
    ([flag, { value, help }]) => `  ${`${flag}${value === undefined ? "" : ` ${value}`}`.padEnd(18)}${help}\n`,
  );
  return `Usage: gomodel doctor --faults [options]

Runs your virtual models and your failover settings in front of simulated providers that misbehave in every known way.
Nothing is sent to a real provider. Exit code 1 when an answer is wrong, 0 when every one is whole or an honest error.

${rows.join("")}
The faults: docs/failure-modes.md
`;
}

/** Reads the arguments after the word `doctor`. */
export function readDoctorArguments(argv: readonly string[]): DoctorArguments {
  const given: { readonly flag: Flag; readonly value: string }[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const written = word === "-h" ? "--help" : word;
    const equals = written.indexOf("=");
    const name = equals === -1 ? written : written.slice(0, equals);
    if (!isFlag(name)) {
      const what = name.startsWith("-") ? "unknown option of doctor:" : "unexpected argument";
      return { complaint: `${what} ${name}${suggestion(name, Object.keys(flags))}` };
    }
    const { value } = flags[name];
    if (value === undefined) {
      if (equals !== -1) return { complaint: `${name} takes no value` };
      given.push({ flag: name, value: "" });
      continue;
    }
    const text = equals === -1 ? rest.shift() : written.slice(equals + 1);
    if (text === undefined || text === "" || (equals === -1 && text.startsWith("--"))) {
      return { complaint: `${name} needs a ${value}` };
    }
    given.push({ flag: name, value: text });
  }
  const valuesOf = (flag: Flag): string[] => given.filter((one) => one.flag === flag).map(({ value }) => value);
  if (valuesOf("--help").length > 0) return "help";
  const twice = (["--faults", "--config", "--json"] as const).find((flag) => valuesOf(flag).length > 1);
  if (twice !== undefined) return { complaint: `${twice} is given twice` };
  if (valuesOf("--faults").length === 0) {
    return { complaint: "doctor needs to know what to examine; there is: gomodel doctor --faults" };
  }
  return {
    configPath: valuesOf("--config")[0],
    models: [...new Set(valuesOf("--model"))],
    faults: [...new Set(valuesOf("--fault"))],
    json: valuesOf("--json").length > 0,
  };
}

function isFlag(word: string): word is Flag {
  return Object.hasOwn(flags, word);
}
