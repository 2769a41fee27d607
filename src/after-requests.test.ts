// What is left to do after requests is done for several together, soon, and at once for whoever wants to see it.

import { expect, test } from "bun:test";
import { FakeClock } from "../test/support/fake-clock.ts";
import { requestRecord } from "../test/support/request-record.ts";
import { AfterRequests, type EndedRequest } from "./after-requests.ts";

const wire = { uri: "/", host: "", bytesIn: 0, bytesOut: 0 };

function bench() {
  const clock = new FakeClock();
  const finished: string[] = [];
  const bugs: string[] = [];
  const finish = ({ record }: EndedRequest): void => {
    if (record.requestId === "broken") throw new Error("a mistake");
    finished.push(record.requestId);
  };
  const after = new AfterRequests(clock, finish, (error, requestId) => bugs.push(`${requestId}: ${String(error)}`));
  const end = (requestId: string, bodies: { requestBody?: Uint8Array; responseBody?: Uint8Array[] } = {}): void =>
    after.add({ record: requestRecord({ requestId, ...bodies }), wire });
  return { clock, finished, bugs, after, end };
}

test("a request alone is finished after 20 milliseconds", async () => {
  const { clock, finished, end } = bench();
  end("a");
  await clock.advance(19);
  expect(finished).toEqual([]);
  await clock.advance(1);
  expect(finished).toEqual(["a"]);
  expect(clock.pending).toBe(0);
});

test("twenty-five are finished at once, in the order in which they ended, each once", async () => {
  const { clock, finished, end } = bench();
  const names = Array.from({ length: 26 }, (_, index) => `request-${index}`);
  for (const name of names.slice(0, 24)) end(name);
  expect(finished).toEqual([]);
  for (const name of names.slice(24)) end(name);
  expect(finished).toEqual(names.slice(0, 25));
  await clock.advance(20);
  expect(finished).toEqual(names);
});

test("one that holds bodies does not wait, nor those before it", () => {
  const { clock, finished, end } = bench();
  end("a");
  end("b", { requestBody: new Uint8Array(1) });
  expect(finished).toEqual(["a", "b"]);
  end("c", { responseBody: [new Uint8Array(1)] });
  expect(finished).toEqual(["a", "b", "c"]);
  expect(clock.pending).toBe(0);
});

test("a mistake about one is told, and those beside it are finished", async () => {
  const { clock, finished, bugs, end } = bench();
  for (const name of ["a", "broken", "b"]) end(name);
  await clock.advance(20);
  expect(finished).toEqual(["a", "b"]);
  expect(bugs).toEqual(["broken: Error: a mistake"]);
});

test("whoever asks has all of them finished", async () => {
  const { clock, finished, after, end } = bench();
  end("a");
  end("b");
  after.finishAll();
  expect(finished).toEqual(["a", "b"]);
  await clock.advance(100);
  expect(finished).toEqual(["a", "b"]);
});
