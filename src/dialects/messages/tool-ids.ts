// Ids of tool calls in the form that Anthropic takes: letters, digits, `_` and `-` (https://platform.claude.com/docs/en/api/messages, `tool_use.id`).

const allowed = /^[a-zA-Z0-9_-]+$/;

/** The same id is always the same again within one request, and two ids never become one. */
export function createToolIds(): (id: string) => string {
  const given = new Map<string, string>();
  const used = new Set<string>();
  /** The number that comes next behind a cleaned id: those before it are taken. */
  const counts = new Map<string, number>();
  return (id) => {
    const known = given.get(id);
    if (known !== undefined) return known;
    const cleaned = allowed.test(id) ? id : `toolu_${id.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}`;
    let free = cleaned;
    let count = counts.get(cleaned) ?? 2;
    while (used.has(free)) free = `${cleaned}_${count++}`;
    counts.set(cleaned, count);
    used.add(free);
    given.set(id, free);
    return free;
  };
}

/** For the calls of one answer to a caller: missing ids are made up, and so are those of calls that have the id of an earlier one, which no history may have. */
export function createAnswerIds(newId: () => string): (id: string) => string {
  const used = new Set<string>();
  return (id) => {
    const own = id === "" || used.has(id) ? `toolu_${newId()}` : id;
    used.add(own);
    return own;
  };
}
