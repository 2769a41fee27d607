// Answers as bytes on a connection, read by the letter: whole ones, with nothing between or after them.

export interface WholeAnswer {
  readonly status: number;
  /** Without its chunks. */
  readonly body: string;
}

/** Of an answer that is alone on its connection. `text` has one character per byte. Undefined when it is not whole, or more than whole. */
export function wholeAnswer(text: string): WholeAnswer | undefined {
  const [answer, ...more] = wholeAnswers(text) ?? [];
  return more.length === 0 ? answer : undefined;
}

/** All of them, in order; undefined when anything is left over. */
function wholeAnswers(text: string): readonly WholeAnswer[] | undefined {
  const answers: WholeAnswer[] = [];
  for (let at = 0; at < text.length;) {
    const headEnd = text.indexOf("\r\n\r\n", at) + 4;
    const head = text.slice(at, headEnd);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (headEnd < 4 || Number.isNaN(status)) return undefined;
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    const read = length === undefined ? withoutChunks(text, headEnd) : withLength(text, headEnd, Number(length));
    if (read === undefined) return undefined;
    answers.push({ status, body: Buffer.from(read.body, "latin1").toString() });
    at = read.end;
  }
  return answers;
}

interface ReadBody {
  readonly body: string;
  readonly end: number;
}

function withLength(text: string, start: number, length: number): ReadBody | undefined {
  const end = start + length;
  return end > text.length ? undefined : { body: text.slice(start, end), end };
}

function withoutChunks(text: string, start: number): ReadBody | undefined {
  let body = "";
  for (let at = start; ;) {
    const lineEnd = text.indexOf("\r\n", at);
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    if (lineEnd < 0 || Number.isNaN(size)) return undefined;
    const end = lineEnd + 2 + size + 2;
    if (text.slice(end - 2, end) !== "\r\n") return undefined;
    if (size === 0) return { body, end };
    body += text.slice(lineEnd + 2, end - 2);
    at = end;
  }
}
