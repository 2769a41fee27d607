// What a model name tells the simulator to do.
//
//   [PREFIX.]FAULT[-PARAMETERS][@CALLS][~NAME=VALUE ...]
//
//   ok-20                                   20 words
//   ok-tools                                every right answer is a variant of `ok` too: `ok-reasoning`, `ok-length`, ...
//   billing.status-503-html                 a name of its own with the same fault; a slash ends a prefix like a point
//   status-429@2                            faulty for the first two calls of this name, then `ok`
//   status-429~retry-after=2                one more header field: any name but those below
//   status-429~retry-after=date+2           an HTTP date two seconds from now (`date-2`: ago); `epoch+2` in seconds
//   status-400~message=no%20such~code=x     `message`, `code`, `type` of an error; `end` of a cut stream
//   cut-after-41@1~words=60                 60 words instead of 12, also when it has healed
//   ok~prefill=go-on                        what it makes of a last message from the assistant, also when it has healed:
//                                           `go-on` says what is behind it, `echo` that text and what is behind it,
//                                           `refuse` answers 400, `ignore` (default) starts anew
//   ok~tool=Bash~arguments=%7B%22command%22:%22ls%22%7D
//                                           a call of this tool instead of words, wherever the request offers it and its last message is
//                                           no result of a tool; also when it has healed, and as what `tools` and its kind call
//
// Values are percent-decoded. The faults and their parameters are in `faults.ts`. The same name means the same in every dialect; the path of
// the request says which one is spoken (`route.ts`). For Gemini the name stands in that path, percent-encoded once more.

import type { FaultDescription } from "./fault.ts";
import { findFault } from "./faults.ts";
import type { Asked } from "./asked.ts";
import { jsonType, sized } from "./http-answer.ts";
import { errorJson } from "./json-answer.ts";
import { rightAnswer } from "./right-answer.ts";
import { write, type Step } from "./step.ts";

/** A model name that was understood. */
export interface Instruction {
  readonly fault: FaultDescription;
  /** Calls that are faulty; undefined: all. */
  readonly faultyCalls: number | undefined;
  /** Whether an answer depends on the time, so that none may be kept. */
  readonly dated: boolean;
  plan(asked: Asked, wallNow: number): readonly Step[];
  /** After the faulty calls: a right answer. */
  planHealed(asked: Asked): readonly Step[];
}

/** Each with the values that it may have. */
const optionNames: ReadonlyMap<string, RegExp> = new Map([
  ["end", /^(?:clean|fin|reset|hang)$/],
  ["message", /^/],
  ["code", /^/],
  ["type", /^/],
  ["words", /^\d{1,5}$/],
  ["tool", /./],
  ["arguments", /^/],
  ["prefill", /^(?:go-on|echo|refuse|ignore)$/],
]);
const datePattern = /^(date|epoch)([+-]\d+)$/;

/** Undefined for a name that means nothing. */
export function readModelName(name: string): Instruction | undefined {
  const [spoken = "", ...settings] = name.split("~");
  const match = /^(?:.*[./])?([^./@]+)(?:@(\d+))?$/s.exec(spoken);
  const found = findFault(match?.[1] ?? "");
  const pairs = settings.map(readSetting);
  if (found === undefined || pairs.includes(undefined)) return undefined;
  const known = pairs.filter((pair) => pair !== undefined);
  const headers = known.filter(([key]) => !optionNames.has(key));
  const options = new Map(known.filter(([key]) => optionNames.has(key)));
  for (const [key, value] of options) if (optionNames.get(key)?.test(value) === false) return undefined;
  return {
    fault: found.fault,
    faultyCalls: match?.[2] === undefined ? undefined : Number(match[2]),
    dated: headers.some(([, value]) => datePattern.test(value)),
    plan: (asked, wallNow) => {
      const extraHeaders = headers.map(([key, value]) => [key, valueAt(value, wallNow)] as const);
      const all = { ...asked, extraHeaders, options };
      return refusesPrefill(all) ? [write(prefillRefusal(all))] : found.fault.plan(all, found.values);
    },
    planHealed(asked) {
      const all = { ...asked, options };
      return [write(refusesPrefill(all) ? prefillRefusal(all) : rightAnswer(all))];
    },
  };
}

function refusesPrefill({ prefill, options }: Asked): boolean {
  return prefill !== undefined && options.get("prefill") === "refuse";
}

function prefillRefusal(asked: Asked): Uint8Array {
  const body = errorJson(asked, "The last message must not be from the assistant", 400, "prefill_not_supported");
  return sized(asked, 400, jsonType, body);
}

function readSetting(text: string): readonly [key: string, value: string] | undefined {
  const match = /^([a-z0-9-]+)=(.*)$/is.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  try {
    return [match[1].toLowerCase(), decodeURIComponent(match[2])];
  } catch {
    return undefined;
  }
}

/** A header value, with a relative moment made absolute. */
function valueAt(value: string, wallNow: number): string {
  const match = datePattern.exec(value);
  if (match === null) return value;
  const moment = wallNow + Number(match[2]) * 1000;
  return match[1] === "date" ? new Date(moment).toUTCString() : String(Math.ceil(moment / 1000));
}
