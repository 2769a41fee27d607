// What of a GenerateContentResponse its readers look at: candidates, finish reasons, a blocked prompt.

import { Failure } from "../../core/failure.ts";
import { changedType } from "../answers/unusable-answer.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** One candidate as far as it can tell whether there is an answer. */
export interface CandidateFacts {
  readonly index: number;
  readonly finishReason: string | undefined;
  /** Something besides thoughts was said. */
  readonly isUsable: boolean;
}

/** Undefined: of an event that speaks of no candidate. A candidate without an index is the first one. Returns the failure for a known member of another type. */
export function candidatesOf(
  response: JsonObject,
  providerName: string,
): readonly CandidateFacts[] | Failure | undefined {
  const candidates = response["candidates"];
  if (candidates === undefined || candidates === null) return undefined;
  if (!Array.isArray(candidates)) return changedType(providerName, "candidates is not an array");
  const facts: CandidateFacts[] = [];
  for (const [position, candidate] of candidates.entries()) {
    const problem = candidateProblem(candidate);
    if (problem !== undefined) return changedType(providerName, `candidates[${position}]${problem}`);
    if (!isJsonObject(candidate)) continue;
    const { index, finishReason, content } = candidate;
    facts.push({
      index: typeof index === "number" ? index : position,
      finishReason: typeof finishReason === "string" && finishReason !== "" ? finishReason : undefined,
      isUsable: partsOf(content).some(isUsablePart),
    });
  }
  return facts;
}

/** The reason why the prompt got no answer; undefined: it was let through. */
export function blockReasonOf(response: JsonObject): string | undefined {
  const feedback = response["promptFeedback"];
  const reason = isJsonObject(feedback) ? feedback["blockReason"] : undefined;
  return typeof reason === "string" && reason !== "" ? reason : undefined;
}

/** A finish that is a failure, with nothing said before it. */
export function failedFinish(providerName: string, reason: string): Failure {
  return new Failure({
    origin: "answer",
    status: 502,
    type: "provider_error",
    message: `provider ${providerName} ended the answer with the finish reason "${reason}" and without content`,
  });
}

/** The parts of a `content`, whatever it is. */
export function partsOf(content: unknown): readonly JsonObject[] {
  const parts = isJsonObject(content) ? content["parts"] : undefined;
  return Array.isArray(parts) ? parts.filter(isJsonObject) : [];
}

function isUsablePart(part: JsonObject): boolean {
  if (part["thought"] === true) return false;
  return Object.keys(part).some((key) => (key === "text" ? part[key] !== "" : key !== "thoughtSignature"));
}

/** Missing members are the client's business; what is there has the type that it always had (behaviour 2.9). */
function candidateProblem(candidate: unknown): string | undefined {
  if (!isJsonObject(candidate)) return " is not an object";
  const { finishReason, content } = candidate;
  if (finishReason !== undefined && finishReason !== null && typeof finishReason !== "string") {
    return ".finishReason is not a string";
  }
  if (content === undefined || content === null) return undefined;
  if (!isJsonObject(content)) return ".content is not an object";
  const { parts } = content;
  if (parts !== undefined && parts !== null && !Array.isArray(parts)) return ".content.parts is not an array";
  if (!Array.isArray(parts)) return undefined;
  for (const [position, part] of parts.entries()) {
    const problem = partProblem(part);
    if (problem !== undefined) return `.content.parts[${position}]${problem}`;
  }
  return undefined;
}

function partProblem(part: unknown): string | undefined {
  if (!isJsonObject(part)) return " is not an object";
  const { text, functionCall } = part;
  if (text !== undefined && text !== null && typeof text !== "string") return ".text is not a string";
  if (functionCall === undefined || functionCall === null) return undefined;
  if (!isJsonObject(functionCall)) return ".functionCall is not an object";
  const { name, args } = functionCall;
  if (name !== undefined && name !== null && typeof name !== "string") return ".functionCall.name is not a string";
  if (args !== undefined && args !== null && !isJsonObject(args)) return ".functionCall.args is not an object";
  return undefined;
}
