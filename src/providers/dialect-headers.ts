// Which headers of a caller go up because the provider speaks the caller's dialect: they say how the body is meant and which session it belongs to.

import type { Operation } from "../core/model-request.ts";
import type { Header } from "./answer-headers.ts";
import type { CallFacts } from "./provider-type.ts";

/** What Anthropic's interface is told beside the body; a list of betas may come in several lines, which arrive joined by commas. */
const anthropicHeaders = ["anthropic-version", "anthropic-beta"];

const openaiHeaders = ["openai-beta"];

/** Codex: https://github.com/openai/codex, codex-rs/core/src/client.rs; `session_id` is how older versions and pi spell it, `version` its own. */
const codexHeaders = [
  "originator",
  "session-id",
  "session_id",
  "conversation_id",
  "thread-id",
  "version",
  "x-client-request-id",
  "x-codex-beta-features",
  "x-codex-installation-id",
  "x-codex-parent-thread-id",
  "x-codex-turn-metadata",
  "x-codex-turn-state",
  "x-codex-window-id",
  "x-openai-internal-codex-responses-lite",
  "x-openai-subagent",
];

/** Copilot, Claude Code and opencode name their sessions in whatever dialect they speak: gateways and caches behind us go by them. */
const agentHeaders = [
  "x-app",
  "x-claude-code-session-id",
  "x-initiator",
  "x-interaction-type",
  "x-session-affinity",
  "x-session-id",
];

const forwarded: Readonly<Record<Operation, readonly string[]>> = {
  messages: [...anthropicHeaders, ...agentHeaders],
  "count-tokens": [...anthropicHeaders, ...agentHeaders],
  responses: [...openaiHeaders, ...codexHeaders, ...agentHeaders],
  "chat-completions": [...openaiHeaders, ...codexHeaders, ...agentHeaders],
  embeddings: [],
};

/**
 * For a provider that gets the caller's own bytes, and for no other: the headers that the caller sent of those that are known to matter, names in lower
 * case. Credentials, cookies and whatever speaks for one hop are never among them. `callerHeader`: undefined for what is absent or not fit to be sent on.
 */
export function dialectHeaders(operation: Operation, call: Pick<CallFacts, "callerHeader">): readonly Header[] {
  let headers: Header[] | undefined;
  for (const name of forwarded[operation]) {
    const value = call.callerHeader(name);
    if (value === undefined) continue;
    headers ??= [];
    headers.push([name, value]);
  }
  return headers ?? none;
}

const none: readonly Header[] = [];
