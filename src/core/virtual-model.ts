// A name clients use, declared in the configuration.

export type Strategy = "round_robin" | "cost" | "failover";

export interface VirtualModelTarget {
  /** Another virtual model, `provider/model` or a bare id; with `provider` the id at that provider. */
  readonly model: string;
  /** Pins a concrete model of this provider. */
  readonly provider: string | undefined;
  /** Positive; share of `round_robin`. Default 1. */
  readonly weight: number;
}

/**
 * What becomes of a stream that breaks after its first event (behaviour 2.12). off: it ends in `stream_incomplete`. buffer: nothing is
 * delivered before the whole answer is here. continue: the next target goes on where it broke.
 */
export type StreamRecovery = "off" | "buffer" | "continue";

/** Behaviour 1.8. Without targets and disabled it switches its selector off. */
export interface VirtualModel {
  readonly source: string;
  readonly strategy: Strategy;
  readonly targets: readonly VirtualModelTarget[];
  /** False: distribute only. Always true for the `failover` strategy. */
  readonly failover: boolean;
  /** Its own, else the global one. */
  readonly streamRecovery: StreamRecovery;
  readonly description: string | undefined;
  readonly enabled: boolean;
  /** Where it was declared, for messages: `config.yaml:12 virtual_models[0]` or `VIRTUAL_MODELS[0]`. */
  readonly declaredAt: string;
}
