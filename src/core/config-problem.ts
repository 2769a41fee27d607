// Something wrong with the configuration, in the form in which all of it is reported at once.

export interface ConfigProblem {
  /** `config.yaml:12 resilience.retry.max_retries` or `RETRY_MAX_RETRIES`. */
  readonly where: string;
  /** The bad value, what is allowed and what to change; secrets masked. */
  readonly message: string;
  /** A warning is logged; an error stops the start. */
  readonly severity: "error" | "warning";
}
