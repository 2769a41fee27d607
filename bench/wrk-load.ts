// The same load by `wrk`, which costs less per request than anything in this runtime.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Load, LoadResult } from "./load.ts";

/** Requests come from a file as they are, separated by NUL; latencies are in microseconds. */
const script = `
local requests, last = {}, 0
function init(args)
  local file = io.open(args[1], "rb")
  for request in file:read("*a"):gmatch("(%Z+)%z") do requests[#requests + 1] = request end
  file:close()
end
function request()
  last = last % #requests + 1
  return requests[last]
end
function done(summary, latency)
  local errors = summary.errors
  local wrong = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('\\n{"requests":%d,"wrong":%d,"us":%d,"p50Us":%d,"p99Us":%d}\\n',
    summary.requests, wrong, summary.duration, latency:percentile(50), latency:percentile(99)))
end
`;

export function isWrkInstalled(): boolean {
  return Bun.which("wrk") !== null;
}

/** Whole seconds only: `durationMs` is rounded up. Throws when wrk fails. */
export async function runWrkLoad({ port, requests, connections, durationMs }: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), "gomodel-bench-wrk-"));
  try {
    const scriptPath = join(folder, "load.lua");
    const requestsPath = join(folder, "requests");
    writeFileSync(scriptPath, script);
    writeFileSync(requestsPath, Buffer.concat(requests.flatMap((request) => [request, Buffer.from([0])])));
    const command = ["wrk", "-t1", `-c${connections}`, `-d${Math.ceil(durationMs / 1000)}s`, "-s", scriptPath];
    const wrk = Bun.spawn([...command, `http://127.0.0.1:${port}/`, "--", requestsPath], { stderr: "inherit" });
    const output = await new Response(wrk.stdout).text();
    const line = output.split("\n").find((candidate) => candidate.startsWith("{"));
    if ((await wrk.exited) !== 0 || line === undefined) throw new Error(`wrk failed:\n${output}`);
    const sums: Record<"requests" | "wrong" | "us" | "p50Us" | "p99Us", number> = JSON.parse(line);
    return {
      answers: sums.requests - sums.wrong,
      wrong: sums.wrong,
      seconds: sums.us / 1e6,
      p50Ms: sums.p50Us / 1000,
      p99Ms: sums.p99Us / 1000,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
