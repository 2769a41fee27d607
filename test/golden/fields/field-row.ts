// What becomes of one field of a caller's request at a provider of each dialect, as it is written down and checked.

import type { Dialect } from "../../../src/core/chat-request.ts";
import type { Json } from "../pairs/pair.ts";

export type Outcome =
  /** The provider speaks the caller's dialect: the bytes pass. */
  | { readonly kind: "passes" }
  /** It stands at this place of the provider's body; `[]`: in one of the list. `onlyOpenAi`: others who speak the dialect do not get it. */
  | { readonly kind: "translated"; readonly as: string; readonly onlyOpenAi?: true; readonly note?: string }
  /** Nobody knows it: under the same name, with the same value. */
  | { readonly kind: "unchanged"; readonly note?: string }
  | { readonly kind: "left-out"; readonly note?: string }
  | { readonly kind: "refused"; readonly note?: string };

export interface FieldRow {
  /** As the caller's documentation names it. */
  readonly field: string;
  /** Added to the smallest request of the dialect. */
  readonly request: Json;
  /** What the request has without the field, where that is not the smallest one. */
  readonly without?: Json;
  readonly to: Readonly<Record<Dialect, Outcome>>;
  /** Models that the row is about, where it depends on that. */
  readonly models?: Partial<Record<Dialect, string>>;
}

export const passes: Outcome = { kind: "passes" };
export const unchanged: Outcome = { kind: "unchanged" };
export const leftOut: Outcome = { kind: "left-out" };
export const refused: Outcome = { kind: "refused" };
export const as = (path: string, note?: string): Outcome => ({
  kind: "translated",
  as: path,
  ...(note === undefined ? {} : { note }),
});
export const openAi = (path: string): Outcome => ({ kind: "translated", as: path, onlyOpenAi: true });
export const leftOutAs = (note: string): Outcome => ({ kind: "left-out", note });
export const refusedAs = (note: string): Outcome => ({ kind: "refused", note });

export interface FieldTable {
  readonly caller: Exclude<Dialect, "gemini">;
  /** The page that lists the fields. */
  readonly source: string;
  readonly smallest: Json;
  readonly rows: readonly FieldRow[];
}
