// How many tokens a text is, told from its words, signs and scripts: no vocabulary, one pass.

import { kindOfUnit, kinds } from "./character-kinds.ts";

/**
 * In tokens, fitted to the vocabulary o200k_base of OpenAI over prose, code, JSON, logs and base64, and the same messages in thirteen languages. What of
 * it is off by more than a tenth: Khmer, Georgian and Vietnamese, by a quarter; traditional Chinese, Czech, Polish and Italian, by an eighth. Vocabularies
 * of other providers differ from this one by as much.
 */
const weights = {
  /** Up to 5 letters, up to 9, more; a space or sign before it belongs to it. */
  shortWord: 0.88,
  mediumWord: 1.07,
  longWord: 2.37,
  letterBeyond13: 0.78,
  capitals: 1.28,
  capitalBeyond4: 0.35,
  /** A word that follows a letter or digit directly: `readFile` is two. */
  innerWord: 0.35,
  /** An accented letter breaks the word that it is in. */
  accented: 0.83,
  alphabetWord: 1.36,
  alphabetLetter: 0.06,
  /** Up to three digits. */
  digits: 1.01,
  spaceBeforeDigits: 1.1,
  signBeforeWord: 0.7,
  /** However many signs, and the line's end behind them. */
  signs: 1.07,
  repeatedSign: 0.04,
  lineEnds: 1.05,
  indentation: 0.79,
  semiticLetter: 0.41,
  denseLetter: 0.41,
  ideograph: 0.74,
  kana: 0.69,
  hangul: 0.72,
  emoji: 2.13,
  mark: 0.04,
  symbol: 1.35,
} as const;

/** Blanks and line ends of a run that are one token. */
const longestBlank = 64;

/** What of a long text is looked at: so many pieces of so many UTF-16 units, as far from each other as they can be. */
const pieces = 40;
const pieceLength = 8192;

/** A number that is not rounded; 0 for an empty text. Never more than about 7 ms: of texts beyond 330 kB only pieces are looked at. */
export function textTokens(text: string): number {
  if (text.length <= pieces * pieceLength) return allTokens(text);
  const step = (text.length - pieceLength) / (pieces - 1);
  let tokens = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const start = Math.floor(piece * step);
    tokens += allTokens(text.slice(start, start + pieceLength));
  }
  return (tokens * text.length) / (pieces * pieceLength);
}

function allTokens(text: string): number {
  const { length } = text;
  let tokens = 0;
  let at = 0;
  /** The unit before is a letter or a digit. */
  let insideWord = false;

  const kindAt = (index: number): number => kindOfUnit[text.charCodeAt(index)] ?? kinds.symbol;
  const passRun = (kind: number): number => {
    const start = at;
    while (at < length && kindAt(at) === kind) at++;
    return at - start;
  };

  while (at < length) {
    const kind = kindAt(at);
    const wasInside = insideWord;
    insideWord = false;
    switch (kind) {
      case kinds.lower:
      case kinds.upper:
      case kinds.accented: {
        const capitals = passRun(kinds.upper);
        let letters = 0;
        for (; at < length; at++, letters++) {
          const next = kindAt(at);
          if (next === kinds.accented) tokens += weights.accented;
          else if (next !== kinds.lower) break;
        }
        tokens += wordTokens(capitals, letters);
        if (wasInside) tokens += weights.innerWord;
        insideWord = true;
        break;
      }
      case kinds.digit:
        tokens += Math.ceil(passRun(kinds.digit) / 3) * weights.digits;
        insideWord = true;
        break;
      case kinds.space: {
        const spaces = passRun(kinds.space);
        const next = at < length ? kindAt(at) : kinds.lineEnd;
        if (next === kinds.lineEnd && spaces <= longestBlank) break;
        if (spaces > 1) tokens += Math.ceil(spaces / longestBlank) * weights.indentation;
        if (next === kinds.digit) tokens += weights.spaceBeforeDigits;
        break;
      }
      case kinds.lineEnd:
        tokens += Math.ceil(passRun(kinds.lineEnd) / longestBlank) * weights.lineEnds;
        break;
      case kinds.sign: {
        const start = at;
        let previous = text.charCodeAt(at++);
        for (; at < length && kindAt(at) === kinds.sign; at++) {
          const code = text.charCodeAt(at);
          if (code === previous) tokens += weights.repeatedSign;
          previous = code;
        }
        const next = at < length ? kindAt(at) : kinds.space;
        const beforeWord = at - start === 1 && (next === kinds.lower || next === kinds.upper);
        tokens += beforeWord ? weights.signBeforeWord : weights.signs;
        passRun(kinds.lineEnd);
        break;
      }
      case kinds.alphabet:
        tokens += weights.alphabetWord + passRun(kinds.alphabet) * weights.alphabetLetter;
        insideWord = true;
        break;
      case kinds.semitic:
        tokens += passRun(kinds.semitic) * weights.semiticLetter;
        break;
      case kinds.dense:
        tokens += passRun(kinds.dense) * weights.denseLetter;
        break;
      case kinds.ideograph:
        tokens += passRun(kinds.ideograph) * weights.ideograph;
        break;
      case kinds.kana:
        tokens += passRun(kinds.kana) * weights.kana;
        break;
      case kinds.hangul:
        tokens += passRun(kinds.hangul) * weights.hangul;
        break;
      case kinds.pair:
        tokens += weights.emoji;
        at++;
        break;
      case kinds.mark:
        tokens += passRun(kinds.mark) * weights.mark;
        break;
      case kinds.symbol:
        tokens += passRun(kinds.symbol) * weights.symbol;
        break;
      default:
        // The second half of a pair, counted with its first.
        at++;
    }
  }
  return tokens;
}

/** Capitals, then other letters: `HTTPServer` are three capitals and a word of seven. */
function wordTokens(capitals: number, letters: number): number {
  let tokens = 0;
  let word = letters;
  if (capitals === 1) word++;
  else if (capitals > 1) {
    const alone = letters > 0 ? capitals - 1 : capitals;
    if (letters > 0) word++;
    tokens += weights.capitals + Math.max(0, alone - 4) * weights.capitalBeyond4;
  }
  if (word === 0) return tokens;
  if (word <= 5) return tokens + weights.shortWord;
  if (word <= 9) return tokens + weights.mediumWord;
  return tokens + weights.longWord + Math.max(0, word - 13) * weights.letterBeyond13;
}
