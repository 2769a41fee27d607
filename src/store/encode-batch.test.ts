// What was encoded on one side comes out on the other, whatever the rows say and however large they are.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { encodeBatch } from "./encode-batch.ts";
import { bodiesOf, rowsOf } from "./rows-of-batch.ts";
import { RowPages } from "./row-pages.ts";
import { RoomView, SharedRoom } from "./shared-room.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Texts of which one in twenty is long. */
const textOf = (...times: number[]) =>
  fc
    .tuple(
      fc.string({ unit: "binary" }),
      fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, fc.constantFrom(...times)),
    )
    .map(([part, count]) => part.repeat(count));

/** Longer than a page, or than a chunk of the room. */
const text = textOf(9000, 300_000);

const row = fc.record({
  values: fc.array(fc.oneof(text, fc.integer(), fc.constant(null)), { maxLength: 3 }),
  data: fc.record({ text }),
  request: fc.option(textOf(9000), { nil: undefined }),
});

test("rows and bodies of batch after batch", () => {
  const pages = new RowPages();
  const room = new SharedRoom();
  const view = new RoomView();
  const piecesOf = (body: string | undefined): readonly Uint8Array[] =>
    body === undefined ? [] : [encoder.encode(body)];
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const entries = rows.map(({ values, data, request }) => ({
        row: pages.add({ values: JSON.stringify(values), data: JSON.stringify(data) }),
        bytes: 0,
        requestBody: piecesOf(request),
        responseBody: [],
      }));
      const batch = encodeBatch(entries, room);
      view.update(room.chunks());
      const found = rowsOf(batch, view);
      expect(found.values as unknown).toEqual(rows.map(({ values }) => values));
      const datas = found.data.map((bytes) => decoder.decode(bytes));
      expect(datas).toEqual(rows.map(({ data }) => JSON.stringify(data)));
      const bodies = bodiesOf(batch.bodies, view).map(({ index, request }) => [index, decoder.decode(request)]);
      // Lone surrogates are no UTF-8 to begin with.
      const sent = rows.flatMap(({ request }, index) =>
        request === undefined ? [] : [[index, request.toWellFormed()]],
      );
      expect(bodies).toEqual(sent);
    }),
    { numRuns: 200 },
  );
});

test("rows share pages, and each keeps what it says when others follow", () => {
  const pages = new RowPages();
  const rows = Array.from({ length: 500 }, (_, index) =>
    pages.add({ values: `[${index}]`, data: `{"n":"${"ü".repeat(index)}"}` }),
  );
  expect(new Set(rows.map(({ page }) => page)).size).toBeLessThan(20);
  rows.forEach(({ page, start, middle, end }, index) => {
    expect(page.toString("utf8", start, middle)).toBe(`[${index}]`);
    expect(page.toString("utf8", middle, end)).toBe(`{"n":"${"ü".repeat(index)}"}`);
  });
});
