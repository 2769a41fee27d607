// The findings as one JSON document for programs.

import { countVerdicts, type Findings } from "./findings.ts";
import { verdictOf } from "./outcome.ts";

/** Times are in milliseconds, as they really would have passed; `scaled_ms` is what a setting took here. */
export function jsonReport(all: Findings): string {
  const document = {
    config_file: all.configFile ?? null,
    speed: all.speed,
    durations: all.durations.map(({ path, ms }) => ({ setting: path, real_ms: ms, scaled_ms: ms / all.speed })),
    notes: all.notes,
    models: all.models.map(({ name, strategy, failover, targets }) => ({
      name,
      strategy: strategy ?? null,
      failover,
      targets,
    })),
    rows: all.findings.map(({ model, situation, family, fault, mode, outcome }) => {
      const { kind, attempts, ms, ...details } = outcome;
      return {
        model,
        situation,
        family,
        fault,
        mode,
        verdict: verdictOf(outcome),
        outcome: kind,
        attempts,
        ms: Math.round(ms),
        ...details,
      };
    }),
    circuit_breakers: all.breakers,
    summary: { requests: all.findings.length, ...countVerdicts(all.findings) },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
