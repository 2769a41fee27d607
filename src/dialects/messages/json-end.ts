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
    for (const character of piece) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInText) {
        if (character === "\\") this.#isEscaped = true;
        else if (character === '"') this.#isInText = false;
      } else if (character === '"') this.#isInText = true;
      else if (character === "{" || character === "[") this.#depth++;
      else if (character === "}" || character === "]") {
        this.#depth--;
        if (this.#depth === 0) this.#isWhole = true;
      }
    }
  }
}
