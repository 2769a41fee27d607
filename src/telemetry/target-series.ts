// The metric series of one target, so that they need not be looked up by their labels for every answer.

import type { Operation } from "../core/model-request.ts";
import type { Cell, Distribution } from "./counting.ts";

/** The series that every answer of a target counts in, once they have come up: found once instead of by their labels each time. */
export class TargetSeries {
  readonly provider: string;
  readonly model: string;
  attemptSucceeded: Cell | undefined;
  input: Cell | undefined;
  output: Cell | undefined;
  cost: Cell | undefined;
  readonly buffered: Partial<Record<Operation, ModeSeries>> = {};
  readonly streamed: Partial<Record<Operation, ModeSeries>> = {};

  constructor(provider: string, model: string) {
    this.provider = provider;
    this.model = model;
  }
}

export interface ModeSeries {
  readonly inFlight: Cell;
  duration: Distribution | undefined;
  succeeded: Cell | undefined;
}
