// What is measured, and how good it has to be.

import type { BenchDialect } from "./dialect.ts";
import type { GatewayVariant } from "./gateway-settings.ts";

export interface Scenario {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** What the gateway is asked in. */
  readonly caller: BenchDialect;
  /** What its upstream speaks, and all the others. */
  readonly provider: BenchDialect;
  readonly connections: number;
  /** Of the request, about. */
  readonly bodyBytes: number;
  /** Undefined: a whole answer. */
  readonly stream: { readonly kind: "burst" } | { readonly kind: "paced"; readonly everyMs: number } | undefined;
  readonly records: GatewayVariant["records"];
  /** The virtual model's first target answers 500. */
  readonly firstTargetBroken: boolean;
  /** CPU time of the gateway as a multiple of the fetch proxy's, at most. Undefined: only told. */
  readonly targetRatio: number | undefined;
  /** Memory of the gateway under this load, at most. Undefined: only told. */
  readonly targetMegabytes: number | undefined;
  /** Part of `--quick`. */
  readonly quick: boolean;
}

const small = {
  caller: "chat-completions",
  provider: "chat-completions",
  connections: 64,
  bodyBytes: 600,
  stream: undefined,
  records: "everything",
  firstTargetBroken: false,
  targetRatio: undefined,
  targetMegabytes: undefined,
  quick: false,
} as const;

const shortNames: Readonly<Record<BenchDialect, string>> = {
  "chat-completions": "chat",
  messages: "messages",
  responses: "responses",
};

/** In the order of the report. */
export const scenarios: readonly Scenario[] = [
  { ...small, name: "small", title: "small body", targetRatio: 2, targetMegabytes: 90, quick: true },
  { ...small, name: "20k", title: "20 kB body", connections: 32, bodyBytes: 20_000, targetRatio: 1.3, quick: true },
  { ...small, name: "burst", title: "50 events in a burst", stream: { kind: "burst" }, targetRatio: 1.5, quick: true },
  {
    ...small,
    name: "paced",
    title: "50 events 10 ms apart",
    connections: 256,
    stream: { kind: "paced", everyMs: 10 },
    targetRatio: 1.3,
    quick: true,
  },
  {
    ...small,
    name: "paced-1000",
    title: "50 events 50 ms apart",
    connections: 1000,
    stream: { kind: "paced", everyMs: 50 },
    targetRatio: 1.3,
    targetMegabytes: 150,
  },
  { ...small, name: "alone", title: "small body, one caller", connections: 1 },
  { ...small, name: "small-bodies", title: "small body, bodies logged", records: "bodies" },
  {
    ...small,
    name: "20k-bodies",
    title: "20 kB body, bodies logged",
    connections: 32,
    bodyBytes: 20_000,
    records: "bodies",
    targetRatio: 2,
  },
  {
    ...small,
    name: "failover",
    title: "small body, first target answers 500",
    firstTargetBroken: true,
    targetRatio: 3,
    quick: true,
  },
  {
    ...small,
    name: "off",
    title: "small body; log, usage, metrics off",
    records: "nothing",
    targetRatio: 1.5,
  },
  ...sameDialect("messages"),
  ...sameDialect("responses"),
  { ...translated("messages", "chat-completions"), targetRatio: 2.5, quick: true },
  translated("chat-completions", "messages"),
  translated("messages", "responses"),
];

/** What chat completions have as `small`, `20k` and `burst`, with the same targets. */
function sameDialect(dialect: BenchDialect): readonly Scenario[] {
  const own = { ...small, caller: dialect, provider: dialect };
  return [
    { ...own, name: `${dialect}-small`, title: `${dialect}: small body`, targetRatio: 2 },
    {
      ...own,
      name: `${dialect}-20k`,
      title: `${dialect}: 20 kB body`,
      connections: 32,
      bodyBytes: 20_000,
      targetRatio: 1.3,
    },
    {
      ...own,
      name: `${dialect}-burst`,
      title: `${dialect}: 50 events in a burst`,
      stream: { kind: "burst" },
      targetRatio: 1.5,
    },
  ];
}

/** A stream that is translated on its way. */
function translated(provider: BenchDialect, caller: BenchDialect): Scenario {
  return {
    ...small,
    caller,
    provider,
    name: `${shortNames[provider]}-to-${shortNames[caller]}`,
    title: `50 events in a burst, ${provider} upstream, ${caller} caller`,
    stream: { kind: "burst" },
  };
}

/** Which answer of `upstream.ts` the scenario is about. */
export function answerOf({ stream }: Scenario): string {
  if (stream === undefined) return "plain";
  return stream.kind === "burst" ? "burst" : `paced-${stream.everyMs}`;
}

export function variantOf(scenario: Scenario): GatewayVariant {
  const answer = answerOf(scenario);
  const targets = [scenario.firstTargetBroken ? "broken" : answer, answer] as const;
  return { targets, records: scenario.records, provider: scenario.provider };
}
