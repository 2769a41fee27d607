// Thrown inside the client when an upstream's bytes are no HTTP answer; never leaves this folder.

/** `message` is for people and repeats nothing of what was received. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
  readonly code: string;

  constructor(message: string, code = "malformed_answer") {
    super(message);
    this.code = code;
  }
}
