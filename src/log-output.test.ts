import { expect, test } from "bun:test";
import { FakeClock } from "../test/support/fake-clock.ts";
import { createLogOutput } from "./log-output.ts";

/** A pipe that takes so many bytes, then says EAGAIN until it is given room again. */
function pipe(room: number) {
  const written: Buffer[] = [];
  const state = { room, gone: false };
  return {
    state,
    bytes: () => Buffer.concat(written),
    text: () => Buffer.concat(written).toString(),
    writes: () => written.length,
    write(bytes: Uint8Array): number {
      if (state.gone) throw Object.assign(new Error("broken pipe"), { code: "EPIPE" });
      if (state.room === 0) throw Object.assign(new Error("try again"), { code: "EAGAIN" });
      const taken = bytes.subarray(0, state.room);
      state.room -= taken.length;
      written.push(Buffer.from(taken));
      return taken.length;
    },
  };
}

function outputTo(reader: ReturnType<typeof pipe>, direct = false) {
  const clock = new FakeClock();
  const dropped: number[] = [];
  const output = createLogOutput({
    write: (bytes) => reader.write(bytes),
    direct,
    clock,
    onDropped: (lines) => dropped.push(lines),
  });
  return { clock, dropped, output };
}

test("lines of 50 ms go out in one write, at once for somebody who watches", async () => {
  const [reader, watched] = [pipe(1000), pipe(1000)];
  const { clock, output } = outputTo(reader);
  output.write("a\n");
  output.write("b\n");
  expect(reader.writes()).toBe(0);
  await clock.advance(50);
  expect([reader.writes(), reader.text()]).toEqual([1, "a\nb\n"]);
  outputTo(watched, true).output.write("a\n");
  expect(watched.text()).toBe("a\n");
});

test("a slow reader gets every line whole and in order once it reads again", async () => {
  const reader = pipe(3);
  const { clock, dropped, output } = outputTo(reader);
  output.write("one\n");
  await clock.advance(50);
  output.write("two\n");
  await clock.advance(500);
  expect(reader.text()).toBe("one");
  reader.state.room = 1000;
  await clock.advance(100);
  expect(reader.text()).toBe("one\ntwo\n");
  expect(dropped).toEqual([]);
});

test("what exceeds 1 MB for a reader that does not read is dropped in whole lines and counted", async () => {
  const reader = pipe(0);
  const { clock, dropped, output } = outputTo(reader);
  const line = `${"x".repeat(1023)}\n`;
  for (let count = 0; count < 3000; count++) output.write(line);
  await clock.advance(1000);
  reader.state.room = Infinity;
  await clock.advance(200);
  const lines = reader.text().split("\n").slice(0, -1);
  expect(new Set(lines)).toEqual(new Set(["x".repeat(1023)]));
  expect(dropped).toEqual([3000 - lines.length]);
  expect(lines.length).toBeLessThan(1200);
});

test("a reader that is gone costs nothing and fails nobody", async () => {
  const reader = pipe(1000);
  const { clock, output } = outputTo(reader);
  reader.state.gone = true;
  output.write("a\n");
  await clock.advance(50);
  output.write("b\n");
  output.flush();
  expect(reader.text()).toBe("");
});

test("flush writes what waits", () => {
  const reader = pipe(1000);
  const { output } = outputTo(reader);
  output.write("last\n");
  output.flush();
  expect(reader.text()).toBe("last\n");
});

test("lines longer than what is gathered, and with any character, arrive whole and in order", async () => {
  const reader = pipe(100_000);
  const { clock, output } = outputTo(reader);
  const lines = ["short\n", `${"€".repeat(150_000)}\n`, "ü\n", `${"x".repeat(70_000)}\n`, "\u{1f600}\n"];
  for (const line of lines) output.write(line);
  for (let time = 0; time < 20; time++) {
    reader.state.room = 50_001;
    await clock.advance(50);
  }
  expect(reader.bytes().toString() === lines.join("")).toBe(true);
});
