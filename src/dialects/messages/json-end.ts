// Tells when a JSON object that arrives in pieces is whole, without reading it.

/** The closing brace that belongs to the first opening one has been seen; what follows can only be white space. */
export class JsonEnd {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isWhole = false;

  get isWhole(): boolean {
    return this.#isWhole;
  }

  push(piece: string): void {
    // Code units: whatever is looked for is ASCII, which no half of a pair is.
    for (let at = 0; at < piece.length; at++) this.#take(piece.charCodeAt(at));
  }

  #take(unit: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInText) {
      if (unit === backslash) this.#isEscaped = true;
      else if (unit === quote) this.#isInText = false;
    } else if (unit === quote) this.#isInText = true;
    // Brackets and braces differ from each other in the same bit.
    else if ((unit | 0x20) === openBrace) this.#depth++;
    else if ((unit | 0x20) === closeBrace) {
      this.#depth--;
      if (this.#depth === 0) this.#isWhole = true;
    }
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
