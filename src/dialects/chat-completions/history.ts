// Takes the state of other providers out of a chat history whose bytes pass (behaviour 4.6).

import { Buffer } from "node:buffer";
import type { Issuer } from "../../core/chat-request.ts";
import type { ModelRequest } from "../../core/model-request.ts";
import { ByteMark } from "../json/byte-mark.ts";
import type { JsonEdit } from "../json/edit-object.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";

const member = "extra_content";
const mark = new ByteMark(`"${member}"`);
const { utf8Slice } = Buffer.prototype;

/** Every vendor's object in `extra_content` but the one of `issuer` is removed. A body without any costs one search of its bytes. */
export function cleanChatHistory({ body, members }: ModelRequest, issuer: Issuer): readonly JsonEdit[] {
  if (!mark.isIn(body)) return [];
  const messages = members.findLast(({ key }) => key === "messages");
  if (messages === undefined) return [];
  const before = utf8Slice.call(body, messages.valueStart, messages.valueEnd);
  const json = JSON.stringify(clean(parseExactly(before), issuer));
  return [{ kind: "set", key: "messages", json }];
}

/** Anywhere: on messages, tool calls, and parts. */
function clean(value: unknown, issuer: Issuer): unknown {
  if (Array.isArray(value)) return value.map((entry) => clean(entry, issuer));
  // A number kept as it was written is no object of the caller's.
  if (!isJsonObject(value) || "rawJSON" in value) return value;
  const cleaned = Object.create(null) as Record<string, unknown>;
  for (const [key, inner] of Object.entries(value)) {
    if (key !== member || !isJsonObject(inner)) cleaned[key] = clean(inner, issuer);
    else if (inner[issuer] !== undefined) cleaned[key] = { [issuer]: inner[issuer] };
  }
  return cleaned;
}
