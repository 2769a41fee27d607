// Reads the few facts the gateway needs from a caller's request and keeps its bytes as they are.

import { Buffer } from "node:buffer";
import { invalidRequest } from "../core/failure.ts";
import type { Failure } from "../core/failure.ts";
import type { JsonMember, Operation } from "../core/model-request.ts";
import { maxJsonDepth, scanObject } from "./json/scan-object.ts";
import type { JsonProblem } from "./json/value-scan.ts";

// Works on any Uint8Array and makes no view of it.
const { utf8Slice } = Buffer.prototype;

/** What a request body says about itself. Everything else in it is the provider's to judge. */
export interface RequestFacts {
  /** As written, never empty. */
  readonly model: string;
  /** The `provider` member; undefined when absent, null or empty. */
  readonly providerHint: string | undefined;
  readonly stream: boolean;
  /** `stream_options.include_usage` is true; only chat completions have it. */
  readonly wantsStreamUsage: boolean;
  /** All top-level members, in order. */
  readonly members: readonly JsonMember[];
}

/**
 * Gives a 400 `Failure` for what is no JSON object, for a `model`, `stream` or `provider` of the wrong type or given twice, and for an embeddings request
 * that asks for a stream (decisions 13, behaviour 1.16). Null counts as absent, except for `model`. `stream_options` are looked at in chat completions
 * only: what the other dialects call so is between caller and provider. Counted tokens are never streamed: a body that was made for a message may say
 * `stream: true`, and the count is the same.
 */
export function readModelRequest(bytes: Uint8Array, operation: Operation): RequestFacts | Failure {
  const members = scanObject(bytes, maxJsonDepth);
  if ("message" in members) return unreadable(members);

  let modelMember: JsonMember | undefined;
  let streamMember: JsonMember | undefined;
  let optionsMember: JsonMember | undefined;
  let providerMember: JsonMember | undefined;
  for (const member of members) {
    switch (member.key) {
      case "model":
        if (modelMember !== undefined) return givenTwice(member.key);
        modelMember = member;
        break;
      case "stream":
        if (streamMember !== undefined) return givenTwice(member.key);
        streamMember = member;
        break;
      case "stream_options":
        if (operation !== "chat-completions") break;
        if (optionsMember !== undefined) return givenTwice(member.key);
        optionsMember = member;
        break;
      case "provider":
        if (providerMember !== undefined) return givenTwice(member.key);
        providerMember = member;
        break;
    }
  }

  if (modelMember === undefined) {
    return invalidRequest("`model` is missing: add the name of the model to use, as a string", { param: "model" });
  }
  const model = stringAt(bytes, modelMember);
  if (model === undefined || model.trim() === "") {
    return invalidRequest("`model` must be a string that is not empty: give the name of the model to use", {
      param: "model",
    });
  }

  const asksForStream = streamMember !== undefined && isWord(bytes, streamMember, "true");
  if (!asksForStream && isGiven(bytes, streamMember) && !isWord(bytes, streamMember, "false")) {
    return invalidRequest("`stream` must be true or false, without quotes", { param: "stream" });
  }
  if (asksForStream && operation === "embeddings") {
    return invalidRequest("`stream` cannot be true for embeddings: leave it out", { param: "stream" });
  }
  const stream = asksForStream && operation !== "count-tokens";

  let providerHint: string | undefined;
  if (isGiven(bytes, providerMember)) {
    providerHint = stringAt(bytes, providerMember);
    if (providerHint === undefined) {
      return invalidRequest("`provider` must be a string: give the name of a configured provider or leave it out", {
        param: "provider",
      });
    }
  }

  let wantsStreamUsage = false;
  if (isGiven(bytes, optionsMember)) {
    const value = bytes.subarray(optionsMember.valueStart, optionsMember.valueEnd);
    const options = scanObject(value, maxJsonDepth);
    if ("message" in options) {
      return invalidRequest('`stream_options` must be an object such as {"include_usage":true}, or be left out', {
        param: "stream_options",
      });
    }
    const includeUsage = options.findLast((member) => member.key === "include_usage");
    wantsStreamUsage = includeUsage !== undefined && isWord(value, includeUsage, "true");
  }

  return { model, providerHint: providerHint === "" ? undefined : providerHint, stream, wantsStreamUsage, members };
}

/** Only strings are ever parsed here: a list of a million objects in a small member must cost nothing. */
function stringAt(bytes: Uint8Array, member: JsonMember): string | undefined {
  if (bytes[member.valueStart] !== 0x22) return undefined;
  const parsed: unknown = JSON.parse(utf8Slice.call(bytes, member.valueStart, member.valueEnd));
  return typeof parsed === "string" ? parsed : undefined;
}

/** Null counts as absent. */
function isGiven(bytes: Uint8Array, member: JsonMember | undefined): member is JsonMember {
  return member !== undefined && !isWord(bytes, member, "null");
}

function isWord(bytes: Uint8Array, member: JsonMember, word: string): boolean {
  if (member.valueEnd - member.valueStart !== word.length) return false;
  for (let index = 0; index < word.length; index++) {
    if (bytes[member.valueStart + index] !== word.charCodeAt(index)) return false;
  }
  return true;
}

function givenTwice(key: string): Failure {
  return invalidRequest(`\`${key}\` is given twice: keep one of the two`, { param: key });
}

function unreadable(problem: JsonProblem): Failure {
  switch (problem.kind) {
    case "too-deep":
      return invalidRequest(`the request body is ${problem.message} at byte ${problem.offset}: send flatter JSON`, {
        code: "too_deep",
      });
    case "not-object":
      return invalidRequest("the request body must be a JSON object: { ... }", { code: "invalid_json" });
    case "syntax":
      return invalidRequest(
        problem.message === "empty"
          ? "the request body is empty: send a JSON object"
          : `the request body is not valid JSON: ${problem.message} at byte ${problem.offset}`,
        { code: "invalid_json" },
      );
  }
}
