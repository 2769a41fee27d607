// What the models that speak Messages differ in, by their ids. https://platform.claude.com/docs/en/about-claude/models/overview and the pages named below.

export interface ModelTraits {
  /** Takes `thinking: {type: "adaptive"}` with an effort (behaviour 3.6). Others take a budget. */
  readonly thinksAdaptively: boolean;
  /** Refuses `thinking: {type: "enabled"}` with a budget. */
  readonly refusesBudgets: boolean;
  /** Takes `output_config.effort`. */
  readonly takesEffort: boolean;
  /** Cannot be told not to think. */
  readonly alwaysThinks: boolean;
  /** Refuses `thinking: {type: "disabled"}`; left out, the field means the same. */
  readonly refusesDisabled: boolean;
  /** Too old to think at all. */
  readonly neverThinks: boolean;
  /** Refuses `temperature`, `top_p` and `top_k`. */
  readonly refusesSampling: boolean;
  /** Takes `temperature` or `top_p`, not both. */
  readonly refusesTwoSamplings: boolean;
  /** Takes messages of the role `system` where they stand. */
  readonly takesSystemMessages: boolean;
  /** One of Anthropic's at all. */
  readonly isClaude: boolean;
  /** Its name says which one, so that what else stands here is about it. */
  readonly isKnown: boolean;
}

/** A list and no rule: a model that is not on it gets a budget, which every other one understands. Dated snapshots are the same model. */
const adaptive = new Set([
  "claude-fable-5",
  "claude-fable-5-1",
  "claude-fable-5-2",
  "claude-mythos-5",
  "claude-mythos-5-1",
  "claude-mythos-5-2",
  "claude-haiku-5-5",
  "claude-sonnet-5",
  "claude-sonnet-5-5",
  "claude-opus-5",
  "claude-opus-5-5",
  "claude-opus-4-8",
  "claude-opus-4-7",
  "claude-opus-4-6",
  "claude-sonnet-4-6",
]);

/** Without a date, and without what clouds put before and behind an id (`us.anthropic.`, `-v1:0`, `@20250929`). */
const claudeId = /claude-(?:(fable|mythos|opus|sonnet|haiku)-(\d+)(?:[-.](\d{1,2}))?(?!\d)|(instant|v?[23])(?!\d))/;

const notClaude: ModelTraits = {
  thinksAdaptively: false,
  refusesBudgets: false,
  takesEffort: false,
  alwaysThinks: false,
  refusesDisabled: false,
  neverThinks: false,
  refusesSampling: false,
  refusesTwoSamplings: false,
  takesSystemMessages: false,
  isClaude: false,
  isKnown: false,
};

export function traitsOf(model: string): ModelTraits {
  const found = claudeId.exec(model);
  if (found === null) return { ...notClaude, isClaude: model.includes("claude-") };
  const [, family, majorText, minorText, oldGeneration] = found;
  if (family === undefined || majorText === undefined) {
    // Of the third generation only one model thinks: https://platform.claude.com/docs/en/build-with-claude/extended-thinking
    const neverThinks = oldGeneration !== undefined && !model.includes("claude-3-7-");
    return { ...notClaude, isClaude: true, isKnown: oldGeneration?.endsWith("3") === true, neverThinks };
  }
  const major = Number(majorText);
  const minor = Number(minorText ?? 0);
  const version = major * 100 + minor;
  const name = `claude-${family}-${major}${minor === 0 ? "" : `-${minor}`}`;
  // https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
  const alwaysThinks =
    family === "fable" || family === "mythos" || name === "claude-opus-5-5" || name === "claude-sonnet-5-5";
  return {
    isClaude: true,
    isKnown: true,
    thinksAdaptively: adaptive.has(name),
    // https://platform.claude.com/docs/en/build-with-claude/extended-thinking: since Opus 4.7.
    refusesBudgets: version >= 407,
    // https://platform.claude.com/docs/en/build-with-claude/effort
    takesEffort: adaptive.has(name) || name === "claude-opus-4-5",
    alwaysThinks,
    refusesDisabled: alwaysThinks || version === 407,
    neverThinks: false,
    // https://platform.claude.com/docs/en/about-claude/models/migration-guide: since Opus 4.7.
    refusesSampling: version >= 407,
    refusesTwoSamplings: version >= 401,
    takesSystemMessages: version >= 408,
  };
}
