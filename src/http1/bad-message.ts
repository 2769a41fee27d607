// Thrown where the other side's bytes are no HTTP/1.1; caught by whoever owns the connection.

/** `message` is for people and repeats nothing of what was received. */
export class BadMessage extends Error {
  override readonly name = "BadMessage";
  readonly code: string;

  constructor(message: string, code = "malformed_answer") {
    super(message);
    this.code = code;
  }
}
