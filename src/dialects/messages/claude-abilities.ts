// What a Claude model takes, by its name.

/** Fields that differ from one generation to the next. */
export interface ClaudeAbilities {
  /** `thinking: {type: "adaptive"}`. */
  readonly adaptiveThinking: boolean;
  /** `thinking: {type: "enabled", budget_tokens}`. */
  readonly thinkingBudgets: boolean;
  /** `thinking: {type: "disabled"}`; without it the field has to be left out. */
  readonly disabledThinking: boolean;
  /** `output_config.effort`. */
  readonly effort: boolean;
  /** `temperature`, `top_p` and `top_k` other than the defaults. */
  readonly sampling: boolean;
  /** Messages of the role `system` between the others. */
  readonly systemMessages: boolean;
}

/** `claude-opus-4-6`, `anthropic.claude-sonnet-4-5-20250929-v1:0`, `claude-3-7-sonnet-20250219`, `anthropic/claude-opus-4.5`; a date is no version. */
const claudeName = /claude-(?:([a-z]+)-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/;

/**
 * Undefined for a name that says nothing of the kind: such a model gets what the caller sent. By generation, so that a model that is newer than this table
 * counts as the latest known (https://docs.anthropic.com/en/docs/build-with-claude/adaptive-thinking, .../effort, .../extended-thinking; behaviour 4.2).
 */
export function claudeAbilities(model: string): ClaudeAbilities | undefined {
  const match = claudeName.exec(model.toLowerCase());
  if (match === null) return undefined;
  const [, family, major, minor] = match;
  const version = Number(major) * 100 + Number(minor ?? 0);
  return {
    adaptiveThinking: version >= 406,
    thinkingBudgets: version >= 307 && version <= 406,
    // Left out it means the same to Opus 4.7, the only other one that refuses it.
    disabledThinking: family !== "fable" && family !== "mythos" && version !== 407,
    effort: version >= (family === "opus" ? 405 : 406),
    sampling: version < 407,
    systemMessages: version >= 408,
  };
}
