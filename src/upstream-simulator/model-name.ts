// What a model name tells the simulator to do.
//
//   [PREFIX.]FAULT[-PARAMETERS][@CALLS][~NAME=VALUE ...]
//
//   ok-20                                   20 words
//   billing.status-503-html                 a name of its own with the same fault; a slash ends a prefix like a point
//   status-429@2                            faulty for the first two calls of this name, then `ok`
//   status-429~retry-after=2                one more header field: any name but those below
//   status-429~retry-after=date+2           an HTTP date two seconds from now (`date-2`: ago); `epoch+2` in seconds
//   status-400~message=no%20such~code=x     `message`, `code`, `type` of an error; `end` of a cut stream
//
// Values are percent-decoded. The faults and their parameters are in `faults.ts`.

import type { FaultDescription } from "./fault.ts";
import { findFault } from "./faults.ts";
import type { Asked } from "./asked.ts";
import type { Step } from "./step.ts";

/** A model name that was understood. */
export interface Instruction {
  readonly fault: FaultDescription;
  /** Calls that are faulty; undefined: all. */
  readonly faultyCalls: number | undefined;
  /** Whether an answer depends on the time, so that none may be kept. */
  readonly dated: boolean;
  plan(asked: Asked, wallNow: number): readonly Step[];
}

const optionNames = new Set(["end", "message", "code", "type"]);
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
  return {
    fault: found.fault,
    faultyCalls: match?.[2] === undefined ? undefined : Number(match[2]),
    dated: headers.some(([, value]) => datePattern.test(value)),
    plan: (asked, wallNow) => {
      const extraHeaders = headers.map(([key, value]) => [key, valueAt(value, wallNow)] as const);
      return found.fault.plan({ ...asked, extraHeaders, options }, found.values);
    },
  };
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
