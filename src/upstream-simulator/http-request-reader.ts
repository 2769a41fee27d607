// Cuts the bytes of a connection into HTTP/1.1 requests.

/** One request as it was sent. */
export interface RawRequest {
  readonly method: string;
  /** As in the request line, with its query. */
  readonly target: string;
  /** Request line and header lines without the empty line. */
  readonly head: string;
  /** Decoded when it came in chunks. */
  readonly body: Uint8Array;
  /** False: the peer wants the connection closed after the answer. */
  readonly keepAlive: boolean;
}

/** more: not whole yet. continue: not whole yet, and the peer waits for 100. malformed: no HTTP/1.1 request. */
export type ReadResult = RawRequest | "more" | "continue" | "malformed";

const headEnd = Buffer.from("\r\n\r\n");
const nothing = Buffer.alloc(0);

export class HttpRequestReader {
  #parts: Buffer[] = [];
  #length = 0;
  /** Bytes that must be there before it is worth looking again. */
  #needed = 1;
  #continued = false;

  push(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  /** The next request, when it is whole. Its body shares memory with what was pushed. */
  next(): ReadResult {
    if (this.#length < this.#needed) return "more";
    const bytes = this.#parts.length === 1 ? (this.#parts[0] ?? nothing) : Buffer.concat(this.#parts);
    this.#parts = [bytes];
    const bodyStart = bytes.indexOf(headEnd) + headEnd.length;
    if (bodyStart < headEnd.length) {
      this.#needed = this.#length + 1;
      return "more";
    }
    const head = bytes.toString("latin1", 0, bodyStart - headEnd.length);
    const lower = head.toLowerCase();
    const lengthText = fieldValue(lower, "content-length") ?? "0";
    const encoding = fieldValue(lower, "transfer-encoding");
    const [method, target, version, rest] = head.slice(0, endOfLine(head)).split(" ");
    if (target === undefined || method === undefined || rest !== undefined || !version?.startsWith("HTTP/1."))
      return "malformed";
    if (!/^\d{1,10}$/.test(lengthText) || (encoding !== undefined && encoding !== "chunked")) return "malformed";

    const body =
      encoding === "chunked" ? readChunks(bytes, bodyStart) : sizedBody(bytes, bodyStart, Number(lengthText));
    if (body === "malformed") return "malformed";
    if (typeof body === "number") {
      this.#needed = body;
      if (this.#continued || fieldValue(lower, "expect") !== "100-continue") return "more";
      this.#continued = true;
      return "continue";
    }
    this.#take(bytes, body.end);
    return { method, target, head, body: body.content, keepAlive: wantsKeepAlive(lower, version) };
  }

  #take(bytes: Buffer, end: number): void {
    this.#parts = end === bytes.length ? [] : [bytes.subarray(end)];
    this.#length = bytes.length - end;
    this.#needed = 1;
    this.#continued = false;
  }
}

/** Header lines of a head, in order, names as sent. */
export function headerLines(head: string): [name: string, value: string][] {
  return head
    .split("\r\n")
    .slice(1)
    .map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
}

/** Value of the first field of this name in a head in lower case. */
function fieldValue(lowerHead: string, name: string): string | undefined {
  const start = lowerHead.indexOf(`\r\n${name}:`);
  if (start < 0) return undefined;
  const end = lowerHead.indexOf("\r\n", start + 2);
  return lowerHead.slice(start + name.length + 3, end < 0 ? undefined : end).trim();
}

function endOfLine(head: string): number {
  const end = head.indexOf("\r\n");
  return end < 0 ? head.length : end;
}

function wantsKeepAlive(lowerHead: string, version: string): boolean {
  const connection = fieldValue(lowerHead, "connection");
  return version === "HTTP/1.0" ? connection === "keep-alive" : connection !== "close";
}

/** A body and where it ends, or the number of bytes to wait for. */
type BodyResult = { readonly content: Uint8Array; readonly end: number } | number | "malformed";

function sizedBody(bytes: Buffer, start: number, length: number): BodyResult {
  const end = start + length;
  return bytes.length < end ? end : { content: bytes.subarray(start, end), end };
}

function readChunks(bytes: Buffer, start: number): BodyResult {
  const chunks: Buffer[] = [];
  for (let position = start; ;) {
    const lineEnd = bytes.indexOf("\r\n", position);
    if (lineEnd < 0) return bytes.length + 1;
    const size = /^([0-9a-f]{1,8})(?:;.*)?$/i.exec(bytes.toString("latin1", position, lineEnd))?.[1];
    if (size === undefined) return "malformed";
    const contentEnd = lineEnd + 2 + Number.parseInt(size, 16);
    if (Number.parseInt(size, 16) === 0) {
      const trailersEnd = bytes.indexOf(headEnd, lineEnd);
      if (trailersEnd < 0) return bytes.length + 1;
      return { content: Buffer.concat(chunks), end: trailersEnd + headEnd.length };
    }
    if (bytes.length < contentEnd + 2) return contentEnd + 2;
    if (bytes.toString("latin1", contentEnd, contentEnd + 2) !== "\r\n") return "malformed";
    chunks.push(bytes.subarray(lineEnd + 2, contentEnd));
    position = contentEnd + 2;
  }
}
