import { expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import type { RequestRecord } from "../core/record.ts";
import { createLogger } from "./logger.ts";
import { logRequest } from "./request-line.ts";

test("a request is one line named REQUEST, with the time at which it ended and without the key in its query", () => {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const logger = createLogger({ format: "json", level: "info", write, clock: new FakeClock(5000) });
  const record: RequestRecord = {
    requestId: "r1",
    startedAt: 0,
    durationMs: 12.345,
    method: "POST",
    path: "/v1/chat/completions",
    clientIp: "10.0.0.1",
    userAgent: "curl/8",
    authMethod: undefined,
    apiKeyHash: undefined,
    modelRoute: true,
    operation: undefined,
    requestedModel: undefined,
    virtualModel: undefined,
    stream: false,
    holdsBack: false,
    turns: [],
    answeredBy: undefined,
    statusCode: 200,
    failure: undefined,
    streamError: undefined,
    firstEventMs: undefined,
    facts: undefined,
    brokenParts: [],
    streamRecovery: undefined,
    cost: undefined,
    requestBody: undefined,
    responseBody: [],
    requestHeaders: undefined,
    requestLength: undefined,
    responseHeaders: undefined,
  };
  logRequest(logger, record, { uri: "/v1/chat/completions?key=canary", host: "gw:8080", bytesIn: 5, bytesOut: 7 });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      time: "1970-01-01T00:00:00.012Z",
      level: "info",
      msg: "REQUEST",
      method: "POST",
      uri: "/v1/chat/completions?key=[REDACTED]",
      status: 200,
      latency: "12.3ms",
      host: "gw:8080",
      bytes_in: 5,
      bytes_out: 7,
      user_agent: "curl/8",
      remote_ip: "10.0.0.1",
      request_id: "r1",
    },
  ]);
});
