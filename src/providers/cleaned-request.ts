// A request in the provider's own dialect without what must not or need not reach it.

import type { Dialect, Issuer } from "../core/chat-request.ts";
import { Failure } from "../core/failure.ts";
import type { ModelRequest } from "../core/model-request.ts";
import { editObject } from "../dialects/json/edit-object.ts";
import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { maxJsonDepth, scanObject } from "../dialects/json/scan-object.ts";
import { cleanHistory } from "../dialects/messages/history.ts";
import { cleanResponsesHistory } from "../dialects/responses/history.ts";
import { featuresFor } from "./call-plan.ts";
import { leftBehind } from "./owned-fields.ts";
import { ownHistory } from "./own-history.ts";
import type { CallSettings } from "./call-settings.ts";

/** Without the state of others, and after a failover (`firstIssuer`) without what only others know. Throws as `ownHistory` does. */
export function cleanedRequest(
  request: ModelRequest,
  caller: Exclude<Dialect, "gemini"> | undefined,
  model: string,
  firstIssuer: Issuer | undefined,
  settings: CallSettings,
): ModelRequest {
  if (caller === undefined) return request;
  const { type, issuer, wire, context, debug } = settings;
  const history = ownHistory(request, caller, model, firstIssuer, settings);
  const isLeaving = firstIssuer !== undefined && caller === "chat-completions";
  // Nearly every request.
  if (history.length === 0 && !isLeaving) return request;
  const cleaned = withEdits(request, history);
  const { reasoningContent } = featuresFor(wire, caller);
  const left = isLeaving ? leftBehind(cleaned, firstIssuer, { type, issuer, reasoningContent }) : [];
  const fields = [...history, ...left].map(({ key }) => key);
  if (fields.length > 0) {
    debug?.("request fields cleaned for the provider", { provider: context.providerName, model, fields });
  }
  return withEdits(cleaned, left);
}

/** Nobody's: all state is that of others. */
const nobody = "";

/**
 * Without any reasoning that its issuer has to verify, for a provider that could not. Undefined: there is none, or it cannot be left out without losing what
 * the caller said.
 */
export function withoutState(
  own: ModelRequest,
  dialect: Dialect | undefined,
  providerName: string,
): ModelRequest | undefined {
  const edits = stateEdits(own, dialect, providerName);
  return edits.length === 0 ? undefined : withEdits(own, edits);
}

function stateEdits(own: ModelRequest, dialect: Dialect | undefined, providerName: string): readonly JsonEdit[] {
  const options = { issuer: nobody, failedOver: true, providerName };
  switch (dialect) {
    case "messages":
      return cleanHistory(own, options);
    case "responses":
      try {
        return cleanResponsesHistory(own, options);
      } catch (error) {
        if (error instanceof Failure) return [];
        throw error;
      }
    case "chat-completions":
    case "gemini":
    case undefined:
      return [];
  }
}

/** The same request for none; the rules of a type read what the edits leave, for both may be about the messages. */
export function withEdits(request: ModelRequest, edits: readonly JsonEdit[]): ModelRequest {
  if (edits.length === 0) return request;
  const body = editObject(request.body, request.members, edits);
  const members = scanObject(body, maxJsonDepth);
  if ("message" in members) throw new Error(`the edited request is no JSON object: ${members.message}`);
  return { ...request, body, members };
}
