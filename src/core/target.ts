// A provider and one of its models: the thing a turn is for.

/** Written `provider/model`. */
export interface Target {
  /** The configured instance (`openai-eu`), not its type. */
  readonly providerName: string;
  /** The model id as the provider knows it; may contain slashes. */
  readonly model: string;
}

/** The written form. */
export function targetName(target: Target): string {
  return `${target.providerName}/${target.model}`;
}

/** Splits a selector on its first slash; undefined when there is no slash or a side is empty (behaviour 1.6). */
export function splitSelector(selector: string): Target | undefined {
  const slash = selector.indexOf("/");
  if (slash <= 0 || slash === selector.length - 1) return undefined;
  return { providerName: selector.slice(0, slash), model: selector.slice(slash + 1) };
}
