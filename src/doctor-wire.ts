// What the type of a configured provider says of it: in which dialect a chat completion reaches it, and what it makes of a text to go on from.

import type { Config } from "./config/config.ts";
import type { Dialect } from "./core/chat-request.ts";
import type { Clock } from "./core/clock.ts";
import type { Target } from "./core/target.ts";
import type { ProviderWire } from "./providers/provider-type.ts";
import { providerTypes } from "./providers/registry.ts";
import { createHttpClient } from "./providers/upstream/client.ts";

export function wireOf(config: Config, providerName: string, clock: Clock): ProviderWire | undefined {
  const provider = config.providers.find(({ name }) => name === providerName);
  const type = providerTypes.find(({ info }) => info.type === provider?.type);
  const tools = { http: createHttpClient({ clock }), clock };
  return provider === undefined ? undefined : type?.createWire(provider, tools);
}

/** Callers of the doctor speak chat completions; who does not speak them is asked in the first dialect that it names. */
export function spokenBy(config: Config, { providerName, model }: Target, clock: Clock): Dialect {
  const [first = "chat-completions", ...others] = wireOf(config, providerName, clock)?.speaks?.(model) ?? [];
  return others.includes("chat-completions") ? "chat-completions" : first;
}
