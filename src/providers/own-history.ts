// What must not reach a provider although it speaks the caller's dialect: state of other providers in the history.

import type { Dialect, Issuer } from "../core/chat-request.ts";
import type { ModelRequest } from "../core/model-request.ts";
import { cleanChatHistory } from "../dialects/chat-completions/history.ts";
import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { cleanHistory } from "../dialects/messages/history.ts";
import { cleanResponsesHistory } from "../dialects/responses/history.ts";

/**
 * The edits that leave a request only what `issuer` can read; none for nearly every request. `failedOver`: another target had it before. Throws a 400
 * `Failure` for state that cannot be left out without losing what the caller said.
 */
export function ownHistory(
  request: ModelRequest,
  dialect: Exclude<Dialect, "gemini">,
  issuer: Issuer,
  failedOver: boolean,
): readonly JsonEdit[] {
  switch (dialect) {
    case "chat-completions":
      return cleanChatHistory(request, issuer);
    case "responses":
      return cleanResponsesHistory(request, { issuer, failedOver });
    case "messages":
      return cleanHistory(request, { issuer, failedOver });
  }
}
