// `GET /v1/models` and `GET /v1/models/{id}`, in the form of the client that asks (behaviour 1.3).

import { Failure, invalidRequest } from "../core/failure.ts";
import { type AnthropicPage, anthropicModel, anthropicPage } from "./anthropic-models.ts";
import { asksForAnthropic } from "./client-dialects.ts";
import type { IncomingRequest } from "./listener/incoming-request.ts";

/** A model in the OpenAI form, as far as it is read here. */
interface ListedEntry {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

/** What `GET /v1/models` shows. */
export interface ModelListing {
  /** In the order of the list. */
  entries(): readonly ListedEntry[];
  /** The whole answer in the OpenAI form, as JSON text. */
  body(): string;
  /** Undefined: no such model. */
  find(id: string): ListedEntry | undefined;
}

/** The answer as JSON text. Throws a 400 `Failure` for a page that does not exist. */
export function listModels(request: IncomingRequest, models: ModelListing): string {
  if (!asksForAnthropic(request.headers)) return models.body();
  const page: AnthropicPage = anthropicPage(models.entries(), queryOf(request.target));
  return JSON.stringify(page);
}

/** `encodedId`: what follows `/v1/models/`, slashes as they are or as `%2F`. Throws a 400 or 404 `Failure`. */
export function retrieveModel(request: IncomingRequest, encodedId: string, models: ModelListing): string {
  let id: string;
  try {
    id = decodeURIComponent(encodedId);
  } catch {
    throw invalidRequest(`the model id in the path is not valid percent-encoding: ${encodedId}`);
  }
  const found = models.find(id);
  if (found === undefined) {
    throw new Failure({
      origin: "request",
      status: 404,
      type: "not_found_error",
      message: `model not found: ${id}`,
      param: "model",
      code: "model_not_found",
    });
  }
  return JSON.stringify(asksForAnthropic(request.headers) ? anthropicModel(found) : found);
}

function queryOf(target: string): URLSearchParams {
  const start = target.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : target.slice(start + 1));
}
