// Every metric that the gateway exports (behaviour 8.1, and those beyond it), and what feeds them.

import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { FailureOrigin } from "../core/failure.ts";
import type { Operation } from "../core/model-request.ts";
import type { RequestRecord } from "../core/record.ts";
import type { Target } from "../core/target.ts";
import type { Turn } from "../core/turn.ts";
import type { Cost, Usage } from "../core/usage.ts";
import { createCounter, createGauge, createHistogram } from "./counting.ts";

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

/** The observer's port (core/record.ts), with the cost that the request's end has been given. None of it throws. */
export interface Metrics {
  /** Once for every turn, a skipped one included. */
  turnStart(target: Target, operation: Operation, stream: boolean): void;
  turnEnd(turn: Turn, operation: Operation, stream: boolean): void;
  requestEnd(record: RequestRecord, cost: Cost): void;
  /** What `METRICS_ENDPOINT` answers. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

const endpoints: Record<Operation, string> = {
  "chat-completions": "/v1/chat/completions",
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
  "circuit-open": false,
  "no-breaker-slot": false,
  bug: false,
};

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];

  const requests = createCounter(registry, {
    name: "gomodel_requests_total",
    help: "Upstream requests, retries included in one; a target skipped by its circuit breaker is none.",
    labelNames: ["provider", "model", "endpoint", "status_code", "status_type", "stream"],
  });
  const durations = createHistogram(registry, {
    name: "gomodel_request_duration_seconds",
    help: "Upstream requests from start to end, retries and waits included; streams until their first event.",
    labelNames: ["provider", "model", "endpoint", "stream"],
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
  });
  const inFlight = createGauge(registry, {
    name: "gomodel_requests_in_flight",
    help: "Upstream requests under way, streams until their end.",
    labelNames: ["provider", "endpoint", "stream"],
  });
  const emptyResponses = createCounter(registry, {
    name: "gomodel_empty_responses_total",
    help: "Successful answers without content (no_choices) or without usage (no_usage).",
    labelNames: ["provider", "model", "reason"],
  });
  const attempts = createCounter(registry, {
    name: "gomodel_attempts_total",
    help: "Single HTTP tries by outcome: succeeded, failed, cancelled; skipped when the circuit breaker refused the target.",
    labelNames: ["provider", "model", "outcome"],
  });
  const failovers = createCounter(registry, {
    name: "gomodel_failovers_total",
    help: "Moves from one target of a virtual model to the next.",
    labelNames: ["virtual_model", "from", "to"],
  });
  const firstEvents = createHistogram(registry, {
    name: "gomodel_first_event_seconds",
    help: "Streams: from the caller's request to its first data event, failovers included; by answering model.",
    labelNames: ["provider", "model"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
  });
  const tokens = createCounter(registry, {
    name: "gomodel_tokens_total",
    help: "Tokens as reported by providers; cached_input, cache_write, audio_* and reasoning are usually part of input or output.",
    labelNames: ["provider", "model", "kind"],
  });
  const costs = createCounter(registry, {
    name: "gomodel_cost_usd_total",
    help: "Cost in USD of the answers whose price is known.",
    labelNames: ["provider", "model"],
  });
  new Gauge({
    name: "gomodel_circuit_breaker_state",
    help: "0 closed, 1 half-open, 2 open; absent when the provider's breaker is off.",
    labelNames: ["provider"],
    registers,
    collect() {
      this.reset();
      for (const { provider, state } of options.breakerStates()) this.set({ provider }, state);
    },
  });
  new Gauge({
    name: "gomodel_log_queue_rows",
    help: "Request log rows that wait to be written.",
    registers,
    collect() {
      this.set(options.logQueueRows());
    },
  });
  new Counter({
    name: "gomodel_log_rows_dropped_total",
    help: "Request log rows lost because the queue was full.",
    registers,
    collect() {
      this.reset();
      this.inc(options.logRowsDropped());
    },
  });
  // Every 100 ms is often enough to see a blocked event loop; the default of 10 ms costs an idle gateway 1 % of a core.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });

  const modelLabel = createModelLabel(options.isKnownModel);
  return {
    turnStart(target, operation, stream) {
      inFlight(target.providerName, endpoints[operation], String(stream)).value++;
    },

    turnEnd(turn, operation, stream) {
      const provider = turn.target.providerName;
      const endpoint = endpoints[operation];
      const streamLabel = String(stream);
      inFlight(provider, endpoint, streamLabel).value--;
      const model = modelLabel(turn.target);
      for (const { outcome } of turn.attempts) attempts(provider, model, outcome).value++;
      if (turn.outcome === "skipped") attempts(provider, model, "skipped").value++;
      // Refused by a breaker or before anything was sent: no upstream request.
      if (turn.attempts.length === 0) return;
      requests(provider, model, endpoint, statusCodeOf(turn), statusTypeOf(turn), streamLabel).value++;
      durations(provider, model, endpoint, streamLabel).observe(durationMsOf(turn) / 1000);
      const emptyReason = turn.failure?.emptyReason;
      if (emptyReason !== undefined) emptyResponses(provider, model, emptyReason).value++;
    },

    requestEnd(record, cost) {
      const { turns, answeredBy, facts } = record;
      for (let index = 1; index < turns.length; index++) {
        const from = turns[index - 1]?.target;
        const to = turns[index]?.target;
        if (from === undefined || to === undefined) continue;
        failovers(record.virtualModel ?? "", written(from, modelLabel(from)), written(to, modelLabel(to))).value++;
      }
      if (answeredBy === undefined) return;
      const provider = answeredBy.providerName;
      const model = modelLabel(answeredBy);
      if (record.firstEventMs !== undefined) firstEvents(provider, model).observe(record.firstEventMs / 1000);
      if (facts?.emptyReason !== undefined) emptyResponses(provider, model, facts.emptyReason).value++;
      if (facts?.usage !== undefined) {
        for (const [kind, count] of tokenCounts(facts.usage))
          if (isCount(count)) tokens(provider, model, kind).value += count;
      }
      if (cost.totalUsd !== null && isCount(cost.totalUsd)) costs(provider, model).value += cost.totalUsd;
    },

    async render() {
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
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

function tokenCounts(usage: Usage): readonly (readonly [kind: string, count: number])[] {
  return [
    ["input", usage.inputTokens],
    ["output", usage.outputTokens],
    ["cached_input", usage.cachedInputTokens],
    ["cache_write", usage.cacheWriteTokens],
    ["reasoning", usage.reasoningTokens],
    ["audio_input", usage.audioInputTokens],
    ["audio_output", usage.audioOutputTokens],
  ];
}

/** What providers report may be anything; a counter takes only what makes it grow. */
function isCount(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}
