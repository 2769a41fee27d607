// Raw requests for the edge: read from the fixture, and turned into model calls that would reach a provider if the edge let them.

import fixture from "../fixtures/http-payloads.json";

export interface HttpPayload {
  readonly name: string;
  /** What must become of it, in the words of `answersWanted`. */
  readonly expect: string;
  /** In latin1. */
  readonly raw: string;
}

export const httpPayloads: readonly HttpPayload[] = fixture.payloads.map(({ name, expect, parts }) => ({
  name,
  expect,
  raw: parts
    .map((part) =>
      typeof part === "string"
        ? part
        : Array.from({ length: part.times }, (_, index) => part.repeat.replace("#", String(index))).join(""),
    )
    .join(""),
}));

const chatPath = "/v1/chat/completions";
/** 100 bytes, 0x64. */
const body = '{"model":"sim/ok","messages":[{"role":"user","content":"hello"}]}'.padEnd(100);

/**
 * The same trick around a model call whose body is right, if its framing is believed. Undefined for payloads that are about the path
 * or cannot have a body.
 */
export function armed({ raw }: HttpPayload): string | undefined {
  if (!/^\s*[A-Za-z]+ \/x HTTP/.test(raw)) return undefined;
  const [start = "", ...rest] = raw.split(" /x ");
  const target = `${start.replace("GET", "POST").replace("get", "post")} ${chatPath} ${rest.join(" /x ")}`;
  if (/transfer-encoding/i.test(raw) && !raw.includes("identity\r\nContent-Length")) return armChunks(target);
  if (/content-length/i.test(raw)) return raw.startsWith("GET") ? undefined : armLength(target);
  // Behind the first line, so that the trick stays where it is.
  return `${target.replace(/(HTTP\/\S+?)(\r?\n)/, `$1$2Content-Length: ${body.length}$2`)}${body}`;
}

function armChunks(raw: string): string {
  const at = raw.indexOf("\r\n\r\n") + 4;
  const head = raw.slice(0, at);
  const chunks = raw.slice(at);
  const armedChunks = /^0\r?\n/.test(chunks)
    ? `64\r\n${body}\r\n${chunks}`
    : chunks
        // Seventeen digits that are 0x64 again to whoever keeps only the last sixteen.
        .replace(/^10{15}1/, `1${"0".repeat(14)}64`)
        .replace(/^(0x|\+)?1(?!0)/, "$164")
        .replace(/\na(?=\r\n0|X0)/, `\n${body}`);
  return head.replace(/(Content-Length: )6/, `$1${armedChunks.length}`) + armedChunks;
}

function armLength(raw: string): string {
  const at = raw.indexOf("\r\n\r\n") + 4;
  const head = raw
    .slice(0, at)
    .replace("0x3", "0x64")
    .replace("1_0", "1_00")
    .replace("Length: 5", "Length: 102")
    .replace(/\b3(?=\r|,)/g, String(body.length));
  return `${head}${body}${head.includes("102") ? "  " : ""}`;
}
