// A request arrives whole and once, however little the wire takes at a time.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { EditedBytes, type OutgoingBytes } from "../../core/edited-bytes.ts";
import { RequestWriter } from "./request-writer.ts";
import type { Wire } from "./wire.ts";

/** Takes no more than `sizes` say, one after the other and over again. */
function wireTaking(sizes: readonly number[]): Wire & { readonly taken: number[]; writes: number } {
  const taken: number[] = [];
  return {
    taken,
    writes: 0,
    write(bytes, offset, length) {
      const size = Math.min(length, sizes[this.writes++ % sizes.length] ?? 0);
      for (let index = 0; index < size; index++) taken.push(bytes[offset + index] ?? 0);
      return size;
    },
    pause() {},
    resume() {},
    end() {},
    terminate() {},
  };
}

const head = {
  bytes: Buffer.from("POST /x HTTP/1.1\r\nhost: h\r\n"),
  callLines: "x-request-id: 1\r\n",
  takesLength: true,
};

function writerOf(body: OutgoingBytes | undefined): RequestWriter {
  const writer = new RequestWriter();
  writer.take(head, body);
  expect(writer.sent).toBe(false);
  return writer;
}

function sentOver(wire: ReturnType<typeof wireTaking>, body: OutgoingBytes | undefined): string {
  const writer = writerOf(body);
  while (!writer.finished) expect(writer.write(wire)).toBe(true);
  expect(writer.sent).toBe(true);
  return Buffer.from(wire.taken).toString();
}

function bodies(length: number): readonly OutgoingBytes[] {
  const text = '{"model":"smart","text":"é"}'.padEnd(length);
  const source = Buffer.from(text);
  const parts = new EditedBytes(source);
  const name = source.indexOf('"smart"');
  parts.keep(0, name);
  parts.add('"gpt-é"');
  parts.keep(name + '"smart"'.length, source.length);
  return [source, parts];
}

test("whatever the wire takes at a time, all of it arrives in order", () => {
  const sizes = fc.array(fc.oneof(fc.nat(80), fc.integer({ min: 10_000, max: 100_000 })), { minLength: 1 });
  fc.assert(
    fc.property(sizes, fc.constantFrom(0, 100, 65_400, 65_536, 200_000), (taken, length) => {
      for (const body of bodies(length)) {
        const expected = body instanceof Uint8Array ? body : body.joined();
        const wire = wireTaking([...taken, 5_000]);
        expect(sentOver(wire, body) === `${headText(expected.length)}${Buffer.from(expected).toString()}`).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});

test("what fits into 64 kB leaves in one write, and nothing is copied for later when the wire takes it", () => {
  for (const body of bodies(60_000)) {
    const wire = wireTaking([Infinity]);
    sentOver(wire, body);
    expect(wire.writes).toBe(1);
  }
});

test("an empty body and none are sent with the head alone", () => {
  for (const body of [undefined, new Uint8Array()]) {
    const wire = wireTaking([Infinity]);
    expect(sentOver(wire, body)).toBe(headText(0));
    expect(wire.writes).toBe(1);
  }
});

test("a closed wire is told, at the start and later", () => {
  const [body] = bodies(200_000);
  expect(writerOf(body).write(wireTaking([-1]))).toBe(false);
  const writer = writerOf(body);
  expect(writer.write(wireTaking([1000]))).toBe(true);
  expect(writer.write(wireTaking([-1]))).toBe(false);
  expect(writer.finished).toBe(false);
});

function headText(length: number): string {
  return `POST /x HTTP/1.1\r\nhost: h\r\nx-request-id: 1\r\ncontent-length: ${length}\r\n\r\n`;
}
