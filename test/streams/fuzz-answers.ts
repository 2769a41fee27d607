// Whole answers of every provider's dialect, damaged, through the translation to every caller's.

import { Buffer } from "node:buffer";
import fc from "fast-check";
import type { Dialect } from "../../src/core/chat-request.ts";
import type { ReadStep } from "../../src/core/provider.ts";
import { allPairs } from "../golden/pairs/all-pairs.ts";
import { asked, estimate, now, targets, type Json } from "../golden/pairs/pair.ts";
import { broken, fault } from "../golden/responses/broken.ts";
import { answerReader, callerRequest, type CallerDialect } from "../support/translated-exchange.ts";

interface DamagedAnswer {
  readonly body: Uint8Array;
  readonly cut: number;
}

export function damagedAnswer(provider: Dialect): fc.Arbitrary<DamagedAnswer> {
  const answers = allPairs.filter((pair) => pair.provider === provider).map(({ answer }) => answer);
  return fc
    .record({
      answer: fc.constantFrom(...answers),
      faults: fc.array(fault, { minLength: 1, maxLength: 3 }),
      lost: fc.constantFrom(0, 0, 0, 0, 1, 30),
      cut: fc.nat(),
    })
    .map(({ answer, faults, lost, cut }) => {
      const damaged = faults.reduce((value: unknown, mistake) => broken(value, mistake), answer);
      const whole = Buffer.from(JSON.stringify(damaged));
      const body = new Uint8Array(whole.subarray(0, whole.length - Math.min(lost, whole.length)));
      return { body, cut: cut % (body.length + 1) };
    });
}

const requests: Readonly<Record<CallerDialect, Json>> = {
  "chat-completions": { messages: [{ role: "user", content: "Hi" }] },
  responses: { input: "Hi", tools: [{ type: "custom", name: "weather" }] },
  messages: { messages: [{ role: "user", content: "Hi" }], max_tokens: 5, stop_sequences: ["o"] },
};

/** Throws for a crash, for more than one answer, and for what is no answer of the caller's dialect. */
export function judgeAnswer(
  caller: CallerDialect,
  provider: Dialect,
  { body, cut }: DamagedAnswer,
): "given" | "refused" {
  const reader = answerReader({
    caller,
    provider,
    target: targets[provider],
    request: callerRequest(caller, { model: asked, ...requests[caller] }),
    madeUp: { newId: () => "new", now, inputTokens: estimate },
  });
  const steps: readonly ReadStep[] = [reader.push(body.slice(0, cut)), reader.push(body.slice(cut)), reader.end()];
  const failure = steps.find((step) => step.failure !== undefined)?.failure;
  const relays = steps.map(({ relay }) => relay).filter((relay) => relay !== undefined);
  if (failure?.origin === "bug") throw new Error(String(failure.cause), { cause: failure.cause });
  if (relays.length !== (failure === undefined ? 1 : 0)) throw new Error(`${relays.length} answers`);
  const [given] = relays;
  if (given === undefined) return "refused";
  const answer = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(given)) as Json;
  if (!isAnswer(caller, answer)) throw new Error(`no answer of ${caller}: ${JSON.stringify(answer)}`);
  return "given";
}

function isAnswer(caller: CallerDialect, answer: Json): boolean {
  const { id, model, usage, choices, output, content } = answer;
  if (typeof id !== "string" || id === "" || typeof model !== "string") return false;
  switch (caller) {
    case "chat-completions":
      return answer.object === "chat.completion" && Array.isArray(choices) && choices.every(isChoice);
    case "responses":
      return (
        answer.object === "response" && /^(?:completed|incomplete)$/.test(String(answer.status)) && isItems(output)
      );
    case "messages":
      return answer.type === "message" && typeof usage === "object" && isItems(content) && isReason(answer.stop_reason);
  }
}

function isChoice(choice: Json): boolean {
  const { message, index, finish_reason: reason } = choice;
  return typeof message === "object" && Number.isInteger(index) && isReason(reason);
}

function isReason(reason: unknown): boolean {
  return typeof reason === "string" && reason !== "";
}

function isItems(items: unknown): boolean {
  return Array.isArray(items) && items.every((item: Json) => typeof item.type === "string");
}
