// Rows of a running gateway's request log, found by the id that a test gave its request.

import type { AuditEntry, AuditLogPage } from "../../src/admin/contract.ts";

/** The rows whose request id contains `word`, newest first, once there are at least `count`. Rejects after 10 s. */
export async function loggedRows(url: string, word: string, count = 1): Promise<readonly AuditEntry[]> {
  const until = performance.now() + 10_000;
  for (;;) {
    const entries: AuditEntry[] = [];
    let total = 1;
    while (entries.length < total) {
      const response = await fetch(`${url}/admin/audit/log?limit=100&offset=${entries.length}&search=${word}`);
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      const page = (await response.json()) as AuditLogPage;
      ({ total } = page);
      if (page.entries.length === 0) break;
      entries.push(...page.entries);
    }
    if (entries.length >= count) return entries;
    if (performance.now() > until) throw new Error(`${entries.length} rows for ${word} after 10 s, not ${count}`);
    await Bun.sleep(20);
  }
}
