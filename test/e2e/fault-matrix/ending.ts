// How one attempt against a misbehaving provider must end: the few facts from which everything else follows.

/** What a caller gets to read: so many words of the simulator's answer, or what is said instead of it. */
export type Said = number | string | ((model: string) => string);

/** Where a provider falls silent, or goes on for ever, so that only a limit, a deadline or the caller ends the attempt. */
export type Hold = "before-headers" | "before-event" | "in-body" | "in-error-body" | "relaying" | "after-finish";

interface Common {
  readonly holds?: Hold;
  /** Milliseconds that the provider takes when nothing stops it; 0 when left out. */
  readonly takesMs?: number;
}

/** A complete answer. */
interface Whole extends Common {
  readonly kind: "whole";
  readonly said: Said;
}

/** No answer at all; the caller gets a status, and another target may be tried. */
export interface Failed extends Common {
  readonly kind: "failed";
  /**
   * status: the provider said it, openly or hidden in a 200. unusable: 2xx that is no answer. transport: the connection or its HTTP
   * broke. timeout: one of our limits ran out.
   */
  readonly cause: "status" | "unusable" | "transport" | "timeout";
  /** What the caller gets when nothing helps. */
  readonly status: number;
  readonly code: string | number | null;
  /** The provider asked to be left alone for so long. */
  readonly asksMs?: number;
  /** What its words are about: the model, and they have a phrase of `failover.retry_on_errors`; the length of the prompt; the content. */
  readonly says?: "unavailable" | "too long" | "refused";
}

/** Begun, then broken: what came, then one error event `stream_incomplete`. */
export interface Truncated extends Common {
  readonly kind: "truncated";
  readonly said: Said;
  readonly broke: Break;
  readonly obstacle?: Obstacle;
}

/** ended: properly, but too early, or with something that is no event. connection: it broke. silence: our limit on it ran out. told: by the provider. */
type Break = "ended" | "connection" | "silence" | "told";

/** What came besides plain text, so that no other target can go on from it (behaviour 2.12). */
type Obstacle = "tool call" | "reasoning" | "finish reason" | "several choices";

/** Begun, then the provider's own error event, and nothing after it. */
export interface InBand extends Common {
  readonly kind: "in-band";
  readonly said: Said;
  /** The status that the error stands for. */
  readonly status: number;
  readonly obstacle?: Obstacle;
  readonly code: string | number | null;
}

/** Begun, then signs of life for ever: no limit ends it, only the caller or the deadline. */
interface Endless extends Common {
  readonly kind: "endless";
  readonly said: Said;
}

export type Ending = Whole | Failed | Truncated | InBand | Endless;

export const words = 12;
export const whole = (said: Said = words, more: Common = {}): Ending => ({ kind: "whole", said, ...more });
export const truncated = (said: Said, broke: Break, obstacle?: Obstacle): Ending => ({
  kind: "truncated",
  said,
  broke,
  ...(broke === "silence" ? { holds: "relaying" as const } : {}),
  ...(obstacle === undefined ? {} : { obstacle }),
});
/**
 * Broken behind all of the text. Where bytes of Responses pass, the caller has been told that the message is whole, and nothing can be added to it.
 */
export function brokenAtEnd(broke: Break): (form: { readonly asks: string; readonly dialect: string }) => Ending {
  return (form) => truncated(words, broke, endObstacle(form));
}

export function endObstacle({ asks, dialect }: { readonly asks: string; readonly dialect: string }) {
  return asks === "responses" && dialect === "responses" ? ("finish reason" as const) : undefined;
}

export const inBand = (said: Said, error: Pick<InBand, "status" | "code">, obstacle?: Obstacle): Ending => ({
  kind: "in-band",
  said,
  ...error,
  ...(obstacle === undefined ? {} : { obstacle }),
});
export const transport: Failed = { kind: "failed", cause: "transport", status: 502, code: null };
export const unusable: Failed = { kind: "failed", cause: "unusable", status: 502, code: null };

export function timeout(holds: Hold): Failed {
  return { kind: "failed", cause: "timeout", status: 504, code: "request_timeout", holds };
}

export function status(
  value: number,
  code: string | number | null = null,
  more: Common & Pick<Failed, "asksMs" | "says"> = {},
): Failed {
  return { kind: "failed", cause: "status", status: value, code, ...more };
}
