// The 400 for what a provider that speaks Messages cannot honour and what changes the answer (behaviour 1.16, rule 5).

import { invalidRequest, type Failure } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";

/** `advice`: what to change, beginning with a small letter. */
export function refuse(field: string, target: TranslationTarget, advice: string): Failure {
  return invalidRequest(`\`${field}\` is not supported by provider ${target.providerName}: ${advice}`, {
    param: field,
  });
}
