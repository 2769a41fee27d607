// Ids for answers that came without one.

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
const length = 24;

/** 24 characters of a-z and 0-9, as good as never the same twice. */
export function newId(): string {
  let id = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(length))) id += letters[byte % letters.length];
  return id;
}
