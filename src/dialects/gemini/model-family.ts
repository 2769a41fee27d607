// What follows from the name of a Gemini model: its generation, and how its thinking is set.

/** Absent numbers: the name does not tell, as with tuned models and Gemma. */
export interface ModelFamily {
  /** 2.5, 3, 3.1; undefined: not known. */
  readonly version: number | undefined;
  readonly size: "pro" | "flash" | "flash-lite" | undefined;
}

/** Names as in https://ai.google.dev/gemini-api/docs/models; `gemini-flash-latest` and its like follow the newest generation. */
export function familyOf(model: string): ModelFamily {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const [, version, alias] = /^gemini-(?:(\d+(?:\.\d+)?)(?![\d.])|((?:pro|flash|flash-lite)-latest$))/.exec(name) ?? [];
  const size = /-(flash-lite|flash|pro)(?:-|$)/.exec(name)?.[1];
  return {
    version: version === undefined ? (alias === undefined ? undefined : Number.POSITIVE_INFINITY) : Number(version),
    size: size === "pro" || size === "flash" || size === "flash-lite" ? size : undefined,
  };
}

/** From Gemini 3 on: thinking levels, validated thought signatures, sampling that is not to be touched (behaviour 3.6). */
export function isGemini3(model: string): boolean {
  return (familyOf(model).version ?? 0) >= 3;
}
