// Does what an example of a page says, in front of the simulators that it names, and gives back what comes of it.

import { parse } from "yaml";
import type { AuditEntry, AuditUsage } from "../../src/admin/contract.ts";
import { startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { startGateway } from "../support/start-gateway.ts";
import type { PageExample } from "./page-examples.ts";

/** What the last request of an example got. */
export interface ExampleOutcome {
  /** As `curl -i` shows it: status line, headers, an empty line and the body. */
  readonly answer: string;
  readonly seconds: number;
  /** Lines in the words of the page: attempts, recovery, usage, text. */
  readonly facts: readonly string[];
  /** Lines of `/metrics`. */
  readonly metrics: readonly string[];
}

/** `common` is the configuration that all examples have; an example's own sections stand in place of those. */
export async function runExample(example: PageExample, common: string): Promise<ExampleOutcome> {
  const simulators = example.simulators.map(({ port, faults }) => {
    const simulator = startSimulator({ models: [...faults.keys()] });
    for (const [model, fault] of faults) simulator.setFault(model, fault);
    return { port, simulator };
  });
  const config = JSON.stringify({ ...sectionsOf(common), ...sectionsOf(example.yaml) });
  const yaml = simulators.reduce(
    (text, { port, simulator }) => text.replaceAll(`http://127.0.0.1:${port}/v1`, simulator.baseUrl),
    config,
  );
  const gateway = await startGateway(yaml);
  try {
    let response: Response | undefined;
    let body = "";
    let begun = 0;
    for (const { url, headers, body: sent, sleepSeconds } of example.requests) {
      if (sleepSeconds > 0) await Bun.sleep(sleepSeconds * 1000);
      begun = performance.now();
      response = await fetch(gateway.url + new URL(url).pathname, { method: "POST", headers, body: sent });
      body = await response.text();
    }
    if (response === undefined) throw new Error("an example has a request");
    const seconds = (performance.now() - begun) / 1000;
    const [row] = await gateway.rows(example.requests.length);
    if (row === undefined) throw new Error("every request has a row");
    return {
      answer: [`HTTP/1.1 ${response.status} ${response.statusText}`, ...headerLines(response), "", body].join("\n"),
      seconds,
      facts: [...loggedFacts(row), ...textFacts(body)],
      metrics: (await (await fetch(`${gateway.url}/metrics`)).text()).split("\n"),
    };
  } finally {
    await gateway.stop();
    await Promise.all(simulators.map(({ simulator }) => simulator.stop()));
  }
}

function sectionsOf(yaml: string): Record<string, unknown> {
  const value: unknown = parse(yaml);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function headerLines({ headers }: Response): string[] {
  return [...headers].map(([name, value]) => `${name}: ${value}`);
}

/** What the page's jq program prints of a row. */
function loggedFacts({ data, usage }: AuditEntry): string[] {
  const attempts = data.attempts.map(({ turn, kind, target, outcome, status_code: status, error_code: code }) =>
    [`turn ${turn} ${kind} ${target} ${outcome}`, status, code].filter((part) => part !== null).join(" "),
  );
  return [
    ...attempts,
    ...(data.stream_recovery === undefined ? [] : [`recovery ${data.stream_recovery}`]),
    ...(usage === null ? [] : usageFacts(usage)),
  ];
}

function usageFacts(usage: AuditUsage): string[] {
  const { input_tokens: input, output_tokens: output, total_cost: cost, costs_calculation_caveat: caveat } = usage;
  return [
    `usage ${input} in, ${output} out`,
    ...(cost === null ? [] : [`cost ${cost} USD`]),
    ...(caveat === null ? [] : [`caveat ${caveat}`]),
  ];
}

/** The text that a client puts together. */
function textFacts(body: string): string[] {
  const pieces = body
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line): { choices?: { delta?: { content?: string | null } }[] } => JSON.parse(line.slice("data: ".length)))
    .map(({ choices }) => choices?.[0]?.delta?.content ?? "");
  return pieces.length === 0 ? [] : [`text ${pieces.join("")}`];
}
