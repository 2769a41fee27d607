import { expect, test } from "bun:test";
import { type OwnLoad, runOwnLoad } from "./own-load.ts";
import { encodeRequests } from "./requests.ts";

/** Two connections until 10 requests are sent. */
async function loadOn(answer: (body: string) => Response, change: Partial<OwnLoad> = {}) {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: async (request) => answer(await request.text()) });
  try {
    return await runOwnLoad({
      port: server.port ?? 0,
      requests: encodeRequests({ path: "/v1/chat/completions", bodyBytes: 600, stream: false, key: "k" }),
      connections: 2,
      durationMs: 10_000,
      spreadMs: 0,
      leastBodyBytes: 5,
      latencyUntil: "end",
      maxRequests: 10,
      ...change,
    });
  } finally {
    await server.stop(true);
  }
}

function streamed(pieces: readonly string[]): Response {
  return new Response(
    (async function* () {
      for (const piece of pieces) {
        yield piece;
        await Bun.sleep(1);
      }
    })(),
  );
}

test("whole answers are counted, and every request of the set differs", async () => {
  const bodies: string[] = [];
  const load = await loadOn((body) => {
    bodies.push(body);
    return new Response("right");
  });
  expect(load).toMatchObject({ answers: 10, wrong: 0 });
  expect(new Set(bodies).size).toBe(10);
  expect(bodies.map((body) => JSON.parse(body).model)).toEqual(Array.from({ length: 10 }, () => "smart"));
});

test("a chunked answer ends with its terminal chunk and not with a pause", async () => {
  expect(await loadOn(() => streamed(["data: 0\n\n", "data: [DONE]\n\n"]))).toMatchObject({ answers: 10, wrong: 0 });
});

test("other statuses and answers that are too short are wrong", async () => {
  expect(await loadOn(() => new Response("right", { status: 500 }))).toMatchObject({ answers: 0, wrong: 10 });
  expect(await loadOn(() => new Response("shor"))).toMatchObject({ answers: 0, wrong: 10 });
});

test("a port that nobody listens on makes every connection wrong", async () => {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  expect(await loadOn(() => new Response("right"), { port })).toMatchObject({ answers: 0, wrong: 2 });
});
