// Documents with one value replaced by another that has no business there.

import fc from "fast-check";

const odd = fc.constantFrom<unknown>(null, 5, "", "x", true, [], {}, [null], [[]], { type: 5 }, { text: 5 });
/** Which of the values in a document is replaced, and by what. */
export const fault = fc.record({ at: fc.nat(), value: odd });

/** The document with one of its values replaced. */
export function broken(document: unknown, { at, value }: { readonly at: number; readonly value: unknown }): unknown {
  let count = 0;
  JSON.stringify(document, (_key, one: unknown) => (count++, one));
  const chosen = at % count;
  let seen = 0;
  return JSON.parse(JSON.stringify(document, (_key, one: unknown) => (seen++ === chosen ? value : one)) ?? "null");
}
