// Trouble on the way to a provider, told as the failure that everybody else reads.

import { cancelledRequest, Failure } from "../core/failure.ts";
import type { HttpTrouble } from "./upstream/http-request.ts";

/**
 * Refused, reset, name, TLS: 502, message `failed to send request: ...` or `failed to read response: ...`. Our own limits: 504, code
 * `request_timeout`. A cancelled request: by its reason (behaviour 1.19, 2.10, decisions 12). The text names the provider and no address.
 */
export function failureOfTrouble(trouble: HttpTrouble, providerName: string): Failure {
  switch (trouble.kind) {
    case "cancelled":
      return cancelledRequest(trouble.cancelReason ?? "client-left");
    case "timeout":
      return new Failure({
        origin: "timeout",
        status: 504,
        type: "provider_error",
        message:
          trouble.phase === "give-way"
            ? `request timed out: provider ${providerName}: ${trouble.message}`
            : `request timed out: provider ${providerName} ${missed[trouble.phase]}`,
        code: "request_timeout",
      });
    case "transport":
      return new Failure({
        origin: deterministic.has(trouble.code ?? "") ? "answer" : "transport",
        status: 502,
        type: "provider_error",
        message: `${doing[trouble.phase]}: provider ${providerName}: ${trouble.message}`,
      });
  }
}

/** Answers that came over well and that another attempt would bring again: not retried, as behaviour 2.11.5 has it. */
const deterministic: ReadonlySet<string> = new Set(["body_too_large", "content_encoding"]);

type Phase = HttpTrouble["phase"];

const missed: Readonly<Record<Exclude<Phase, "give-way">, string>> = {
  connect: "could not be connected in time",
  headers: "did not send response headers in time",
  body: "did not finish its answer in time",
  idle: "fell silent in the middle of its answer",
  total: "did not answer in time",
};

const doing: Readonly<Record<Phase, string>> = {
  connect: "failed to send request",
  headers: "failed to send request",
  total: "failed to send request",
  "give-way": "failed to send request",
  body: "failed to read response",
  idle: "failed to read response",
};
