// What came of reading one text as a setting: its value, or what is wrong with it.

/** `complaint` goes on after the quoted text: `is not a duration; ...`. */
export type Reading<Value> = { readonly value: Value } | { readonly complaint: string };
