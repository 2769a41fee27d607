// Replies on the wire: whatever it takes at a time, their reader gets every byte once, and nothing is asked for that it has no room for.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { ReplyHead, type ReplyStream } from "./reply.ts";
import { ReplyWriter } from "./reply-writer.ts";

/** A wire that takes what it is told to, one number per write; without one, everything. */
class TestWire {
  readonly taken: number[] = [];
  written = "";
  writes = 0;

  write(bytes: Uint8Array, offset: number, length: number): number {
    this.writes++;
    const size = Math.min(length, this.taken.shift() ?? length);
    if (size > 0) this.written += Buffer.from(bytes.subarray(offset, offset + size)).toString("latin1");
    return size;
  }
}

class TestStream implements ReplyStream {
  readonly first: Uint8Array;
  readonly stallTimeoutMs: number;
  readonly events: string[] = [];
  asked = 0;
  readonly #pieces: (Uint8Array | Promise<Uint8Array | undefined>)[];

  constructor(first: string, pieces: readonly (string | Promise<Uint8Array | undefined>)[], stallTimeoutMs = 0) {
    this.first = Buffer.from(first);
    this.stallTimeoutMs = stallTimeoutMs;
    this.#pieces = pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
  }

  next(): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    this.asked++;
    return this.#pieces.shift();
  }
  onPiece(piece: Uint8Array): void {
    this.events.push(`piece of ${piece.length}`);
  }
  onEnd(): void {
    this.events.push("end");
  }
  onLeft(): void {
    this.events.push("left");
  }
  onStall(): void {
    this.events.push("stall");
  }
}

function setUp() {
  const wire = new TestWire();
  const clock = new FakeClock();
  let written = 0;
  const mistakes: unknown[] = [];
  const owner = {
    replyWritten: () => void written++,
    mistake(error: unknown) {
      mistakes.push(error);
      writer.abandon();
    },
  };
  const writer = new ReplyWriter(wire, owner, clock);
  return { wire, clock, writer, mistakes, written: () => written };
}

/** The body that a chunked one stands for; throws when its framing is wrong or it has no end. */
function unchunked(text: string): string {
  let body = "";
  for (let at = 0; ;) {
    const lineEnd = text.indexOf("\r\n", at);
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    if (!/^[0-9a-f]+$/.test(text.slice(at, lineEnd))) throw new Error(`no size at ${at}`);
    const from = lineEnd + 2;
    if (text.slice(from + size, from + size + 2) !== "\r\n") throw new Error(`no line end at ${from + size}`);
    if (size === 0) {
      if (from + 2 !== text.length) throw new Error("something behind the end");
      return body;
    }
    body += text.slice(from, from + size);
    at = from + size + 2;
  }
}

const head = headOf(0);
const headText = textOf(head);

function headOf(fillerLength: number): ReplyHead {
  const headers = { "x-filler": "h".repeat(fillerLength) };
  return new ReplyHead({ status: 200, headers, body: undefined }, "none", false, 0);
}

function textOf(of: ReplyHead): string {
  const bytes = Buffer.alloc(of.length);
  expect(of.write(bytes, 0)).toBe(of.length);
  return bytes.toString("latin1");
}

describe("a whole reply", () => {
  test("leaves in one write at the end of the round, and is told to be written once", async () => {
    const { wire, writer, written } = setUp();
    writer.writeWhole(head, Buffer.from("body"));
    expect([wire.writes, written()]).toEqual([0, 0]);
    await new Promise((resolve) => setImmediate(resolve));
    expect([wire.writes, written(), wire.written]).toEqual([1, 1, `${headText}body`]);
  });

  test("without a body is its head alone", () => {
    const { wire, writer, written } = setUp();
    writer.writeWhole(head, undefined);
    writer.flush();
    expect([wire.written, written()]).toEqual([headText, 1]);
  });

  test("arrives whole and in order whatever the wire takes at a time", () => {
    const sizes = fc.array(fc.oneof(fc.nat(80), fc.integer({ min: 10_000, max: 70_000 })));
    const lengths = fc.constantFrom(0, 1, 65_500, 65_536, 200_000);
    fc.assert(
      fc.property(sizes, lengths, fc.constantFrom(20, 100_000), (taken, length, headLength) => {
        const { wire, writer, written } = setUp();
        wire.taken.push(...taken);
        const longHead = headOf(headLength);
        const body = Array.from({ length }, (_, index) => String.fromCharCode(97 + (index % 26))).join("");
        writer.writeWhole(longHead, Buffer.from(body));
        for (let count = 0; count < 1000 && written() === 0; count++) writer.flush();
        expect(wire.written === textOf(longHead) + body).toBe(true);
        expect(written()).toBe(1);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a pulled reply", () => {
  test("whose pieces are here leaves in one write, end included", () => {
    const { wire, writer, written } = setUp();
    const stream = new TestStream("one", ["two", "three"]);
    writer.writeStream(head, stream, true);
    writer.flush();
    expect(wire.written).toBe(`${headText}3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n`);
    expect([wire.writes, written()]).toEqual([1, 1]);
    expect(stream.events).toEqual(["piece of 3", "piece of 3", "piece of 5", "end"]);
  });

  test("without chunks is its pieces, one behind the other", () => {
    const { wire, writer, written } = setUp();
    writer.writeStream(head, new TestStream("one", ["two"]), false);
    writer.flush();
    expect([wire.written, written()]).toEqual([`${headText}onetwo`, 1]);
  });

  test("an empty piece is no end", () => {
    const { wire, writer } = setUp();
    writer.writeStream(head, new TestStream("", ["", "one"]), true);
    writer.flush();
    expect(unchunked(wire.written.slice(headText.length))).toBe("one");
  });

  test("writes each piece when it comes", async () => {
    const { wire, writer, written } = setUp();
    const later = Promise.withResolvers<Uint8Array | undefined>();
    writer.writeStream(head, new TestStream("one", [later.promise]), true);
    writer.flush();
    expect(wire.written).toBe(`${headText}3\r\none\r\n`);
    later.resolve(Buffer.from("two"));
    await later.promise;
    writer.flush();
    expect(wire.written).toBe(`${headText}3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n`);
    expect(written()).toBe(1);
  });

  test("asks for nothing more while its reader takes nothing", () => {
    const { wire, writer } = setUp();
    const stream = new TestStream("x".repeat(70_000), ["y".repeat(70_000), "z"]);
    wire.taken.push(1000);
    writer.writeStream(head, stream, true);
    expect(stream.asked).toBe(0);
    writer.flush();
    wire.taken.push(0);
    writer.flush();
    expect(stream.asked).toBe(0);
    wire.taken.push(100_000, 10);
    writer.flush();
    expect(stream.asked).toBe(1);
    writer.flush();
    expect(unchunked(wire.written.slice(headText.length))).toBe(`${"x".repeat(70_000)}${"y".repeat(70_000)}z`);
  });

  test("arrives whole and in order whatever the wire takes at a time", () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 150_000 }), { minLength: 1, maxLength: 8 });
    const sizes = fc.array(fc.oneof(fc.nat(80), fc.integer({ min: 10_000, max: 70_000 })));
    fc.assert(
      fc.property(pieces, sizes, (lengths, taken) => {
        const { wire, writer, written } = setUp();
        wire.taken.push(...taken);
        const texts = lengths.map((length, index) => String.fromCharCode(97 + index).repeat(length));
        writer.writeStream(head, new TestStream(texts[0] ?? "", texts.slice(1)), true);
        for (let count = 0; count < 1000 && written() === 0; count++) writer.flush();
        expect(unchunked(wire.written.slice(headText.length)) === texts.join("")).toBe(true);
        expect(written()).toBe(1);
      }),
      { numRuns: 100 },
    );
  });

  test.each(["at once", "later", "when it is kept"])(
    "whose source makes a mistake %s is not ended as if it were whole",
    async (when) => {
      const { writer, wire, mistakes, written } = setUp();
      const oops = new TypeError("oops");
      const stream = new TestStream(
        "one",
        when === "later" ? [Promise.reject(oops)] : [Promise.resolve(Buffer.from("two"))],
      );
      const fail = (): never => {
        throw oops;
      };
      if (when === "at once") stream.next = fail;
      writer.writeStream(head, stream, true);
      if (when === "when it is kept") stream.onPiece = fail;
      writer.flush();
      await new Promise((resolve) => setImmediate(resolve));
      writer.flush();
      expect([mistakes, written()]).toEqual([[oops], 0]);
      expect(stream.events.at(-1)).toBe("left");
      expect(wire.written).not.toContain("0\r\n\r\n");
    },
  );

  test("arrives as it was although the memory of a piece is used again for the next one", () => {
    const sizes = fc.array(fc.oneof(fc.nat(80), fc.integer({ min: 10_000, max: 70_000 })));
    const lengths = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(lengths, sizes, (pieces, taken) => {
        const { wire, writer, written } = setUp();
        wire.taken.push(...taken);
        const memory = Buffer.alloc(100_000);
        const piece = (index: number): Uint8Array => memory.fill(97 + index).subarray(0, pieces[index]);
        let given = 0;
        const stream = new TestStream("", []);
        stream.next = () => (given < pieces.length ? piece(given++) : undefined);
        writer.writeStream(head, stream, true);
        for (let count = 0; count < 1000 && written() === 0; count++) writer.flush();
        const expected = pieces.map((length, index) => String.fromCharCode(97 + index).repeat(length)).join("");
        expect(unchunked(wire.written.slice(headText.length)) === expected).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test("a reader that takes nothing for its limit is told, one that takes a byte now and then is not", async () => {
    const { wire, clock, writer } = setUp();
    const stream = new TestStream("x".repeat(1000), [], 1000);
    wire.taken.push(10);
    writer.writeStream(head, stream, true);
    writer.flush();
    expect(writer.blockedSince).toBe(clock.now());
    for (let count = 0; count < 5; count++) {
      await clock.advance(900);
      wire.taken.push(1);
      writer.flush();
    }
    expect(stream.events).not.toContain("stall");
    await clock.advance(1000);
    expect(stream.events).toContain("stall");
  });

  test("whose reader leaves tells its source, once, and takes no piece that comes later", async () => {
    const { wire, writer, written } = setUp();
    const later = Promise.withResolvers<Uint8Array | undefined>();
    const stream = new TestStream("one", [later.promise]);
    writer.writeStream(head, stream, true);
    writer.abandon();
    writer.abandon();
    later.resolve(Buffer.from("two"));
    await later.promise;
    writer.flush();
    expect(stream.events).toEqual(["piece of 3", "left"]);
    expect([wire.written, written()]).toEqual(["", 0]);
  });
});
