// Makes a request ready for one provider: its dialect, its spelling, its path and headers.

import type { Dialect, Issuer } from "../core/chat-request.ts";
import { type Failure, invalidRequest } from "../core/failure.ts";
import type { ModelRequest, Operation } from "../core/model-request.ts";
import type { PreparedCall } from "../core/provider.ts";
import type { TranslationTarget } from "../core/translation.ts";
import { withLastMember } from "../dialects/recovery/continue-request.ts";
import { encodeRequest } from "../dialects/chat-completions/encode-request.ts";
import { estimateInputTokens } from "../dialects/hub/estimate-tokens.ts";
import type { JsonEdit } from "../dialects/json/edit-object.ts";
import type { Header } from "./answer-headers.ts";
import { callFacts } from "./call-facts.ts";
import type { CallSettings } from "./call-settings.ts";
import {
  callerDialect,
  clientTranslator,
  dialectFor,
  featuresFor,
  hubRequest,
  providerTranslator,
  translateRequest,
} from "./call-plan.ts";
import { cleanedRequest, withEdits, withoutState } from "./cleaned-request.ts";
import { countedFields } from "./counted-fields.ts";
import { dialectHeaders } from "./dialect-headers.ts";
import { estimatedCount } from "./local-answer.ts";
import { newId } from "./new-id.ts";
import { OutgoingCall } from "./outgoing-call.ts";
import type { CallFacts, ChatShape, ProviderWire } from "./provider-type.ts";
import { requestFields } from "./request-fields.ts";
import { thoughtsOfCalls } from "./request-messages.ts";
import type { Translation } from "./translated-reader.ts";

const unchanged: ChatShape = { edits: [], stopSequences: [] };
const noStreamOptions: JsonEdit = { kind: "remove", key: "stream_options" };

/** Behaviour as in `Provider.prepare`. */
export function prepareCall(
  request: ModelRequest,
  model: string,
  firstIssuer: Issuer | undefined,
  settings: CallSettings,
): PreparedCall {
  const { wire, context } = settings;
  const { providerName } = context;
  const instead = wire.unsupported?.[request.operation];
  if (instead !== undefined) throw unsupportedOperation(request.operation, providerName, instead);
  const caller = callerDialect(request.operation);
  const dialect = caller === undefined ? undefined : dialectFor(wire, model, request, caller);
  const isCount = request.operation === "count-tokens";
  if (isCount && (dialect !== "messages" || wire.paths.countTokens === undefined)) {
    return estimatedCount(request, providerName);
  }
  const translated = dialect !== undefined && dialect !== caller;
  const madeForAnother = firstIssuer !== undefined || translated;
  const wanted = translated
    ? translateRequest(request, dialect, targetOf(model, dialect, settings))
    : cleanedRequest(request, caller, model, firstIssuer, settings);
  const thoughts = madeForAnother && dialect === "chat-completions" && wire.needsThoughts?.(model) === true;
  const own = thoughts ? withEdits(wanted, thoughtsOfCalls(requestFields(wanted))) : wanted;
  const route: Route = { request, caller, dialect, model, madeForAnother };
  // Nothing else holds state that could be left out.
  const hasState = dialect === "messages" || dialect === "responses";
  return callWith(own, route, settings, hasState ? withoutItsState(own, route, settings) : undefined);
}

function withoutItsState(own: ModelRequest, route: Route, settings: CallSettings): () => OutgoingCall | undefined {
  return () => {
    const stateless = withoutState(own, route.dialect, settings.context.providerName);
    return stateless === undefined ? undefined : callWith(stateless, route, settings, undefined);
  };
}

/** What does not depend on the form in which it is sent. */
interface Route {
  readonly request: ModelRequest;
  readonly caller: Exclude<Dialect, "gemini"> | undefined;
  readonly dialect: Dialect | undefined;
  readonly model: string;
  readonly madeForAnother: boolean;
}

/** `own`: the request in the provider's dialect. */
function callWith(
  own: ModelRequest,
  { request, caller, dialect, model, madeForAnother }: Route,
  settings: CallSettings,
  stateless: (() => OutgoingCall | undefined) | undefined,
): OutgoingCall {
  const { wire, context, debug } = settings;
  const { providerName } = context;
  const translated = dialect !== undefined && dialect !== caller;
  const prefill = request.continues === true ? wire.prefill : undefined;
  const sent = prefill?.lastMessage === undefined ? own : withLastMember(own, prefill.lastMessage);
  const fields = requestFields(sent);
  const facts = callFacts(request, fields, translated);
  const shape = shapeOf(dialect, model, facts, madeForAnother, wire);
  let edits = request.operation === "count-tokens" ? countedFields(sent) : unchanged.edits;
  if (translated && wire.streamUsage === "always") edits = joined(edits, [noStreamOptions]);
  edits = joined(edits, shape.edits);
  if (prefill !== undefined) edits = joined(edits, prefill.edits ?? unchanged.edits);
  if (edits.length > 0) {
    const changed = edits.map(({ key }) => key);
    debug?.("request fields changed for the provider", { provider: providerName, model, fields: changed });
  }
  const isChat = dialect === "chat-completions";
  const askUsage = isChat && settings.askStreamUsage;
  return new OutgoingCall({
    link: settings.link,
    context,
    request,
    dialect,
    withoutState: stateless,
    path: withQuery(pathOf(request, dialect, model, wire, providerName), translated ? undefined : request.query),
    body: dialect === "gemini" ? sent.body : encodeRequest(sent, model, { askUsage, edits }),
    headers: translated ? headersOf(facts, wire) : withCallers(headersOf(facts, wire), request, facts),
    limits: settings.limits,
    cutUsageEvent: askUsage && !sent.wantsStreamUsage,
    collectsStream: wire.onlyStreams === true && !request.stream,
    stopSequences: translated ? [] : shape.stopSequences,
    usageFamily: wire.usage,
    severalChoices: request.stream && (fields.json("n") ?? "1") !== "1",
    translation:
      translated && caller !== undefined ? translationOf(request, caller, dialect, shape, settings) : undefined,
  });
}

/** Most requests have no edits, or one list of them. */
function joined(first: readonly JsonEdit[], second: readonly JsonEdit[]): readonly JsonEdit[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}

/** Behaviour 1.19, 3.1. */
function unsupportedOperation(operation: Operation, providerName: string, instead: string): Failure {
  return invalidRequest(`${spoken[operation]} not supported by this provider: ${providerName}: ${instead}`, {
    status: 501,
    param: "model",
    code: "unsupported_operation",
  });
}

const spoken: Readonly<Record<Operation, string>> = {
  "chat-completions": "chat completions are",
  responses: "responses are",
  messages: "messages are",
  "count-tokens": "counting tokens is",
  embeddings: "embeddings are",
};

/** A path that has a query of its own keeps only that. */
function withQuery(path: string, query: string | undefined): string {
  return query === undefined || path.includes("?") ? path : path + query;
}

/** What matters to the caller's dialect, unless the type has its own idea of it. */
function withCallers(own: readonly Header[], request: ModelRequest, facts: CallFacts): readonly Header[] {
  const callers = dialectHeaders(request.operation, facts);
  if (callers.length === 0) return own;
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  return [...own, ...callers.filter(([name]) => !names.has(name.toLowerCase()))];
}

function targetOf(model: string, dialect: Dialect, settings: CallSettings): TranslationTarget {
  const { wire, context, type, issuer, debug } = settings;
  return {
    providerName: context.providerName,
    providerType: type,
    model,
    issuer,
    accepts: featuresFor(wire, dialect),
    defaultMaxTokens: wire.defaultMaxTokens ?? 4096,
    dropped: (field) =>
      debug?.("request field left out for the provider", { provider: context.providerName, model, field }),
  };
}

function shapeOf(
  dialect: Dialect | undefined,
  model: string,
  call: CallFacts,
  madeForAnother: boolean,
  wire: ProviderWire,
): ChatShape {
  const { fields } = call;
  switch (dialect) {
    case "chat-completions":
      return wire.shapeChat?.(model, fields) ?? unchanged;
    case "responses":
      return { edits: wire.shapeResponses?.(model, fields, madeForAnother, call) ?? [], stopSequences: [] };
    case "messages":
    case "gemini":
    case undefined:
      return unchanged;
  }
}

function pathOf(
  request: ModelRequest,
  dialect: Dialect | undefined,
  model: string,
  { paths }: ProviderWire,
  providerName: string,
): string {
  const path =
    request.operation === "count-tokens" ? paths.countTokens?.(model) : pathIn(dialect, paths, model, request);
  if (path !== undefined) return path;
  if (dialect !== undefined) throw new Error(`provider ${providerName} has no path for ${dialect}`);
  throw invalidRequest(`embeddings not supported by this provider: ${providerName}`, { param: "model" });
}

function pathIn(
  dialect: Dialect | undefined,
  paths: ProviderWire["paths"],
  model: string,
  { stream }: ModelRequest,
): string | undefined {
  switch (dialect) {
    case "chat-completions":
      return paths.chatCompletions?.(model);
    case "responses":
      return paths.responses?.(model);
    case "messages":
      return paths.messages?.(model);
    case "gemini":
      return paths.generateContent?.(model, stream);
    case undefined:
      return paths.embeddings?.(model);
  }
}

function headersOf(facts: CallFacts, wire: ProviderWire): readonly Header[] {
  const own = wire.callHeaders?.(facts) ?? [];
  return facts.requestId === undefined ? own : [...own, ["X-Request-ID", facts.requestId]];
}

function translationOf(
  request: ModelRequest,
  caller: Exclude<Dialect, "gemini">,
  dialect: Dialect,
  shape: ChatShape,
  { type, issuer, context }: CallSettings,
): () => Translation {
  const hub = hubRequest(request);
  const { providerName, clock } = context;
  return () => ({
    from: providerTranslator(dialect),
    to: clientTranslator(caller),
    stream: request.stream,
    origin: { providerName, providerType: type, issuer },
    context: {
      request: hub,
      providerType: type,
      issuer,
      newId,
      now: Math.floor(clock.wallNow() / 1000),
      estimateInputTokens: () => estimateInputTokens(hub),
    },
    // Responses has no stop sequences at all.
    stopSequences: dialect === "responses" ? (hub.stop ?? []) : shape.stopSequences,
  });
}
