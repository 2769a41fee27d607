// What a dialect gives its own form: answers, events, errors and listings. One implementation for each in `forms/`.

import type { Asked } from "./asked.ts";
import type { Said, SaidUsage } from "./said.ts";

/**
 * Where an event stands. `piece`: it carries a piece of text, reasoning or arguments. `finish`: it says why the answer ended. `usage`: it
 * carries the usage and nothing else. `end`: nothing follows it. `around`: everything else, such as the begin and the end of a block.
 */
type EventPlace = "around" | "piece" | "finish" | "usage" | "end";

export interface SentEvent {
  readonly place: EventPlace;
  /** With the blank line behind it. */
  readonly text: string;
}

/** What an error document is about. */
interface ErrorFacts {
  readonly message: string;
  readonly status: number;
  readonly code: string | number | null;
  /** Replaces the type that belongs to the status. */
  readonly type: string | undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export interface AnswerForms {
  document(asked: Asked, said: Said): JsonObject;
  events(asked: Asked, said: Said): readonly SentEvent[];
  error(facts: ErrorFacts): JsonObject;
  /** The document around the value of `error`, which may be anything. */
  errorAround(value: unknown): JsonObject;
  /**
   * The value of `error` behind a status 200, by a word: a status, the same as a string (`quoted-429`), `worded` (its code is a word), `named` (its
   * type is one as well), `uncoded`, or `text` for a
   * string in place of the object.
   */
  errorValue(message: string, word: string): unknown;
  /** The event that carries such an error; `eventsBefore` it counts those of a stream that numbers them. */
  errorEvent(message: string, word: string, eventsBefore: number): string;
  /** A document of the usual members that holds no answer but this error, for the dialects that know one. */
  bookkeptError(asked: Asked, message: string, status: number): JsonObject | undefined;
  /** An event with this text as its data, whatever it is, sent as the dialect sends a piece. */
  rawEvent(data: string): string;
  /** What keeps a silent stream alive. */
  readonly heartbeat: string;
  /** The member that holds the answers, a list. */
  readonly listMember: string;
  readonly usageMember: string;
  usage(usage: SaidUsage): JsonObject;
  /** The list of answers with one whose text is this value, or whose message is; undefined leaves the member out. */
  listWithText(value: unknown): readonly unknown[];
  listWithMessage(value: unknown): readonly unknown[];
  /** Before these members a document is broken on several data lines. */
  readonly lineBreaks: RegExp;
}
