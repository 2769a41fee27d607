// Which steps answer a request: routes, keys, model names, faults that heal, and plans kept for the next time.

import type { Clock } from "../core/clock.ts";
import type { Asked } from "./asked.ts";
import { sized, jsonType } from "./http-answer.ts";
import { headerLines, type RawRequest } from "./http-request-reader.ts";
import { errorJson } from "./json-answer.ts";
import { readModelName, type Instruction } from "./model-name.ts";
import type { RequestFacts } from "./request-facts.ts";
import { write, type Step } from "./step.ts";

export interface AnswerBookOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly models: readonly string[];
  readonly apiKey: string | undefined;
}

/** A model name that was used, with what is known about it. */
interface KnownModel {
  readonly instruction: Instruction | undefined;
  calls: number;
  /** By operation, mode and usage; only faulty answers, and only small ones. */
  readonly plans: Map<string, readonly Step[]>;
}

/** Names kept; callers may make up any number of them. */
const maxKnownModels = 10_000;
/** Bytes of a plan that is kept. */
const maxKeptPlan = 256 * 1024;

const healthy = readModelName("ok");

export class AnswerBook {
  readonly #options: AnswerBookOptions;
  readonly #known = new Map<string, KnownModel>();
  readonly #overrides = new Map<string, Instruction>();
  #listing: Instruction | undefined = healthy;

  constructor(options: AnswerBookOptions) {
    this.#options = options;
  }

  /** Throws a RangeError for what is no fault. */
  setFault(model: string, fault: string): void {
    this.#overrides.set(model, instructionOf(fault));
    this.#known.delete(model);
  }

  /** Throws a RangeError for what is no fault. */
  setListingFault(fault: string): void {
    this.#listing = instructionOf(fault);
  }

  /** Faults that heal are faulty again. */
  forgetCalls(): void {
    for (const model of this.#known.values()) model.calls = 0;
  }

  answer(request: RawRequest, facts: RequestFacts | undefined): readonly Step[] {
    if (!this.#keyIsRight(request)) return refuse(401, "Incorrect API key provided", "invalid_api_key");
    const path = request.target.split("?", 1)[0] ?? "";
    if (request.method === "GET" && path.endsWith("/models")) return this.#list();
    const operation = path.endsWith("/chat/completions")
      ? "chat"
      : path.endsWith("/embeddings")
        ? "embeddings"
        : undefined;
    if (operation === undefined || request.method !== "POST")
      return refuse(404, `Unknown route ${request.method} ${path}`, null);
    if (facts?.model === undefined) return refuse(400, "The body must be a JSON object with a model", null);
    return this.#answerModel(facts.model, operation, facts);
  }

  #keyIsRight(request: RawRequest): boolean {
    const { apiKey } = this.#options;
    if (apiKey === undefined) return true;
    return sentKeys(request.head).includes(apiKey);
  }

  #list(): readonly Step[] {
    const asked = this.#asked("", "models", "buffered", false);
    return this.#listing?.plan(asked, this.#options.clock.wallNow()) ?? [];
  }

  #answerModel(name: string, operation: "chat" | "embeddings", facts: RequestFacts): readonly Step[] {
    const model = this.#knownModel(name);
    const { instruction } = model;
    if (instruction === undefined) return refuse(404, `The simulator knows no fault named ${name}`, "model_not_found");
    model.calls += 1;
    const faulty = instruction.faultyCalls === undefined || model.calls <= instruction.faultyCalls;
    const mode = facts.stream && operation === "chat" ? "stream" : "buffered";
    if (faulty && !instruction.fault.modes.includes(mode)) {
      return refuse(400, `The fault ${instruction.fault.name} has no ${mode} form`, "fault_not_applicable");
    }
    const key = `${operation} ${mode} ${facts.includeUsage} ${faulty}`;
    const kept = facts.prefill === undefined ? model.plans.get(key) : undefined;
    if (kept !== undefined) return kept;
    const asked = this.#asked(name, operation, mode, facts.includeUsage, facts.prefill);
    const plan = faulty ? instruction.plan(asked, this.#options.clock.wallNow()) : instruction.planHealed(asked);
    const mayKeep = facts.prefill === undefined && !(faulty && instruction.dated);
    if (mayKeep && sizeOf(plan) <= maxKeptPlan) model.plans.set(key, plan);
    return plan;
  }

  #knownModel(name: string): KnownModel {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#known.size >= maxKnownModels) this.#known.clear();
    const model = { instruction: this.#overrides.get(name) ?? readModelName(name), calls: 0, plans: new Map() };
    this.#known.set(name, model);
    return model;
  }

  #asked(
    model: string,
    operation: Asked["operation"],
    mode: Asked["mode"],
    includeUsage: boolean,
    prefill?: string,
  ): Asked {
    const { models, seed } = this.#options;
    return { model, operation, mode, includeUsage, prefill, models, seed, extraHeaders: [], options: new Map() };
  }
}

function instructionOf(fault: string): Instruction {
  const instruction = readModelName(fault);
  if (instruction === undefined) throw new RangeError(`the simulator knows no fault named ${fault}`);
  return instruction;
}

/** As a bearer token or, for Azure, in a field of its own. */
function sentKeys(head: string): (string | undefined)[] {
  return headerLines(head).flatMap(([name, value]) => {
    const field = name.toLowerCase();
    if (field === "authorization") return [/^bearer (.*)$/i.exec(value)?.[1]];
    return field === "api-key" ? [value] : [];
  });
}

function refuse(status: number, message: string, code: string | null): readonly Step[] {
  const asked: Asked = {
    model: "",
    operation: "chat",
    mode: "buffered",
    includeUsage: false,
    prefill: undefined,
    models: [],
    extraHeaders: [],
    options: new Map(),
    seed: 0,
  };
  return [write(sized(asked, status, jsonType, errorJson(asked, message, status, code)))];
}

function sizeOf(plan: readonly Step[]): number {
  return plan.reduce((sum, step) => {
    if ("bytes" in step) return sum + step.bytes.length;
    return "pieces" in step ? sum + step.pieces.reduce((bytes, piece) => bytes + piece.length, 0) : sum;
  }, 0);
}
