// Rows of a running gateway's request log, found by the id that a test gave its request.

import type { AuditEntry, AuditLogPage } from "../../src/admin/contract.ts";

/** The rows whose request id contains `word`, newest first, once there are at least `count`. Rejects after 10 s. */
export async function loggedRows(url: string, word: string, count = 1): Promise<readonly AuditEntry[]> {
  const until = performance.now() + 10_000;
  for (;;) {
    // By id: rows that come in between two pages push others on to the next one.
    const entries = new Map<string, AuditEntry>();
    let total = 1;
    for (let offset = 0; offset < total; offset += 100) {
      const response = await fetch(`${url}/admin/audit/log?limit=100&offset=${offset}&search=${word}`);
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      const page = (await response.json()) as AuditLogPage;
      ({ total } = page);
      for (const entry of page.entries) entries.set(entry.id, entry);
    }
    if (entries.size >= count) return [...entries.values()];
    if (performance.now() > until) throw new Error(`${entries.size} rows for ${word} after 10 s, not ${count}`);
    await Bun.sleep(20);
  }
}
