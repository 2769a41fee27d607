// A whole answer of the hub, for a caller that speaks Responses.

import type { AnswerChoice, ChatAnswer } from "../../core/chat-answer.ts";
import type { AssistantPart, ProviderState, UnknownMembers } from "../../core/chat-request.ts";
import type { AnswerContext } from "../../core/translation.ts";
import { customToolNames } from "../hub/custom-tools.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import {
  annotationValues,
  callFacts,
  callValue,
  finishedInput,
  messageValue,
  reasoningValue,
  refusalValue,
  textValue,
  thoughtValue,
} from "./output-value.ts";
import type { ItemStatus } from "./output-value.ts";
import { incompleteReason } from "./finish-reason.ts";
import { endedResponse, responseFrame } from "./response-value.ts";
import { usageValue } from "./usage-value.ts";

const encoder = new TextEncoder();

/** Of several choices only the first: a Responses request cannot ask for more. */
export function encodeAnswer(answer: ChatAnswer, context: AnswerContext): Uint8Array {
  const [choice] = answer.choices;
  const output = choice === undefined ? [] : outputOf(choice, context);
  const frame = responseFrame(answer, context);
  return encoder.encode(JSON.stringify(endedResponse(frame, output, usageValue(answer.usage), choice?.finish)));
}

function outputOf(choice: AnswerChoice, context: AnswerContext): readonly unknown[] {
  const output: unknown[] = [];
  const customNames = customToolNames(context.request);
  const message = new Message(context, choice.unknown);
  // What was cut off is the last item.
  const refused = choice.parts.some(({ kind }) => kind === "refusal");
  const lastStatus = incompleteReason(choice.finish, refused) === undefined ? "completed" : "incomplete";
  const last = choice.parts.at(-1);
  for (const part of choice.parts) {
    if (message.take(part)) continue;
    message.end(output, "completed");
    pushItem(part, output, context, customNames, part === last ? lastStatus : "completed");
  }
  message.end(output, lastStatus);
  return output;
}

/** The text and the refusals that follow each other. */
class Message {
  readonly #context: AnswerContext;
  #unknown: UnknownMembers | undefined;
  #content: JsonObject[] = [];
  #state: ProviderState | undefined;

  constructor(context: AnswerContext, unknown: UnknownMembers | undefined) {
    this.#context = context;
    this.#unknown = unknown;
  }

  /** False: it is an item of its own. */
  take(part: AssistantPart): boolean {
    if (part.kind === "text") {
      if (part.text !== "" || part.logprobs !== undefined) {
        this.#content.push(textValue(part.text, annotationValues(part), part.logprobs ?? [], part.unknown));
      }
      this.#state = part.state ?? this.#state;
      return true;
    }
    if (part.kind === "refusal") this.#content.push(refusalValue(part.text, part.unknown));
    return part.kind === "refusal";
  }

  end(output: unknown[], status: ItemStatus): void {
    const state = this.#state;
    if (this.#content.length > 0) {
      output.push(messageValue(`msg_${this.#context.newId()}`, status, this.#content, state, this.#unknown));
      this.#unknown = undefined;
    }
    if (state !== undefined) output.push(thoughtValue(`rs_${this.#context.newId()}`, state, undefined));
    this.#content = [];
    this.#state = undefined;
  }
}

function pushItem(
  part: AssistantPart,
  output: unknown[],
  context: AnswerContext,
  customNames: ReadonlySet<string>,
  status: ItemStatus,
): void {
  switch (part.kind) {
    case "reasoning": {
      const { text, state, unknown } = part;
      const own = state?.issuer === "openai" && state.kind === "encrypted" ? state : undefined;
      const id = own?.id ?? `rs_${context.newId()}`;
      output.push(reasoningValue(id, text, own === undefined ? state : withoutId(own), unknown));
      return;
    }
    case "tool-call": {
      const call = callFacts(part.id === "" ? { ...part, id: `call_${context.newId()}` } : part, customNames);
      if (call.state !== undefined) output.push(thoughtValue(`rs_${context.newId()}`, call.state, call.id));
      const id = `${call.custom ? "ctc" : "fc"}_${context.newId()}`;
      output.push(callValue(id, status, call, finishedInput(call, part.arguments)));
      return;
    }
    case "opaque":
      // A block of another dialect has no item here.
      if (part.dialect === "responses") output.push(part.value);
      return;
    case "text":
    case "refusal":
    case "audio":
      return;
  }
}

/** The id stands at the item. */
function withoutId(state: ProviderState): ProviderState {
  return { issuer: state.issuer, kind: state.kind, value: state.value };
}
