// What is asked of the benchmark.

import { parseArgs } from "node:util";
import { scenarios } from "./scenarios.ts";

export interface Options {
  /** compare: the table. start, leak: their own figure only. profile: one scenario, where its time goes. */
  readonly task: "compare" | "start" | "leak" | "profile" | "help";
  /** Of scenarios; for a profile the only one. */
  readonly names: readonly string[];
  readonly quick: boolean;
  /** Of the load on each subject. */
  readonly rounds: number;
  readonly roundMs: number;
  /** At most. */
  readonly warmUpMs: number;
  readonly useWrk: boolean;
  readonly jsonFile: string | undefined;
}

export const help = `Usage: npm run bench -- [options]

Measures the gateway beside a bare Bun.serve + fetch proxy (and nginx, where installed) in front of the same upstream.

  --quick          fewer scenarios and shorter, under 40 s; the runtime has not compiled everything by then,
                   so that the gateway looks more expensive than it is: good for comparing quick runs
  --only NAME      this scenario (may be given several times)
  --start          only the time from start to the first answer
  --leak           only memory after 1,000,000 requests against 100,000 (takes minutes; with --quick 200,000)
  --profile NAME   run this scenario on the gateway and print where its CPU time goes
  --rounds N       rounds per subject (default 3)
  --no-wrk         use the benchmark's own load generator throughout
  --json FILE      write all figures there as well

Scenarios: ${scenarios.map(({ name }) => name).join(", ")}
`;

/** Throws an error with a readable message for what cannot be understood. */
export function readCommandLine(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      start: { type: "boolean", default: false },
      leak: { type: "boolean", default: false },
      profile: { type: "string" },
      rounds: { type: "string" },
      "no-wrk": { type: "boolean", default: false },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const { quick, profile } = values;
  const rounds = Number(values.rounds ?? (quick ? 2 : 3));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds "${values.rounds}" is not a number of rounds`);
  const asked = profile === undefined ? values.only : [profile];
  for (const name of asked) {
    if (!scenarios.some((scenario) => scenario.name === name)) {
      throw new Error(`there is no scenario "${name}", only ${scenarios.map((scenario) => scenario.name).join(", ")}`);
    }
  }
  const names = asked.length > 0 ? asked : scenarios.filter((one) => one.quick || !quick).map(({ name }) => name);
  const task = values.help
    ? "help"
    : profile !== undefined
      ? "profile"
      : values.leak
        ? "leak"
        : values.start
          ? "start"
          : "compare";
  return {
    task,
    names,
    quick,
    rounds,
    roundMs: quick ? 500 : 1000,
    warmUpMs: quick ? 1000 : 60_000,
    // wrk counts in whole seconds, too long for a quick run.
    useWrk: !values["no-wrk"] && !quick,
    jsonFile: values.json,
  };
}
