// What all calls of one configured provider have in common.

import type { Issuer } from "../core/chat-request.ts";
import type { UpstreamLimits } from "../core/policy.ts";
import type { ProviderLink } from "./provider-link.ts";
import type { ProviderWire } from "./provider-type.ts";
import type { AnswerContext } from "./refused-answer.ts";

/** One configured provider, as far as its calls go. */
export interface CallSettings {
  readonly type: string;
  readonly issuer: Issuer;
  readonly wire: ProviderWire;
  readonly link: ProviderLink;
  readonly context: AnswerContext;
  readonly limits: UpstreamLimits;
  /** `ENFORCE_RETURNING_USAGE_DATA`, for a provider that has to be asked. */
  readonly askStreamUsage: boolean;
  readonly debug: ((message: string, fields: Readonly<Record<string, unknown>>) => void) | undefined;
}
