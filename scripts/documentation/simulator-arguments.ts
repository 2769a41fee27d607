// The command line of `scripts/simulate.mjs`, which the examples of the documentation write too.

import { readModelName } from "../../src/upstream-simulator/model-name.ts";

export interface WantedSimulator {
  readonly port: number;
  /** What each of its models does wrong; `ok` for nothing. */
  readonly faults: ReadonlyMap<string, string>;
}

/** `9001 gpt=status-503@1 9002 gpt=ok`: a port, then its models. A text says what is wrong. */
export function readSimulators(words: readonly string[]): readonly WantedSimulator[] | string {
  const simulators: { readonly port: number; readonly faults: Map<string, string> }[] = [];
  for (const word of words) {
    const equals = word.indexOf("=");
    if (equals === -1) {
      const port = /^\d{1,5}$/.test(word) ? Number(word) : 0;
      if (port < 1 || port > 65_535) return `${word} is neither a port nor MODEL=FAULT`;
      simulators.push({ port, faults: new Map() });
      continue;
    }
    const [model, fault] = [word.slice(0, equals), word.slice(equals + 1)];
    const last = simulators.at(-1);
    if (last === undefined) return `${word} needs a port before it, for example: 9001 ${word}`;
    if (model === "") return `${word} needs the name of a model before the =`;
    if (readModelName(fault) === undefined) return `there is no fault ${fault}; docs/failure-modes.md has them all`;
    last.faults.set(model, fault);
  }
  const idle = simulators.find(({ faults }) => faults.size === 0);
  if (idle !== undefined) return `port ${idle.port} has no model, for example: ${idle.port} gpt=ok`;
  return simulators.length === 0 ? "no port is given" : simulators;
}
