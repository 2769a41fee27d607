// Every metric that the gateway exports (behaviour 8.1, and those beyond it), and what feeds them.

import type { FailureOrigin } from "../core/failure.ts";
import type { Operation } from "../core/model-request.ts";
import type { RequestRecord } from "../core/record.ts";
import type { Target } from "../core/target.ts";
import type { Turn } from "../core/turn.ts";
import type { Usage } from "../core/usage.ts";
import { createCounter, createGauge, createHistogram, type Family } from "./counting.ts";
import { exposition } from "./exposition.ts";
import { type ModeSeries, TargetSeries } from "./target-series.ts";
import type { RuntimeMetrics } from "./runtime-metrics.ts";

export interface MetricsOptions {
  /** Whether the provider lists or configures this model; any other is labelled `other`, for callers choose the names. */
  readonly isKnownModel: (target: Target) => boolean;
  /** 0 closed, 1 half-open, 2 open; a provider whose breaker is off is absent. */
  readonly breakerStates: () => Iterable<{ readonly provider: string; readonly state: 0 | 1 | 2 }>;
  /** Rows that wait to be written. */
  readonly logQueueRows: () => number;
  /** Rows lost since the start because the queue was full. */
  readonly logRowsDropped: () => number;
}

/** The observer's port (core/record.ts). None of it throws. */
export interface Metrics {
  /** Once for every turn, a skipped one included. */
  turnStart(target: Target, operation: Operation, stream: boolean): void;
  turnEnd(turn: Turn, operation: Operation, stream: boolean): void;
  requestEnd(record: RequestRecord): void;
  /** What `METRICS_ENDPOINT` answers. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

const endpoints: Record<Operation, string> = {
  "chat-completions": "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  "count-tokens": "/v1/messages/count_tokens",
  embeddings: "/v1/embeddings",
};

const otherModel = "other";
/** Distinct model labels per provider; the ones that come later are `other` too. */
const maxModels = 1000;

/** A turn that gave no HTTP status: `status_code="network_error"`. */
const noStatus: Record<FailureOrigin, boolean> = {
  transport: true,
  timeout: true,
  cancelled: true,
  deadline: true,
  drain: true,
  request: false,
  status: false,
  answer: false,
  diverged: false,
  "circuit-open": false,
  "no-breaker-slot": false,
  bug: false,
};

export function createMetrics(options: MetricsOptions): Metrics {
  const families: Family[] = [];
  const requests = createCounter(families, {
    name: "gomodel_requests_total",
    help: "Upstream requests, retries included in one; a target skipped by its circuit breaker is none.",
    labelNames: ["provider", "model", "endpoint", "status_code", "status_type", "stream"],
  });
  const durations = createHistogram(families, {
    name: "gomodel_request_duration_seconds",
    help: "Upstream requests from start to end, retries and waits included; streams until their first event.",
    labelNames: ["provider", "model", "endpoint", "stream"],
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
  });
  const inFlight = createGauge(families, {
    name: "gomodel_requests_in_flight",
    help: "Upstream requests under way, streams until their end.",
    labelNames: ["provider", "endpoint", "stream"],
  });
  const emptyResponses = createCounter(families, {
    name: "gomodel_empty_responses_total",
    help: "Successful answers without content (no_choices, no_output) or without usage (no_usage).",
    labelNames: ["provider", "model", "reason"],
  });
  const attempts = createCounter(families, {
    name: "gomodel_attempts_total",
    help: "Single HTTP tries by outcome: succeeded, failed, cancelled; skipped when the circuit breaker refused the target.",
    labelNames: ["provider", "model", "outcome"],
  });
  const failovers = createCounter(families, {
    name: "gomodel_failovers_total",
    help: "Moves from one target of a virtual model to the next.",
    labelNames: ["virtual_model", "from", "to"],
  });
  const firstEvents = createHistogram(families, {
    name: "gomodel_first_event_seconds",
    help: "Streams: from the caller's request to its first data event, failovers included; by the model that began to answer.",
    labelNames: ["provider", "model"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
  });
  const tokens = createCounter(families, {
    name: "gomodel_tokens_total",
    help: "Tokens as reported by providers; cached_input, cache_write, audio_* and reasoning are usually part of input or output.",
    labelNames: ["provider", "model", "kind"],
  });
  const costs = createCounter(families, {
    name: "gomodel_cost_usd_total",
    help: "Cost in USD of the answers whose price is known.",
    labelNames: ["provider", "model"],
  });
  const recoveries = createCounter(families, {
    name: "gomodel_stream_recoveries_total",
    help: "Streams that broke after their first event where another target was to go on: recovered, impossible, diverged, exhausted.",
    labelNames: ["virtual_model", "outcome"],
  });
  families.push(
    {
      name: "gomodel_circuit_breaker_state",
      help: "0 closed, 1 half-open, 2 open; absent when the provider's breaker is off.",
      type: "gauge",
      labelNames: ["provider"],
      *samples() {
        for (const { provider, state } of options.breakerStates())
          yield { suffix: "", labels: ["provider", provider], value: state };
      },
    },
    single("gauge", "gomodel_log_queue_rows", "Request log rows that wait to be written.", options.logQueueRows),
    single(
      "counter",
      "gomodel_log_rows_dropped_total",
      "Request log rows lost because the queue was full.",
      options.logRowsDropped,
    ),
  );
  let runtime: Promise<RuntimeMetrics> | undefined;

  const modelLabel = createModelLabel(options.isKnownModel);
  /** A target stays one object for as long as the model lists do, and so does its label. */
  const known = new WeakMap<Target, TargetSeries>();
  const seriesOf = (target: Target): TargetSeries => {
    let series = known.get(target);
    if (series === undefined) {
      series = new TargetSeries(target.providerName, modelLabel(target));
      known.set(target, series);
    }
    return series;
  };
  const countTokens = (series: TargetSeries, usage: Usage): void => {
    const { provider, model } = series;
    if (isCount(usage.inputTokens)) (series.input ??= tokens(provider, model, "input")).value += usage.inputTokens;
    if (isCount(usage.outputTokens)) (series.output ??= tokens(provider, model, "output")).value += usage.outputTokens;
    const count = (kind: string, tokenCount: number): void => {
      if (isCount(tokenCount)) tokens(provider, model, kind).value += tokenCount;
    };
    count("cached_input", usage.cachedInputTokens);
    count("cache_write", usage.cacheWriteTokens);
    count("reasoning", usage.reasoningTokens);
    count("audio_input", usage.audioInputTokens);
    count("audio_output", usage.audioOutputTokens);
  };
  const modeOf = (series: TargetSeries, operation: Operation, stream: boolean): ModeSeries => {
    const modes = stream ? series.streamed : series.buffered;
    return (modes[operation] ??= {
      inFlight: inFlight(series.provider, endpoints[operation], String(stream)),
      duration: undefined,
      succeeded: undefined,
    });
  };
  return {
    turnStart(target, operation, stream) {
      modeOf(seriesOf(target), operation, stream).inFlight.value++;
    },

    turnEnd(turn, operation, stream) {
      const series = seriesOf(turn.target);
      const { provider, model } = series;
      const mode = modeOf(series, operation, stream);
      mode.inFlight.value--;
      const endpoint = endpoints[operation];
      const streamLabel = String(stream);
      // What nearly every turn is, with its series at hand.
      const [only] = turn.attempts;
      if (turn.outcome === "succeeded" && turn.attempts.length === 1 && only?.statusCode === 200) {
        (series.attemptSucceeded ??= attempts(provider, model, "succeeded")).value++;
        (mode.succeeded ??= requests(provider, model, endpoint, "200", "success", streamLabel)).value++;
        (mode.duration ??= durations(provider, model, endpoint, streamLabel)).observe(durationMsOf(turn) / 1000);
        return;
      }
      for (const { outcome } of turn.attempts) attempts(provider, model, outcome).value++;
      if (turn.outcome === "skipped") attempts(provider, model, "skipped").value++;
      // Refused by a breaker or before anything was sent: no upstream request.
      if (turn.attempts.length === 0) return;
      requests(provider, model, endpoint, statusCodeOf(turn), statusTypeOf(turn), streamLabel).value++;
      durations(provider, model, endpoint, streamLabel).observe(durationMsOf(turn) / 1000);
      const emptyReason = turn.failure?.emptyReason;
      if (emptyReason !== undefined) emptyResponses(provider, model, emptyReason).value++;
    },

    requestEnd(record) {
      const { turns, answeredBy, cost, facts } = record;
      for (let index = 1; index < turns.length; index++) {
        const from = turns[index - 1]?.target;
        const to = turns[index]?.target;
        if (from === undefined || to === undefined) continue;
        failovers(record.virtualModel ?? "", written(from, modelLabel(from)), written(to, modelLabel(to))).value++;
      }
      if (record.streamRecovery !== undefined) {
        recoveries(record.virtualModel ?? "", record.streamRecovery).value++;
      }
      for (const part of record.brokenParts) {
        if (part.facts.usage !== undefined) countTokens(seriesOf(part.target), part.facts.usage);
      }
      if (answeredBy === undefined) return;
      const series = seriesOf(answeredBy);
      const { provider, model } = series;
      if (record.firstEventMs !== undefined) {
        // Of a stream that others went on with, the first one began.
        const begun = seriesOf((record.holdsBack ? undefined : record.brokenParts[0]?.target) ?? answeredBy);
        firstEvents(begun.provider, begun.model).observe(record.firstEventMs / 1000);
      }
      if (facts?.emptyReason !== undefined) emptyResponses(provider, model, facts.emptyReason).value++;
      if (facts?.usage !== undefined) countTokens(series, facts.usage);
      const usd = cost?.totalUsd ?? 0;
      if (isCount(usd)) (series.cost ??= costs(provider, model)).value += usd;
    },

    async render() {
      // Loaded when somebody asks for the first time: it holds the event loop for some 35 ms, and a start should not wait for it.
      runtime ??= import("./runtime-metrics.ts").then(({ createRuntimeMetrics }) => createRuntimeMetrics());
      const { contentType, text } = await runtime;
      const rest = await text();
      return { contentType, text: `${exposition(families)}\n\n${rest}` };
    },
  };
}

/** A metric without labels that is asked for its value. */
function single(type: Family["type"], name: string, help: string, value: () => number): Family {
  return { name, help, type, labelNames: [], samples: () => [{ suffix: "", labels: [], value: value() }] };
}

/** Known models by their id until a provider has `maxModels` of them, so that no caller can fill the memory with labels. */
function createModelLabel(isKnownModel: MetricsOptions["isKnownModel"]): (target: Target) => string {
  const seen = new Map<string, Set<string>>();
  return (target) => {
    if (!isKnownModel(target)) return otherModel;
    let models = seen.get(target.providerName);
    if (models === undefined) {
      models = new Set();
      seen.set(target.providerName, models);
    }
    if (models.has(target.model)) return target.model;
    if (models.size >= maxModels) return otherModel;
    models.add(target.model);
    return target.model;
  };
}

function written(target: Target, model: string): string {
  return `${target.providerName}/${model}`;
}

function statusCodeOf(turn: Turn): string {
  const { failure } = turn;
  if (failure !== undefined && !turn.committed)
    return noStatus[failure.origin] ? "network_error" : String(failure.status);
  return String(turn.attempts.at(-1)?.statusCode ?? "network_error");
}

/** A caller who left an answer that had begun says nothing against the provider. */
function statusTypeOf(turn: Turn): "success" | "error" {
  return turn.outcome === "succeeded" || (turn.outcome === "cancelled" && turn.committed) ? "success" : "error";
}

function durationMsOf(turn: Turn): number {
  if (turn.establishedMs !== undefined) return turn.establishedMs;
  const last = turn.attempts.at(-1);
  return last === undefined ? 0 : Math.max(0, last.startedAt + last.durationMs - turn.startedAt);
}

/** What providers report may be anything; a counter takes only what makes it grow. */
function isCount(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}
