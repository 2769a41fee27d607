// Which members an object has, at every depth, whatever their values.

/** `.choices[].message.content`, sorted; lists are one path however long they are. */
export function memberPaths(value: unknown): readonly string[] {
  return [...new Set(pathsIn(value, ""))].toSorted();
}

function pathsIn(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => pathsIn(entry, `${path}[]`));
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([member, inner]) => pathsIn(inner, `${path}.${member}`))];
}
