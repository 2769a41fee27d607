// A stream that breaks at the first target is finished by another one: the caller gets each word once, within the time that the break took.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerText } from "../../src/upstream-simulator/answer-text.ts";
import { type Rescue, type RescueGateway, rescueGateway } from "../support/rescue-gateway.ts";

/** How long a rescue without any silence may take on a busy machine. */
const quickMs = 1500;
const idleMs = 300;

interface Case {
  readonly name: string;
  readonly does: string;
  readonly targets: Rescue;
  /** Words of the whole text. */
  readonly words: number;
  /** The break is noticed by our own limit on silence. */
  readonly silent?: true;
  /** Outcomes of the attempts. */
  readonly attempts: readonly string[];
}

const recovered = ["first failed", "recovery succeeded"];

const cases: readonly Case[] = [
  {
    name: "cut-40",
    does: "is cut after 40 of 60 words",
    targets: [
      ["a/cut-40", "cut-after-41~words=60"],
      ["b/cut-40", "ok-60"],
    ],
    words: 60,
    attempts: recovered,
  },
  {
    name: "cut-fin",
    does: "loses its connection after 40 words",
    targets: [
      ["a/cut-fin", "cut-after-41~words=60~end=fin"],
      ["b/cut-fin", "ok-60"],
    ],
    words: 60,
    attempts: recovered,
  },
  {
    name: "reset",
    does: "is reset in the middle",
    targets: [
      ["a/reset", "cut-after-31~words=60~end=reset"],
      ["b/reset", "ok-60"],
    ],
    words: 60,
    attempts: recovered,
  },
  {
    name: "in-event",
    does: "is cut inside an event",
    targets: [
      ["a/in-event", "cut-in-event-31~words=60"],
      ["b/in-event", "ok-60"],
    ],
    words: 60,
    attempts: recovered,
  },
  {
    name: "silent",
    does: "falls silent after 20 words",
    targets: [
      ["a/silent", "stall-21~words=60"],
      ["b/silent", "ok-60"],
    ],
    words: 60,
    silent: true,
    attempts: recovered,
  },
  {
    name: "in-band",
    does: "has an error event in the middle",
    targets: [
      ["a/in-band", "error-middle-503~words=60"],
      ["b/in-band", "ok-60"],
    ],
    words: 60,
    attempts: recovered,
  },
  {
    name: "in-band-401",
    does: "has an error event of a status that does not fail over before an answer",
    targets: [
      ["a/in-band-401", "error-middle-401~words=60"],
      ["b/in-band-401", "ok-60"],
    ],
    words: 60,
    attempts: recovered,
  },
  {
    name: "finish-error",
    does: "ends with the finish reason error",
    targets: [
      ["a/finish-error", "error-in-finish~words=60"],
      ["b/finish-error", "ok-60"],
    ],
    words: 60,
    attempts: recovered,
  },
  {
    name: "bytes",
    does: "is cut, and the second target sends every byte on its own",
    targets: [
      ["a/bytes", "cut-after-11"],
      ["b/bytes", "bytes"],
    ],
    words: 12,
    attempts: recovered,
  },
  {
    name: "twice",
    does: "is cut, and cut again later by the second target",
    targets: [
      ["a/twice", "cut-after-21~words=60"],
      ["b/twice", "cut-after-41~words=60~end=reset"],
      ["c/twice", "ok-60"],
    ],
    words: 60,
    attempts: ["first failed", "recovery failed", "recovery succeeded"],
  },
  {
    name: "earlier",
    does: "is cut, and cut before that place by the second target",
    targets: [
      ["a/earlier", "cut-after-41~words=60"],
      ["b/earlier", "cut-after-11~words=60"],
      ["c/earlier", "ok-60"],
    ],
    words: 60,
    attempts: ["first failed", "recovery failed", "recovery succeeded"],
  },
  {
    name: "down",
    does: "is cut, and the second target is down",
    targets: [
      ["a/down", "cut-after-41~words=60"],
      ["b/down", "status-500"],
      ["c/down", "ok-60"],
    ],
    words: 60,
    attempts: ["first failed", "recovery failed", "recovery succeeded"],
  },
  {
    name: "broken-event",
    does: "has one broken event and is whole otherwise",
    targets: [
      ["a/broken-event", "event-malformed-middle"],
      ["b/broken-event", "ok"],
    ],
    words: 12,
    attempts: ["first succeeded"],
  },
  {
    name: "no-done",
    does: "ends properly without [DONE]",
    targets: [
      ["a/no-done", "cut-before-done"],
      ["b/no-done", "ok"],
    ],
    words: 12,
    attempts: ["first succeeded"],
  },
];

let gateway: RescueGateway;

beforeAll(async () => {
  const rescues = Object.fromEntries(cases.map(({ name, targets }) => [name, targets]));
  gateway = await rescueGateway(
    {
      ...rescues,
      differs: [
        ["a/differs", "cut-after-5"],
        ["b/another", "ok"],
        ["c/differs", "ok"],
      ],
      tools: [
        ["a/tools", "cut-in-tool-call"],
        ["b/tools", "tools"],
      ],
      reasons: [
        ["a/reasons", "reasoning"],
        ["b/reasons", "reasoning"],
      ],
      alone: [
        ["a/alone", "cut-after-5"],
        ["b/alone", "status-500"],
      ],
    },
    { config: { logging: { enabled: true, flush_interval: "10ms" } } },
  );
});
afterAll(() => gateway.stop());

async function rowOf(id: string) {
  for (let count = 1; ; count++) {
    const row = (await gateway.rows(count)).find((each) => each.request_id === id);
    if (row !== undefined) return row;
  }
}

describe("a stream that", () => {
  test.each(cases)("$does is whole", async ({ name, targets, words, silent, attempts }) => {
    const id = crypto.randomUUID();
    const seen = await gateway.stream(name, {}, { headers: { "x-request-id": id } });
    expect(seen).toMatchObject({
      text: answerText(name, words),
      ids: [`chatcmpl-simulated-${name}`],
      roles: 1,
      finishes: 1,
      terminals: 1,
      error: undefined,
    });
    expect(seen.ms).toBeLessThan(quickMs);
    if (silent === true) expect(seen.ms).toBeGreaterThan(idleMs - 50);
    const { data, status_code, provider_name } = await rowOf(id);
    expect(data.attempts.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([...attempts]);
    expect(data.stream_recovery).toBe(attempts.length > 1 ? "recovered" : undefined);
    expect(data.stream_error).toBeUndefined();
    expect(status_code).toBe(200);
    expect(provider_name).toBe(targets[attempts.length - 1]?.[0].slice(0, 1) ?? "");
  });

  test("is cut and said differently by the second target ends in one error event; the third is not asked", async () => {
    const seen = await gateway.stream("differs");
    expect(seen).toMatchObject({ text: answerText("differs", 4), terminals: 0, error: { code: "stream_incomplete" } });
    expect(gateway.called("c")).not.toContain("differs");
    expect(await gateway.metric('gomodel_stream_recoveries_total{virtual_model="differs",outcome="diverged"}')).toBe(1);
  });

  test("is cut inside a tool call ends in stream_incomplete; nobody else is asked", async () => {
    const seen = await gateway.stream("tools");
    expect(seen).toMatchObject({ finishes: 0, terminals: 0, error: { code: "stream_incomplete" } });
    expect(gateway.called("b")).not.toContain("tools");
    expect(await gateway.metric('gomodel_stream_recoveries_total{virtual_model="tools",outcome="impossible"}')).toBe(1);
  });

  test("reasons and is whole passes as it is", async () => {
    expect(await gateway.stream("reasons")).toMatchObject({ text: "done thinking", finishes: 1, terminals: 1 });
  });

  test("is cut where nobody else can be had ends in stream_incomplete, and the row says why", async () => {
    const id = crypto.randomUUID();
    const seen = await gateway.stream("alone", {}, { headers: { "x-request-id": id } });
    expect(seen).toMatchObject({ text: answerText("alone", 4), terminals: 0, error: { code: "stream_incomplete" } });
    const { data } = await rowOf(id);
    expect(data).toMatchObject({ stream_recovery: "exhausted", stream_error: seen.error?.message });
  });
});

test("rescues are counted by their outcome, whole streams are not", async () => {
  const counted = (name: string) =>
    gateway.metric(`gomodel_stream_recoveries_total{virtual_model="${name}",outcome="recovered"}`);
  await gateway.stream("cut-40");
  const before = (await counted("cut-40")) ?? 0;
  await gateway.stream("cut-40");
  expect(await counted("cut-40")).toBe(before + 1);
  expect(await counted("no-done")).toBeUndefined();
});
