// What the suite knows of an SDK: how it is asked, and what its answers and errors say in words that all of them share.

import type { Dialect } from "../../../src/core/chat-request.ts";
import type { Ask } from "./ask.ts";

export type Mode = "buffered" | "stream";
export type CallerDialect = Exclude<Dialect, "gemini">;

/** Where an SDK asks. */
export interface Where {
  /** Without a path. */
  readonly origin: string;
  readonly model: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The SDK's own; default: as good as none. */
  readonly timeoutMs?: number;
  /** The SDK's own; default: none. */
  readonly retries?: number;
  /** Called at every piece of a stream. */
  readonly pieceArrived?: () => void;
}

/** Why an answer ended, in words that the dialects share. */
export type End = "stop" | "length" | "calls" | "filter" | "other";

export interface Answered {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly end: End;
  /** All tokens in, those from a cache among them; all tokens out. */
  readonly usage: { readonly input: number; readonly output: number; readonly cached: number };
}

/** What an SDK threw. */
export interface Thrown {
  /** The name of its class. */
  readonly kind: string;
  readonly status: number | undefined;
  readonly message: string;
  /** The body or the event that the error was read from, as the SDK keeps it. */
  readonly body: unknown;
  readonly retryAfter: string | undefined;
  /** Text that came before. */
  readonly text: string;
}

export type Outcome =
  /** `object` is the SDK's own, whole. */
  | { readonly answered: Answered; readonly object: unknown; readonly thrown?: undefined }
  | { readonly thrown: Thrown; readonly answered?: undefined };

export interface SdkDriver {
  readonly name: string;
  readonly dialect: CallerDialect;
  /** What this SDK cannot ask for, or does otherwise than by asking. Default: nothing. */
  readonly lacks?: readonly (keyof Ask | "image-url")[];
  /** `object` is the document of the dialect, not something made of it. Default false. */
  readonly givesWholeObjects?: boolean;
  /** What of an answer this SDK does not tell. Default: it tells all. */
  readonly untold?: readonly (keyof Answered)[];
  /** The class of the error that a status is thrown as. */
  errorClass(status: number): string;
  /** Never rejects. */
  ask(where: Where, ask: Ask, mode: Mode): Promise<Outcome>;
}

/** Waits in an SDK are never part of a scenario but for its own timeout. */
export const noTimeoutMs = 60_000;

/** Runs one call; `heard` is the text of a stream so far. */
export async function outcomeOf(
  call: (hear: (text: string) => void) => Promise<{ readonly answered: Answered; readonly object: unknown }>,
  thrownOf: (error: unknown, text: string) => Thrown,
): Promise<Outcome> {
  let text = "";
  try {
    return await call((piece) => {
      text += piece;
    });
  } catch (error) {
    return { thrown: thrownOf(error, text) };
  }
}

/** The parsed arguments, or the text that is no JSON. */
export function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function headerOf(headers: unknown, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  if (typeof headers !== "object" || headers === null) return undefined;
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name);
  return found === undefined ? undefined : String(found[1]);
}
