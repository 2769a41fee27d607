// Who speaks what: the dialect of the caller, that of a provider, and the provider type that answers in it.

import type { Dialect } from "../../../src/core/chat-request.ts";

/** What a caller can speak. */
export type Asking = Exclude<Dialect, "gemini">;

/** A caller's dialect, and that of the provider that misbehaves. */
export interface Pair {
  readonly asks: Asking;
  readonly speaks: Dialect;
}

export const askings: readonly Asking[] = ["chat-completions", "responses", "messages"];
export const dialects: readonly Dialect[] = [...askings, "gemini"];

const pairs = askings.flatMap((asks) => dialects.map((speaks): Pair => ({ asks, speaks })));

/** Caller and provider speak the same: bytes pass. */
export const samePairs = pairs.filter(({ asks, speaks }) => asks === speaks);
/**
 * The answer is translated. No provider type speaks Responses without chat completions, in which a caller of these is answered; one of Messages
 * is answered in Responses where his request holds what chat completions cannot say.
 */
export const crossPairs = pairs.filter(
  ({ asks, speaks }) => asks !== speaks && !(asks === "chat-completions" && speaks === "responses"),
);

/**
 * Callers of Responses are answered in it by the type openai: only a type that has nothing but chat completions answers them in these. It is one that
 * is not asked to go on from a given text, for the simulator would have to be told how.
 */
export function providerTypeOf({ asks, speaks }: Pair): "openai" | "hetzner" | "anthropic" | "gemini" {
  switch (speaks) {
    case "chat-completions":
      return asks === "chat-completions" ? "openai" : "hetzner";
    case "responses":
      return "openai";
    case "messages":
      return "anthropic";
    case "gemini":
      return "gemini";
  }
}

/** Neither the caller's nor the faulty provider's. */
export function thirdDialect({ asks, speaks }: Pair): Dialect {
  const third = (["messages", "gemini", "chat-completions"] as const).find((one) => one !== asks && one !== speaks);
  if (third === undefined) throw new RangeError("there is no third dialect");
  return third;
}
