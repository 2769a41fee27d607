// Messages streams through the real gateway: cut and split at every byte, and gone on with at another target.

import { describe, expect, test } from "bun:test";
import { ChatProvider, type ChatScript } from "../../../test/support/chat-provider.ts";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import {
  blockDelta,
  blockStart,
  blockStop,
  errorEventOf,
  messageDelta,
  messagesAnswer,
  messageStart,
  messageStop,
  ping,
  textDelta,
} from "../../../test/support/messages-events.ts";
import { recoveryBench } from "../../../test/support/recovery-bench.ts";
import { deliverPieces } from "../../../test/streams/deliver-pieces.ts";
import { messagesClientDialect } from "./client-dialect.ts";
import { createMessagesStreamReader } from "./stream-reader.ts";

const encoder = new TextEncoder();

const streams: readonly (readonly [name: string, events: readonly string[]])[] = [
  ["text", messagesAnswer("a", "Wörld 😀!")],
  [
    "a tool call between pings",
    [
      ping,
      messageStart(),
      blockStart(0, { type: "tool_use", id: "toolu_1", name: "f", input: {} }),
      blockDelta({ type: "input_json_delta", partial_json: '{"a":1}' }),
      blockStop(),
      ping,
      messageDelta("tool_use"),
      messageStop,
    ],
  ],
];

const brokenEvent =
  /^event: error\ndata: \{"type":"error","error":\{"type":"api_error","message":"[^"]+","code":"stream_incomplete"\}\}\n\n$/;

describe.each(streams)("a stream of %s", (_name, events) => {
  const whole = events.join("");
  const bytes = encoder.encode(whole);
  const relayed = whole.slice(whole.indexOf("event: message_start"));
  /** Behind the data of the event that has the stop reason, the answer is whole. */
  const finished = encoder.encode(whole.slice(0, whole.indexOf("event: message_stop")).trimEnd()).length;

  test.each(["end", "reset"] as const)(
    "cut at every byte by an %s has one end and nothing behind it",
    async (ending) => {
      for (let cut = 0; cut <= bytes.length; cut++) {
        const reader = createMessagesStreamReader({ providerName: "up" });
        const delivery = await deliverPieces({
          pieces: [bytes.slice(0, cut)],
          ending,
          cutUsageEvent: false,
          waits: () => false,
          speaks: { operation: "messages", dialect: messagesClientDialect, reader },
        });
        const text = delivery.bytes.toString();
        const mark = `cut at ${cut}`;
        expect([mark, delivery.connectionEnded, delivery.timers, delivery.verdicts.length]).toEqual([mark, true, 0, 1]);
        if (delivery.refusal !== undefined) {
          expect([mark, text, delivery.turn.outcome]).toEqual([mark, "", "failed"]);
          continue;
        }
        const { outcome } = delivery.turn;
        // A reset takes what has no blank line behind it; with the stop reason the answer is whole all the same.
        const isWhole = cut >= (ending === "end" ? finished : finished + 2);
        expect([mark, outcome]).toEqual([mark, isWhole ? "succeeded" : "truncated"]);
        if (isWhole) expect(text).toBe(relayed);
        else {
          const good = text.slice(0, text.lastIndexOf("event: error"));
          expect(relayed.startsWith(good)).toBe(true);
          expect(text.slice(good.length)).toMatch(brokenEvent);
        }
      }
    },
  );

  test("split at every byte is the same stream", async () => {
    for (let at = 0; at <= bytes.length; at++) {
      const reader = createMessagesStreamReader({ providerName: "up" });
      const delivery = await deliverPieces({
        pieces: [bytes.slice(0, at), bytes.slice(at)],
        ending: "end",
        cutUsageEvent: false,
        waits: (read) => read === 1,
        speaks: { operation: "messages", dialect: messagesClientDialect, reader },
      });
      if (delivery.bytes.toString() !== relayed) throw new Error(`differs when split at ${at}`);
    }
  });
});

describe("a stream that breaks at the first of two targets", () => {
  const text = "The quick brown fox";

  function setUp(first: ChatScript, second: (prefill: string | undefined) => ChatScript, prefill: boolean) {
    const clock = new FakeClock();
    const reader = createMessagesStreamReader;
    const providers = [
      new ChatProvider("a", clock, [first], { reader }),
      new ChatProvider("b", clock, (asked) => second(asked.prefill), {
        reader,
        ...(prefill ? { prefill: "prefill" } : {}),
      }),
    ];
    return recoveryBench(clock, providers, { dialect: messagesClientDialect }).stream({}, { operation: "messages" });
  }

  const begun = messagesAnswer("a", text).slice(0, 4);

  test.each([
    ["cut off", [...begun, "CUT"]],
    ["with an error event", [...begun, errorEventOf("overloaded_error", "Overloaded")]],
    ["silent", [...begun, "IDLE"]],
    ["ended early", begun],
  ])("%s, is finished by the second one, asked to go on or from nothing", async (_name, first) => {
    for (const mayPrefill of [true, false]) {
      const call = setUp(first, (prefill) => messagesAnswer("b", text.slice(prefill?.length ?? 0)), mayPrefill);
      const got = await call.bytes();
      const [good, end] = got.split("event: content_block_stop");
      expect(good).toBe(begun.join("") + textDelta(" brown") + textDelta(" fox"));
      expect(end).toContain('"stop_reason":"end_turn"');
      expect(got.endsWith(messageStop)).toBe(true);
      expect(call.record).toMatchObject({ streamRecovery: "recovered", failure: undefined });
    }
  });

  test("and cannot be gone on with has one error event behind what was good of it", async () => {
    const call = setUp([...begun, "CUT"], () => messagesAnswer("b", "The slow green ox"), false);
    const got = await call.bytes();
    expect(got.slice(0, begun.join("").length)).toBe(begun.join(""));
    expect(got.slice(begun.join("").length)).toMatch(brokenEvent);
    expect(call.record.streamRecovery).toBe("diverged");
  });
});
