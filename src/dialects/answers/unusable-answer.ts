// The failures of answers that came with a success status and are none (behaviour 2.8, 2.9).

import { Failure } from "../../core/failure.ts";

/** Told to clients when a stream broke after it had begun. */
const incompleteCode = "stream_incomplete";

function unusable(message: string, details: { code?: string; emptyReason?: "no_choices" } = {}): Failure {
  return new Failure({ origin: "answer", status: 502, type: "provider_error", message, ...details });
}

export function emptyStream(): Failure {
  return unusable("provider returned an empty stream");
}

export function truncatedStream(providerName: string): Failure {
  return unusable(`provider ${providerName} ended the stream before the answer was complete`, { code: incompleteCode });
}

/** `begun`: an event has gone to the caller, so that the stream is incomplete and not only unusable. */
export function malformedEvent(providerName: string, begun: boolean): Failure {
  return unusable(`provider ${providerName} sent a malformed event in its stream`, incompleteIf(begun));
}

/** As `malformedEvent`. */
export function oversizedEvent(providerName: string, begun: boolean): Failure {
  return unusable(`provider ${providerName} sent an event of more than 32 MB`, incompleteIf(begun));
}

function incompleteIf(begun: boolean): { code?: string } {
  return begun ? { code: incompleteCode } : {};
}

/** `finish_reason: "error"` without any word about the error. */
export function unnamedError(providerName: string): Failure {
  return new Failure({
    origin: "status",
    status: 502,
    type: "provider_error",
    message: `provider ${providerName} ended the answer with the finish reason "error"`,
  });
}

/** Of stream recovery: no fault of the provider, models do not say the same thing twice. */
export function divergedAnswer(): Failure {
  return new Failure({
    origin: "diverged",
    status: 502,
    type: "provider_error",
    message: "the stream broke, and the answer of the provider that took over differs from what was delivered",
    code: incompleteCode,
  });
}

/** Of stream recovery: whether it is an echo or the real continuation cannot be known. */
export function repeatedPrefill(): Failure {
  return unusable("the stream broke, and the provider that was asked to go on began with the text that was delivered", {
    code: incompleteCode,
  });
}

export function oversizedAnswer(providerName: string): Failure {
  return unusable(`provider ${providerName} sent an answer of more than 32 MB`);
}

export function emptyAnswer(providerName: string): Failure {
  return unusable(`provider returned empty response: ${providerName}`);
}

export function noChoices(): Failure {
  return unusable("provider returned no choices", { emptyReason: "no_choices" });
}

/** A known field of another type than it always had. */
export function changedType(providerName: string, what: string): Failure {
  return unusable(`failed to unmarshal response: ${what} (provider ${providerName})`);
}
