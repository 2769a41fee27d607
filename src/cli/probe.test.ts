import { expect, test } from "bun:test";
import { probeGateway } from "./probe.ts";
import type { ProbeOptions } from "./probe.ts";

async function probe(answer: { status: number; body: string } | Error, options: Partial<ProbeOptions> = {}) {
  const asked: string[] = [];
  const outcome = await probeGateway({
    probe: "health",
    host: "0.0.0.0",
    port: 8080,
    basePath: "",
    timeoutMs: 2000,
    get: async (url, timeoutMs) => {
      asked.push(`${url} ${timeoutMs}`);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    ...options,
  });
  return { ...outcome, asked };
}

test.each([
  ["health", 200, '{"status":"ok"}', 0],
  ["health", 500, '{"status":"ok"}', 1],
  ["health", 200, '{"status":"ready"}', 1],
  ["health", 200, "<html>", 1],
  ["health", 200, "null", 1],
  ["health", 200, '{"status":1}', 1],
  ["ready", 200, '{"status":"ready"}', 0],
  ["ready", 200, '{"status":"degraded"}', 0],
  ["ready", 503, '{"status":"not_ready"}', 1],
  ["ready", 200, '{"status":"ok"}', 1],
] as const)("--%s with %d %s exits %d", async (kind, status, body, exitCode) => {
  expect((await probe({ status, body }, { probe: kind })).exitCode).toBe(exitCode);
});

test.each([
  ["0.0.0.0", "", "http://127.0.0.1:8080/health 2000"],
  ["::", "/g", "http://[::1]:8080/g/health 2000"],
  ["::1", "", "http://[::1]:8080/health 2000"],
  ["10.0.0.5", "/g", "http://10.0.0.5:8080/g/health 2000"],
])("with host %s and base path %p it asks %s", async (host, basePath, url) => {
  expect((await probe({ status: 200, body: '{"status":"ok"}' }, { host, basePath })).asked).toEqual([url]);
});

test("what went wrong is said on stderr", async () => {
  const body = '{"status":"not_ready"}';
  expect(await probe({ status: 503, body }, { probe: "ready" })).toMatchObject({
    stdout: "",
    stderr: 'http://127.0.0.1:8080/health/ready answered 503 with status "not_ready"; expected ready or degraded\n',
  });
  expect(await probe(new Error("connection refused"))).toMatchObject({
    exitCode: 1,
    stderr: "http://127.0.0.1:8080/health did not answer: connection refused\n",
  });
});
