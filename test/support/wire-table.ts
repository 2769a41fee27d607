// Tests that the bytes of a simulated answer are what its name says, one for each row of a table.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { modelRequest, openRawConnection, type RawExchange } from "./raw-exchange.ts";
import { startSimulator, type Simulator } from "../../src/upstream-simulator/simulator.ts";

export interface WireRow {
  readonly model: string;
  readonly mode: "buffered" | "stream";
  /** Matches all that comes, read as UTF-8. */
  readonly bytes: RegExp;
  /** How the connection is after that; `open` is looked at for a moment. */
  readonly end: RawExchange["end"];
}

/** Rows in short form: model, pattern, end. */
export type ShortRow = readonly [model: string, bytes: RegExp, end: RawExchange["end"]];

export const wireRows = (mode: WireRow["mode"], rows: readonly ShortRow[]): WireRow[] =>
  rows.map(([model, bytes, end]) => ({ model, mode, bytes, end }));

const usageWanted = { stream: true, stream_options: { include_usage: true } };

/** How long a connection must stay quiet to be called open. */
const quietMs = 10;

export function testWire(rows: readonly WireRow[]): void {
  let simulator: Simulator;
  beforeAll(() => {
    simulator = startSimulator();
  });
  afterAll(() => simulator.stop());

  for (const { model, mode, bytes, end } of rows) {
    test(`${model} on a ${mode} request is ${bytes.source.slice(0, 60)}, then ${end}`, async () => {
      const client = openRawConnection(simulator.port);
      client.send(modelRequest("chat/completions", model, mode === "stream" ? usageWanted : {}));
      const seen = await client.receive((soFar) => end === "open" && bytes.test(soFar.text));
      expect(seen.text).toMatch(bytes);
      if (end === "open") {
        const later = client.receive(() => false, quietMs);
        expect(await later.catch(String)).toContain(`not received within ${quietMs} ms`);
      } else {
        expect(seen.end).toBe(end);
      }
      client.close();
    });
  }
}
