// Lists of HTTP statuses as operators write them: exact codes and classes such as 5xx.

/** A parsed list, plain data as all of the configuration is. */
export interface StatusList {
  /** The operator's spelling, for display. */
  readonly source: readonly string[];
  /** All that are meant. */
  readonly statuses: readonly number[];
}

const entryPattern = /^([1-5])(?:(\d\d)|xx)$/i;

/** Whether `text` is a code (`429`) or a class (`5xx`). */
export function isStatusEntry(text: string): boolean {
  return entryPattern.test(text);
}

/** Whether `status` is meant by `entry`, a code or a class. False for anything else. */
export function statusEntryMatches(entry: string, status: number): boolean {
  const match = entryPattern.exec(entry);
  if (match === null) return false;
  return match[2] === undefined ? Math.floor(status / 100) === Number(match[1]) : status === Number(entry);
}

/** Entries must satisfy `isStatusEntry`; the configuration has checked them. */
export function statusList(entries: readonly (string | number)[]): StatusList {
  const source = entries.map(String);
  const statuses: number[] = [];
  for (let status = 100; status < 600; status++) {
    if (source.some((entry) => statusEntryMatches(entry, status))) statuses.push(status);
  }
  return { source, statuses };
}

/** Whether the list means `status`. */
export function isListed(status: number, list: StatusList): boolean {
  return list.statuses.includes(status);
}
