// What is put into blocks comes out of them byte for byte, whoever shares the block.

import type { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import fc from "fast-check";
import { LogBench } from "../../test/support/request-log.ts";
import { bodiesIn, BlockBuilder, checkedBody, insertBlock } from "./body-blocks.ts";
import { evictOldestBodies, storedBodyBytes, addBodyBytes } from "./body-store.ts";
import { openDatabase } from "./database.ts";
import { createQuestions } from "./questions.ts";

const bench = new LogBench();
afterEach(() => bench.dispose());

const encoder = new TextEncoder();

interface StoredBlock {
  readonly first_id: number;
  readonly last_id: number;
  readonly entries: string;
  readonly packed: Uint8Array;
}

function blocksOf(sqlite: Database): StoredBlock[] {
  return sqlite.query<StoredBlock, []>("SELECT * FROM body_blocks ORDER BY first_id").all();
}

test("every row gets its own bodies back, rows without any and rows that were refused aside", () => {
  const long = fc.tuple(fc.string({ unit: "binary", minLength: 1 }), fc.integer({ min: 1, max: 20_000 }));
  const body = fc.option(
    long.map(([text, times]) => text.repeat(times)),
    { nil: undefined },
  );
  const rows = fc.array(fc.record({ request: body, response: body, refused: fc.boolean() }), { maxLength: 12 });
  fc.assert(
    fc.property(rows, (bodies) => {
      const sqlite = openDatabase(":memory:");
      const builder = new BlockBuilder();
      const bytesOf = (text: string | undefined) => checkedBody(text === undefined ? undefined : encoder.encode(text));
      bodies.forEach(({ request, response }, index) => builder.add(index, bytesOf(request), bytesOf(response)));
      const ids = bodies.map(({ refused }, index) => (refused ? undefined : 100 + index));
      let size = 0;
      for (const block of builder.blocks()) size += insertBlock(sqlite, block, ids);
      const blocks = blocksOf(sqlite);
      expect(blocks.reduce((sum, { packed, entries }) => sum + packed.length + entries.length, 0)).toBe(size);
      bodies.forEach(({ request, response, refused }, index) => {
        const block = blocks.findLast(({ first_id }) => first_id <= 100 + index);
        const found = block === undefined ? undefined : bodiesIn(block, 100 + index);
        const stored = !refused && (request !== undefined || response !== undefined);
        // Lone surrogates are no UTF-8 to begin with.
        const sent = { request: request?.toWellFormed(), response: response?.toWellFormed() };
        expect(found).toEqual(stored ? sent : undefined);
      });
      sqlite.close();
    }),
    { numRuns: 60 },
  );
});

test("bodies that repeat each other take the room of one", () => {
  const builder = new BlockBuilder();
  const random = crypto.getRandomValues(new Uint8Array(20_000)).toHex();
  for (let index = 0; index < 10; index++)
    builder.add(index, checkedBody(encoder.encode(`${index}${random}`)), undefined);
  const [block] = builder.blocks();
  expect(block?.entries.length).toBe(10);
  expect(block?.packed.length).toBeLessThan(30_000);
});

test("values of credential fields are replaced before anything is compressed", () => {
  const sqlite = openDatabase(":memory:");
  const builder = new BlockBuilder();
  builder.add(0, checkedBody(encoder.encode('{"api_key":"c4n4ry","a":"ü"}')), checkedBody(encoder.encode("after")));
  for (const block of builder.blocks()) insertBlock(sqlite, block, [1]);
  const [stored] = blocksOf(sqlite);
  expect(stored === undefined ? undefined : bodiesIn(stored, 1)).toEqual({
    request: '{"api_key":"[REDACTED]","a":"ü"}',
    response: "after",
  });
  sqlite.close();
});

test("bodies of earlier versions are still read, and leave first when there are too many", async () => {
  const sqlite = openDatabase(bench.path());
  const columns = "id, started_at, duration_ns, status_code, stream, request_id, method, path, client_ip, data";
  for (const id of [1, 2, 3]) {
    sqlite.query(`INSERT INTO requests (${columns}) VALUES (?, 0, 0, 200, 0, '', '', '', '', '{}')`).run(id);
  }
  const old = Bun.zstdCompressSync("old");
  for (const id of [1, 2]) sqlite.query("INSERT INTO request_bodies VALUES (?, 100, ?, NULL)").run(id, old);
  const builder = new BlockBuilder();
  builder.add(0, checkedBody(encoder.encode("new")), undefined);
  let size = 0;
  for (const block of builder.blocks()) size += insertBlock(sqlite, block, [3]);
  addBodyBytes(sqlite, 200 + size);
  const questions = createQuestions(sqlite);
  const requestBodies = async () => Promise.all([1, 2, 3].map(async (id) => (await questions.detail(id))?.requestBody));

  expect(await requestBodies()).toEqual(["old", "old", "new"]);
  expect(evictOldestBodies(sqlite, 100 + size)).toBe(false);
  expect(await requestBodies()).toEqual([undefined, "old", "new"]);
  expect(evictOldestBodies(sqlite, size - 1)).toBe(false);
  expect(await requestBodies()).toEqual([undefined, undefined, undefined]);
  expect(storedBodyBytes(sqlite)).toBe(0);
  sqlite.close();
});
