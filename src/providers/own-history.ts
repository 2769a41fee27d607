// What must not reach a provider although it speaks the caller's dialect: state of other providers, and what another model took and this one does not.

import type { Dialect, Issuer } from "../core/chat-request.ts";
import type { ModelRequest } from "../core/model-request.ts";
import { cleanChatHistory } from "../dialects/chat-completions/history.ts";
import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { traitsOf } from "../dialects/messages/claude-models.ts";
import { cleanHistory } from "../dialects/messages/history.ts";
import { fitToModel } from "../dialects/messages/request-shape.ts";
import { cleanResponsesHistory } from "../dialects/responses/history.ts";
import { callerDialect, dialectFor } from "./call-plan.ts";
import type { ProviderWire } from "./provider-type.ts";
import type { AnswerContext } from "./refused-answer.ts";

interface Recipient {
  readonly issuer: Issuer;
  readonly context: Pick<AnswerContext, "providerName">;
}

/** Behaviour as in `Provider.unmarkedIssuer`. */
export function unmarkedIssuer(
  request: ModelRequest,
  model: string,
  { issuer, wire }: { readonly issuer: Issuer; readonly wire: ProviderWire },
): Issuer {
  const caller = callerDialect(request.operation);
  if (caller === undefined || dialectFor(wire, model, request, caller) === caller) return issuer;
  switch (caller) {
    case "messages":
      return "anthropic";
    case "responses":
      return "openai";
    case "chat-completions":
      // Each vendor's state has a place of its own there.
      return issuer;
  }
}

/**
 * The edits that leave a request only what its recipient can read; none for nearly every request. `firstIssuer`: another target had it before. Throws a 400
 * `Failure` for state that cannot be left out without losing what the caller said.
 */
export function ownHistory(
  request: ModelRequest,
  dialect: Exclude<Dialect, "gemini">,
  model: string,
  firstIssuer: Issuer | undefined,
  { issuer, context }: Recipient,
): readonly JsonEdit[] {
  const failedOver = firstIssuer !== undefined;
  switch (dialect) {
    case "chat-completions":
      return cleanChatHistory(request, issuer);
    case "responses":
      return cleanResponsesHistory(request, {
        issuer,
        failedOver: failedOver && firstIssuer !== issuer,
        providerName: context.providerName,
      });
    case "messages": {
      if (!failedOver) return cleanHistory(request, { issuer, failedOver });
      const { isKnown, takesSystemMessages } = traitsOf(model);
      const hoistsSystem = isKnown && !takesSystemMessages;
      return [
        ...fitToModel(request, model),
        ...cleanHistory(request, { issuer, failedOver, firstIssuer, hoistsSystem }),
      ];
    }
  }
}
