// Texts that are hard to cut and to compare.

import fc from "fast-check";

const units = [
  ...Array.from("aaabb .,\n\t\"\\/'{}[]:"),
  "ha",
  "ha",
  "the ",
  "data: [DONE]\n\n",
  "é",
  "e\u0301",
  "ß",
  "中",
  "\u2028",
  "\u0000",
  "\ufeff",
  "😀",
  "👩‍👩‍👧",
  "🏳️‍🌈",
  // Halves of pairs, which some models leave behind.
  "\ud83d",
  "\ude00",
];

/** ASCII, escapes, letters of two to four bytes, combined ones, and halves of surrogate pairs. Short ones repeat themselves. */
export const answerText = fc.string({ unit: fc.constantFrom(...units), maxLength: 60 });
