// What real clients were recorded sending is understood by providers of other dialects: words, tools, calls and results arrive, and every loss has its reason.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { carriedContent, stringsOf } from "../support/carried-content.ts";
import { type RecordedCall, recordedCalls, recordedKey, replay, wholeAnswer } from "../support/client-recordings.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";
import { type ForeignTarget, translatedMembers } from "../support/translated-members.ts";

const modelOf: Readonly<Record<ForeignTarget, string>> = {
  anthropic: "claude-opus-4-8",
  gemini: "gemini-3-pro",
  openai: "gpt-5.1",
  chutes: "llama-3.3-70b",
};
const targets = Object.keys(modelOf) as ForeignTarget[];

let simulators: ReadonlyMap<ForeignTarget, Simulator>;
let gateway: RunningGateway;

beforeAll(async () => {
  simulators = new Map(targets.map((target) => [target, startSimulator()]));
  const providers: Record<string, object> = {};
  for (const [target, simulator] of simulators) {
    simulator.setFault(modelOf[target], "ok");
    const base_url = target === "gemini" ? simulator.origin : simulator.baseUrl;
    providers[target] = { type: target, base_url, api_key: `key-of-${target}`, models: [modelOf[target]] };
  }
  gateway = await startGateway(
    JSON.stringify({
      providers,
      models: { configured_provider_models_mode: "allowlist" },
      logging: { enabled: false },
    }),
    { GOMODEL_MASTER_KEY: recordedKey },
  );
});
afterAll(async () => {
  expect(gateway.logLines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
  await gateway.stop();
  await Promise.all([...simulators.values()].map((simulator) => simulator.stop()));
});

/** What no other provider can do, so that the caller is told instead. */
const refusals: readonly {
  when(call: RecordedCall, target: ForeignTarget): boolean;
  param: RegExp;
  message: RegExp;
}[] = [
  {
    // A compaction is the history in a form that only OpenAI can read.
    when: ({ body }) => /"type":"compaction(?:_trigger)?"/.test(JSON.stringify(body["input"] ?? "")),
    param: /./,
    message: /compaction(?:_trigger)?.* is not supported by provider (?:anthropic|gemini|chutes): /,
  },
  {
    // https://platform.claude.com/docs/en/build-with-claude/structured-outputs has no JSON without a schema.
    when: ({ body }, target) =>
      target === "anthropic" && JSON.stringify(body["response_format"] ?? "").includes("json_object"),
    param: /^response_format$/,
    message: /`response_format` is not supported by provider anthropic: give a schema/,
  },
];

interface Case {
  readonly title: string;
  readonly call: RecordedCall;
  readonly target: ForeignTarget;
}

const cases: readonly Case[] = recordedCalls.flatMap((call) =>
  targets
    .filter((target) => translatedMembers[call.dialect][target] !== undefined)
    .map((target) => ({ title: `${call.title} to ${target}`, call, target })),
);
const refusalOf = ({ call, target }: Case) => refusals.find(({ when }) => when(call, target));

function send({ call, target }: Case): Promise<Response> {
  simulators.get(target)?.reset();
  return replay(gateway.url, call, { ...call.body, model: `${target}/${modelOf[target]}` });
}

describe("a request that another dialect can say", () => {
  test.each(cases.filter((each) => refusalOf(each) === undefined))("$title", async (each) => {
    const { call, target } = each;
    const answer = await send(each);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(wholeAnswer(call))] as never);
    const [upstream, ...more] = simulators.get(target)?.calls ?? [];
    if (upstream === undefined || more.length > 0) throw new Error("not one call");
    for (const [name, value] of upstream.rawHeaders) {
      expect(`${name}: ${value}`).not.toContain(recordedKey);
      expect(name.toLowerCase()).not.toMatch(/^(?:anthropic-beta|openai-beta|x-claude|x-codex|session|thread)/);
    }
    const sent: unknown = JSON.parse(new TextDecoder().decode(upstream.body));
    const strings = stringsOf(sent);
    const missing = carriedContent(call).filter(({ text }) => !strings.some((string) => string.includes(text)));
    expect(missing).toEqual([]);
    expect(misplacedMembers(each, sent)).toEqual([]);
  });
});

describe("a request that no other dialect can say", () => {
  test.each(cases.filter((each) => refusalOf(each) !== undefined))(
    "$title is refused with the reason",
    async (each) => {
      const refusal = refusalOf(each);
      if (refusal === undefined) throw new Error("no reason is known");
      const answer = await send(each);
      const { error } = (await answer.json()) as { readonly error: Readonly<Record<string, string>> };
      expect([answer.status, error["type"]]).toEqual([400, "invalid_request_error"]);
      expect(error["param"]).toMatch(refusal.param);
      expect(error["message"]).toMatch(refusal.message);
      expect(simulators.get(each.target)?.calls).toEqual([]);
    },
  );
});

describe("what OpenAI's own tools did for codex", () => {
  const tool = recordedCalls.find(({ title }) => title === "codex 0.171.0, tool#2");
  const records = [
    { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "papaya" } },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "a papaya is a fruit" }] },
  ];

  test.each(["anthropic", "gemini", "chutes"] as const)(
    "is left out for %s, what came of it is not",
    async (target) => {
      if (tool === undefined) throw new Error("the recording is gone");
      const [first, ...rest] = tool.body["input"] as readonly unknown[];
      const call = { ...tool, body: { ...tool.body, input: [first, ...records, ...rest] } };
      const answer = await send({ title: "", call, target });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(wholeAnswer(call))] as never);
      const sent = new TextDecoder().decode(simulators.get(target)?.calls[0]?.body);
      expect([sent.includes("a papaya is a fruit"), sent.includes("web_search_call")]).toEqual([true, false]);
    },
  );
});

/** Values that ask for what happens anyway need no place. */
function asksForNothing(member: string, value: unknown, body: RecordedCall["body"]): boolean {
  const text = JSON.stringify(value);
  switch (member) {
    case "tools":
    case "text":
    case "include":
      return text === "[]" || text === "{}";
    case "tool_choice":
      return text === '"auto"' || text === '{"type":"auto"}';
    case "parallel_tool_calls":
      return value === true || JSON.stringify(body["tools"]) === "[]";
    case "stream":
      return value === false;
    case "reasoning":
      return text === '{"summary":"auto"}';
    default:
      return false;
  }
}

/** Members that are neither where the table says nor told to be lost, and those told to be lost that are there. */
function misplacedMembers({ call, target }: Case, sent: unknown): readonly string[] {
  const places = translatedMembers[call.dialect][target] ?? {};
  return Object.entries(call.body).flatMap(([member, value]) => {
    if (member === "model" || asksForNothing(member, value, call.body)) return [];
    const place = places[member === "text" && !("format" in Object(value)) ? "text.verbosity" : member];
    if (place === undefined) return [`${member} has no row in the table`];
    if ("lost" in place) return at(sent, member) === undefined ? [] : [`${member} is not lost`];
    return place.some((path) => at(sent, path) !== undefined) ? [] : [`${member} is at none of ${place.join(", ")}`];
  });
}

function at(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split(".")) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}
