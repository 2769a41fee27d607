// Which steps answer a request: routes, keys, model names, faults that heal, and plans kept for the next time.

import type { Clock } from "../core/clock.ts";
import type { Dialect } from "../core/chat-request.ts";
import type { Asked, AskedOperation } from "./asked.ts";
import { sized, jsonType } from "./http-answer.ts";
import { headerLines, type RawRequest } from "./http-request-reader.ts";
import { errorJson } from "./json-answer.ts";
import { readModelName, type Instruction } from "./model-name.ts";
import type { RequestFacts } from "./request-facts.ts";
import { dialectOfUnknown, type Route } from "./route.ts";
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
  /** By dialect, operation, mode and usage; only faulty answers, and only small ones. */
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

  answer(request: RawRequest, route: Route | undefined, facts: RequestFacts | undefined): readonly Step[] {
    const dialect = route?.dialect ?? dialectOfUnknown(request.target);
    if (!this.#keyIsRight(request)) return refuse(dialect, 401, "Incorrect API key provided", "invalid_api_key");
    if (route === undefined) {
      const path = request.target.split("?", 1)[0] ?? "";
      return refuse(dialect, 404, `Unknown route ${request.method} ${path}`, null);
    }
    if (route.operation === "models") return this.#list(dialect);
    if (facts?.model === undefined) return refuse(dialect, 400, "The body must be a JSON object with a model", null);
    return this.#answerModel(facts.model, route, facts);
  }

  #keyIsRight(request: RawRequest): boolean {
    const { apiKey } = this.#options;
    if (apiKey === undefined) return true;
    return sentKeys(request.head).includes(apiKey);
  }

  #list(dialect: Dialect): readonly Step[] {
    const asked = this.#asked("", { dialect, operation: "models" }, "buffered", noFacts);
    return this.#listing?.plan(asked, this.#options.clock.wallNow()) ?? [];
  }

  #answerModel(name: string, { dialect, operation }: Route, facts: RequestFacts): readonly Step[] {
    const model = this.#knownModel(name);
    const { instruction } = model;
    if (instruction === undefined) {
      return refuse(dialect, 404, `The simulator knows no fault named ${name}`, "model_not_found");
    }
    model.calls += 1;
    const faulty = instruction.faultyCalls === undefined || model.calls <= instruction.faultyCalls;
    const mode = facts.stream && operation === "answer" ? "stream" : "buffered";
    if (faulty && !instruction.fault.formsIn(dialect).includes(mode)) {
      const where = dialect === "chat-completions" ? mode : `${dialect} ${mode}`;
      return refuse(dialect, 400, `The fault ${instruction.fault.name} has no ${where} form`, "fault_not_applicable");
    }
    const key = `${dialect} ${operation} ${mode} ${facts.includeUsage} ${facts.hasToolResult} ${facts.tools.join()} ${faulty}`;
    const kept = facts.prefill === undefined ? model.plans.get(key) : undefined;
    if (kept !== undefined) return kept;
    const asked = this.#asked(name, { dialect, operation }, mode, facts);
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
    route: { readonly dialect: Dialect; readonly operation: AskedOperation },
    mode: Asked["mode"],
    { includeUsage, prefill, hasToolResult, tools }: AskedFacts,
  ): Asked {
    const { models, seed } = this.#options;
    const { dialect, operation } = route;
    const given = { model, dialect, operation, mode, includeUsage, prefill, hasToolResult, tools };
    return { ...given, models, seed, extraHeaders: [], options: new Map() };
  }
}

type AskedFacts = Pick<RequestFacts, "includeUsage" | "prefill" | "hasToolResult" | "tools">;

const noFacts: AskedFacts = { includeUsage: false, prefill: undefined, hasToolResult: false, tools: [] };

function instructionOf(fault: string): Instruction {
  const instruction = readModelName(fault);
  if (instruction === undefined) throw new RangeError(`the simulator knows no fault named ${fault}`);
  return instruction;
}

const keyFields = ["api-key", "x-api-key", "x-goog-api-key"];

/** As a bearer token or, for Azure, Anthropic and Google, in a field of its own. */
function sentKeys(head: string): (string | undefined)[] {
  return headerLines(head).flatMap(([name, value]) => {
    const field = name.toLowerCase();
    if (field === "authorization") return [/^bearer (.*)$/i.exec(value)?.[1]];
    return keyFields.includes(field) ? [value] : [];
  });
}

function refuse(dialect: Dialect, status: number, message: string, code: string | null): readonly Step[] {
  const asked: Asked = {
    model: "",
    dialect,
    operation: "answer",
    mode: "buffered",
    ...noFacts,
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
