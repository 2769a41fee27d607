// Renders the head of a request, once for every set of headers that is used again.

import type { HttpRequest } from "./http-request.ts";

/** Everything of the head that does not depend on the body; ends in `content-length: ` or in the blank line. */
export interface RenderedHead {
  readonly bytes: Uint8Array;
  /** The length, two line ends and the body follow. */
  readonly takesLength: boolean;
}

/** A request that cannot be written without becoming another one; `message` names the part, never its value. */
export class UnsendableRequest extends Error {
  override readonly name = "UnsendableRequest";
}

const owned = new Set(
  (
    "host content-length connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer " +
    "transfer-encoding upgrade expect"
  ).split(" "),
);

const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Not only CR, LF and NUL: no control character has a meaning in a value.
const valuePattern = /^[\t\x20-\x7e\x80-\uffff]*$/;
const pathPattern = /^\/[\x21\x22\x24-\x7e]*$/;

const rememberedHeads = 16;

interface Remembered extends RenderedHead {
  readonly headers: HttpRequest["headers"];
  readonly method: HttpRequest["method"];
  readonly path: string;
  readonly url: HttpRequest["url"];
}

/** Keeps the last few heads by the identity of their header array: providers use one array for all calls of a kind. */
export class RequestHeads {
  readonly #remembered: Remembered[] = [];
  #oldest = 0;

  /** Throws `UnsendableRequest`. */
  of(request: HttpRequest): RenderedHead {
    const remembered = this.#remembered;
    for (let index = 0; index < remembered.length; index++) {
      const head = remembered[index];
      if (
        head !== undefined &&
        head.headers === request.headers &&
        head.path === request.path &&
        head.method === request.method &&
        head.url === request.url &&
        head.takesLength === takesLength(request)
      ) {
        return head;
      }
    }
    const head: Remembered = {
      bytes: new TextEncoder().encode(render(request)),
      takesLength: takesLength(request),
      headers: request.headers,
      method: request.method,
      path: request.path,
      url: request.url,
    };
    remembered[this.#oldest] = head;
    this.#oldest = (this.#oldest + 1) % rememberedHeads;
    return head;
  }
}

function takesLength(request: HttpRequest): boolean {
  return request.method === "POST" || request.body !== undefined;
}

function render(request: HttpRequest): string {
  if (!pathPattern.test(request.path))
    throw new UnsendableRequest("the request path has characters that no path can hold");
  let text = `${request.method} ${request.url.pathPrefix}${request.path} HTTP/1.1\r\nhost: ${request.url.authority}\r\n`;
  let saysEncoding = false;
  for (const [name, value] of request.headers) {
    if (!namePattern.test(name)) throw new UnsendableRequest("a request header has a name that no header can have");
    if (!valuePattern.test(value))
      throw new UnsendableRequest(`the request header ${name} has characters that no header can hold`);
    const lowerCase = name.toLowerCase();
    if (owned.has(lowerCase)) continue;
    if (lowerCase === "accept-encoding") saysEncoding = true;
    text += `${name}: ${value}\r\n`;
  }
  // Decoding costs more than the bytes it saves, in both modes; what comes encoded all the same is decoded.
  if (!saysEncoding) text += "accept-encoding: identity\r\n";
  return takesLength(request) ? `${text}content-length: ` : `${text}\r\n`;
}
