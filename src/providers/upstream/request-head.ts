// Renders the head of a request, once for every set of headers that is used again.

import type { HttpRequest } from "./http-request.ts";

/** Everything of the head that does not depend on the body. */
export interface RenderedHead {
  /** Request line and headers that are the same for many calls; ends in a line end. */
  readonly bytes: Uint8Array;
  /** Lines of this call alone, ASCII; each ends in a line end. */
  readonly callLines: string;
  /** `content-length` follows; the blank line always does. */
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
const callValuePattern = /^[\t\x20-\x7e]*$/;
const pathPattern = /^\/[\x21\x22\x24-\x7e]*$/;

const rememberedHeads = 16;
const rememberedNames = 64;
const begins = new Map<string, string>();

interface Remembered {
  readonly bytes: Uint8Array;
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
    return {
      bytes: this.#constantPart(request),
      callLines: request.callHeaders === undefined ? "" : linesOfCall(request.callHeaders),
      takesLength: request.method === "POST" || request.body !== undefined,
    };
  }

  #constantPart(request: HttpRequest): Uint8Array {
    const remembered = this.#remembered;
    for (let index = 0; index < remembered.length; index++) {
      const head = remembered[index];
      if (
        head !== undefined &&
        head.headers === request.headers &&
        head.path === request.path &&
        head.method === request.method &&
        head.url === request.url
      ) {
        return head.bytes;
      }
    }
    const head: Remembered = {
      bytes: new TextEncoder().encode(render(request)),
      headers: request.headers,
      method: request.method,
      path: request.path,
      url: request.url,
    };
    remembered[this.#oldest] = head;
    this.#oldest = (this.#oldest + 1) % rememberedHeads;
    return head.bytes;
  }
}

function linesOfCall(headers: readonly (readonly [name: string, value: string])[]): string {
  let text = "";
  for (const [name, value] of headers) {
    const begin = beginOfLine(name);
    if (!callValuePattern.test(value))
      throw new UnsendableRequest(`the request header ${name} has characters that no header can hold`);
    if (begin !== "") text += `${begin}${value}\r\n`;
  }
  return text;
}

/** `name: `, empty for a header that is not the call's to set. The names are ours, a handful, so each is looked at once. */
function beginOfLine(name: string): string {
  const known = begins.get(name);
  if (known !== undefined) return known;
  if (!namePattern.test(name)) throw new UnsendableRequest("a request header has a name that no header can have");
  const begin = owned.has(name.toLowerCase()) ? "" : `${name}: `;
  if (begins.size < rememberedNames) begins.set(name, begin);
  return begin;
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
  return saysEncoding ? text : `${text}accept-encoding: identity\r\n`;
}
