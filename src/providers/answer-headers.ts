// Which of a provider's response headers reach the caller.

/** One header, name in lower case. */
export type Header = readonly [name: string, value: string];

/** What the names of all of them begin with. */
export const callerHeaderPrefixes = [
  "retry-after",
  "x-ratelimit-",
  "anthropic-ratelimit-",
  "x-codex-",
  "x-llm-d-request-dropped-reason",
];

const namePattern =
  /^(?:retry-after[a-z0-9-]*|(?:x-ratelimit|anthropic-ratelimit|x-codex)-[a-z0-9-]+|x-llm-d-request-dropped-reason)$/;
const visiblePattern = /^[\t\x20-\x7e]*$/;
const maxValueLength = 1024;
const maxHeaders = 64;

/**
 * `retry-after*`, `x-ratelimit-*`, `anthropic-ratelimit-*`, `x-codex-*` (decisions 14 and 28) and why llm-d turned a request away (behaviour 3.6), nothing else:
 * cookies, server names, cross-origin and transport rules are the provider's own, and so is its id of the request: ours is the one to ask us about. Values that are too long, not visible ASCII or that hold a secret of ours are left out.
 */
export function callerHeaders(
  entries: Iterable<readonly [string, string]>,
  isSecret: (text: string) => boolean,
): readonly Header[] {
  let kept: Header[] | undefined;
  for (const [rawName, value] of entries) {
    const name = nameForCaller(rawName);
    if (name === undefined || value.length > maxValueLength || !visiblePattern.test(value) || isSecret(value)) continue;
    kept ??= [];
    if (kept.length === maxHeaders) break;
    kept.push([name, value]);
  }
  return kept ?? none;
}

/** In lower case; undefined for a header that stays here. Providers send the same few again and again. */
function nameForCaller(rawName: string): string | undefined {
  const known = knownNames.get(rawName);
  if (known !== undefined) return known;
  const name = rawName.toLowerCase();
  if (!namePattern.test(name)) return undefined;
  if (knownNames.size < rememberedNames && name.length <= longestRememberedName) knownNames.set(rawName, name);
  return name;
}

const rememberedNames = 256;
const longestRememberedName = 64;
const knownNames = new Map<string, string>();

const none: readonly Header[] = [];
