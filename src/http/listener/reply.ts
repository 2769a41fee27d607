// The answer to a request, as its handler gives it, and its head in bytes.

/** A body whose pieces are asked for one after the other, each when the last one has left. */
export interface ReplyStream {
  readonly first: Uint8Array;
  /** Pieces after `first`; undefined after the last. Never rejects. One call at a time. */
  next(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Each piece as it is handed on. */
  onPiece(piece: Uint8Array): void;
  /** After the last piece. */
  onEnd(): void;
  /** The reader closed its connection; nothing more is asked for. */
  onLeft(): void;
  /** The reader took nothing for `stallTimeoutMs`, 0 = for ever; it may be the last piece that waits. */
  onStall(): void;
  readonly stallTimeoutMs: number;
}

export interface Reply {
  readonly status: number;
  /** `connection: close` ends the connection with the reply; length, coding and date are not the handler's to set. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: none. */
  readonly body: string | Uint8Array | ReplyStream | undefined;
}

/** How a body is told apart from what follows it. */
export type Framing = { readonly length: number } | "chunked" | "until-close" | "none";

const reasons: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  204: "No Content",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  417: "Expectation Failed",
  422: "Unprocessable Content",
  426: "Upgrade Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported",
};

const statusLines = new Map<number, string>();
/** One character for each byte, none that could end a line. */
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;
const illegal = /[^\t\x20-\x7e\x80-\xff]/g;

/** One character for each byte. `date`: as `dateLine` gives it. */
export function renderHead({ status, headers }: Reply, framing: Framing, closes: boolean, date: string): string {
  let text = statusLineOf(status);
  for (const name in headers) {
    const value = headers[name] ?? "";
    // What comes from a provider or a model name has been checked before; a mistake there must not become a second header.
    text += `${name}: ${valuePattern.test(value) ? value : value.replace(illegal, "?")}\r\n`;
  }
  text += date;
  if (closes && headers["connection"] === undefined) text += "connection: close\r\n";
  if (framing === "chunked") return `${text}transfer-encoding: chunked\r\n\r\n`;
  return typeof framing === "string" ? `${text}\r\n` : `${text}content-length: ${framing.length}\r\n\r\n`;
}

function statusLineOf(status: number): string {
  let line = statusLines.get(status);
  if (line === undefined) {
    line = `HTTP/1.1 ${status} ${reasons[status] ?? ""}\r\n`;
    statusLines.set(status, line);
  }
  return line;
}

let secondOfDate = -1;
let renderedDate = "";

/** The header that tells the time, a new one each second. `wallNow`: milliseconds since the epoch. */
export function dateLine(wallNow: number): string {
  const second = Math.floor(wallNow / 1000);
  if (second !== secondOfDate) {
    secondOfDate = second;
    renderedDate = `date: ${new Date(wallNow).toUTCString()}\r\n`;
  }
  return renderedDate;
}
