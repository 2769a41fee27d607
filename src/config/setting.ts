// The kinds of settings: zod schemas over text that know how they are documented and what to say of a bad value.

import { z } from "zod";
import { isStatusEntry } from "../core/http-status.ts";
import { readByteSize } from "./byte-size.ts";
import { suggestion } from "./did-you-mean.ts";
import { readDuration } from "./duration.ts";
import type { Reading } from "./reading.ts";

// Compiling a schema to code pays when it is used often; here it is once, and costs 20 ms of the start.
z.config({ jitless: true });

/** What the documentation, the environment and `--check` need to know of a setting. */
export interface SettingNotes {
  /** Sentences for operators. */
  readonly description: string;
  /** As it would be written; undefined: unset unless given. */
  readonly default?: string;
  /** The default under `resilience.profile: strong`; undefined: the profile does not decide this setting. */
  readonly strong?: string;
  /** How the documentation calls a default that depends on the machine. */
  readonly defaultText?: string;
  /** The variable that sets it. */
  readonly env?: string;
  /** Ending of a provider's variable: `API_KEY` stands for `<TYPE>_API_KEY` and `<TYPE>_<SUFFIX>_API_KEY`. */
  readonly providerVariable?: string;
  /** `value`: never shown. `url`: only its password is hidden. */
  readonly secret?: "value" | "url";
  /** For the example file, where there is no default or another value says more. */
  readonly example?: string;
  /** An empty list keeps the default instead of replacing it. */
  readonly emptyKeepsDefault?: true;
  /** A map written as a plain text: the text is the value of this key. */
  readonly shorthand?: string;
  /** Cannot be set in YAML. */
  readonly environmentOnly?: true;
}

declare module "zod" {
  interface GlobalMeta {
    /** `duration`, `whole number`, ... */
    kind?: string;
    default?: string;
    strong?: string;
    defaultText?: string;
    env?: string;
    providerVariable?: string;
    secret?: SettingNotes["secret"];
    example?: string;
    emptyKeepsDefault?: true;
    shorthand?: string;
    environmentOnly?: true;
  }
}

function setting<Value>(kind: string, notes: SettingNotes, read: (text: string) => Reading<Value>) {
  return z
    .string()
    .transform((text, context) => {
      const reading = read(text.trim());
      if ("value" in reading) return reading.value;
      context.addIssue({ code: "custom", message: reading.complaint });
      return z.NEVER;
    })
    .meta({ ...notes, kind });
}

/** Any text but an empty one. */
export function text(notes: SettingNotes) {
  return setting("text", notes, (value): Reading<string> =>
    value === "" ? { complaint: "must not be empty" } : { value },
  );
}

/** A text that is sent in a header: visible ASCII and inner blanks only. */
export function headerText(notes: SettingNotes) {
  return setting("text", notes, (value): Reading<string> => {
    if (value === "") return { complaint: "must not be empty" };
    return /^[\x20-\x7e]*$/.test(value)
      ? { value }
      : { complaint: "cannot be sent in a header; use visible ASCII characters without line breaks" };
  });
}

/** `true` or `false`; `1`, `0`, `yes`, `no`, `on`, `off` are understood. */
export function onOff(notes: SettingNotes) {
  return setting("true or false", notes, (value): Reading<boolean> => {
    if (/^(?:true|t|1|yes|on)$/i.test(value)) return { value: true };
    if (/^(?:false|f|0|no|off)$/i.test(value)) return { value: false };
    return { complaint: "is not true or false" };
  });
}

export function wholeNumber(notes: SettingNotes, bounds: { readonly min: number; readonly max?: number }) {
  const range = bounds.max === undefined ? `of ${bounds.min} or more` : `from ${bounds.min} to ${bounds.max}`;
  return setting("whole number", notes, (value): Reading<number> => {
    const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
    const fits = Number.isSafeInteger(number) && number >= bounds.min && number <= (bounds.max ?? number);
    return fits ? { value: number } : { complaint: `is not a whole number ${range}` };
  });
}

/** A decimal number; `min` is excluded when `above` says so. */
export function decimal(
  notes: SettingNotes,
  bounds: { readonly min: number; readonly above?: true; readonly max?: number },
) {
  const from = bounds.above === true ? `greater than ${bounds.min}` : `of ${bounds.min} or more`;
  const range = bounds.max === undefined ? from : `from ${bounds.min} to ${bounds.max}`;
  return setting("number", notes, (value): Reading<number> => {
    const number = /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
    const fits =
      Number.isFinite(number) &&
      (bounds.above === true ? number > bounds.min : number >= bounds.min) &&
      number <= (bounds.max ?? number);
    return fits ? { value: number } : { complaint: `is not a number ${range}` };
  });
}

/** Milliseconds. Plain seconds only where behaviour 5.1 allows them. */
export function duration(notes: SettingNotes) {
  return setting("duration", notes, (value) => readDuration(value, { plainSeconds: false }));
}

export function secondsOrDuration(notes: SettingNotes) {
  return setting("seconds or duration", notes, (value) => readDuration(value, { plainSeconds: true }));
}

/** Bytes. */
export function byteSize(
  notes: SettingNotes,
  bounds: { readonly min: number; readonly max: number; readonly allowed: string },
) {
  return setting("size", notes, (value) => readByteSize(value, bounds));
}

/** One of the keys of `words`, read as the value beside it. `later` are words of the specification that this version lacks. */
export function oneOf<const Value extends string>(
  notes: SettingNotes,
  words: Readonly<Record<string, Value>>,
  options: { readonly what: string; readonly later?: readonly string[] },
) {
  const shown = [...new Set(Object.values(words))];
  const table = new Map<string, Value>(Object.entries(words));
  return setting(shown.map((word) => `\`${word}\``).join(", "), notes, (value): Reading<Value> => {
    const known = table.get(value.toLowerCase());
    if (known !== undefined) return { value: known };
    const allowed = `allowed: ${shown.join(", ")}`;
    if (options.later?.includes(value.toLowerCase()) === true)
      return { complaint: `is not in this version yet; ${allowed}` };
    return { complaint: `is not ${options.what}; ${allowed}${suggestion(value, table.keys())}` };
  });
}

/** `provider` or `model`; the message is contract (behaviour 2.2), so the bad value follows it instead of coming first. */
export function breakerScope(notes: SettingNotes) {
  return z
    .string()
    .transform((value, context): "provider" | "model" => {
      const word = value.trim().toLowerCase();
      if (word === "provider" || word === "model") return word;
      context.addIssue({
        code: "custom",
        message: "circuit_breaker.scope must be provider or model",
        params: { wholeSentence: true, hint: suggestion(word, ["provider", "model"]) },
      });
      return z.NEVER;
    })
    .meta({ ...notes, kind: "`provider`, `model`" });
}

/** A list of codes and classes; the message is contract (behaviour 2.2). */
export function statusEntries(notes: SettingNotes) {
  const entry = setting("status", { description: "" }, (value): Reading<string> =>
    isStatusEntry(value) ? { value } : { complaint: "is not an HTTP status code or class such as 5xx" },
  );
  return z.array(entry).meta({ ...notes, kind: "list of statuses" });
}

/** An absolute `http` or `https` address, without its trailing slashes. */
export function httpAddress(notes: SettingNotes) {
  return setting("address", notes, (value): Reading<string> => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
      return { complaint: "is not an http or https address such as https://api.example.com/v1" };
    }
    if (url.search !== "" || url.hash !== "") return { complaint: "must not contain ? or #" };
    return { value: value.replace(/\/+$/, "") };
  });
}

/** A URL path, cleaned: one leading slash, no empty, `.` or `..` parts, no trailing slash; the root is empty. */
export function urlPath(notes: SettingNotes) {
  return setting("path", notes, (value): Reading<string> => {
    const parts = value.split("/").filter((part) => part !== "" && part !== ".");
    if (!/^[\w.~!$&'()*+,;=:@/-]*$/.test(value) || parts.includes("..")) {
      return { complaint: "is not a path such as /gateway" };
    }
    return { value: parts.map((part) => `/${part}`).join("") };
  });
}
