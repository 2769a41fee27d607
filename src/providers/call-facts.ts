// What of a request may become a header towards a provider.

import type { ModelRequest } from "../core/model-request.ts";
import type { CallFacts } from "./provider-type.ts";
import type { RequestFields } from "./request-fields.ts";

const requestIdPattern = /^[\x21-\x7e]{1,512}$/;
const valuePattern = /^[\x20-\x7e]{1,8192}$/;
const maxLength = 1024;
/** Lists of betas, and what Codex knows of its turn as JSON, grow with every version of their clients. */
const longNames = /^(?:anthropic-beta|x-codex-[a-z-]+)$/;

/** Lets through only what cannot end a header line or be read differently on the other side (behaviour 3.6: ASCII, at most 512). */
export function callFacts(request: ModelRequest, fields: RequestFields, isTranslated = false): CallFacts {
  return new FactsOfCall(request, fields, isTranslated);
}

class FactsOfCall implements CallFacts {
  readonly fields: RequestFields;
  readonly requestId: string | undefined;
  readonly isTranslated: boolean;
  readonly #request: ModelRequest;

  constructor(request: ModelRequest, fields: RequestFields, isTranslated: boolean) {
    this.isTranslated = isTranslated;
    this.#request = request;
    this.fields = fields;
    this.requestId = requestIdPattern.test(request.id) ? request.id : undefined;
  }

  callerHeader(name: string): string | undefined {
    const value = this.#request.callerHeaders?.get(name)?.trim();
    if (value === undefined || !valuePattern.test(value)) return undefined;
    return value.length <= maxLength || longNames.test(name) ? value : undefined;
  }
}
