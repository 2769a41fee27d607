// A process that is killed in the middle of its writes loses nothing that it had acknowledged.

import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { LogBench, allRows, requestIdsIn } from "../../test/support/request-log.ts";
import { requestRecord } from "../../test/support/request-record.ts";

const bench = new LogBench();
afterEach(() => bench.dispose());

const cycles = 4;
const writerPath = Bun.fileURLToPath(new URL("../../test/support/log-writer.ts", import.meta.url));

/** Kills the child some milliseconds after its first acknowledgement; gives the numbers that it had acknowledged and recorded. */
async function killInTheMiddle(path: string, cycle: number): Promise<{ acknowledged: number; recorded: number }> {
  const child = Bun.spawn([process.execPath, writerPath, path, String(cycle)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let acknowledged = 0;
  let recorded = 0;
  let rest = "";
  let killing = false;
  for await (const chunk of child.stdout) {
    const lines = (rest + new TextDecoder().decode(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) [acknowledged = 0, recorded = 0] = line.split(" ").map(Number);
    if (killing || acknowledged === 0) continue;
    killing = true;
    setTimeout(() => child.kill("SIGKILL"), 5 + 17 * cycle);
  }
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  return { acknowledged, recorded };
}

test(`in each of ${cycles} kills every acknowledged row is there, none twice, and the file is whole`, async () => {
  const path = bench.path();
  for (let cycle = 0; cycle < cycles; cycle++) {
    const { acknowledged } = await killInTheMiddle(path, cycle);
    const started = performance.now();
    const { log } = bench.open(path);
    await log.flush();
    expect(performance.now() - started).toBeLessThan(2_000);
    log.record(requestRecord({ requestId: `after-${cycle}` }));
    await log.flush();
    const ids = requestIdsIn(path).filter((id) => id.startsWith(`${cycle}-`));
    // A batch is stored whole or not at all, in order: what is there is the beginning of what was recorded.
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => `${cycle}-${index}`));
    expect(ids.length).toBeGreaterThanOrEqual(acknowledged);
    expect(ids.length % 10).toBe(0);
    expect((await allRows(log)).rows[0]?.request_id).toBe(`after-${cycle}`);
    await log.close();
    const database = new Database(path, { readonly: true });
    expect(database.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    database.close();
  }
}, 30_000);
