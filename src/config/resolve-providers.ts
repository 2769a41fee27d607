// Provider blocks -> providers that can be called; the others with the reason why not.

import type { ConfigProblem } from "../core/config-problem.ts";
import type { ConfiguredModel, ProviderConfig, ProviderTypeInfo } from "../core/provider-config.ts";
import { urlByOptions } from "../core/regional-url.ts";
import { nearest } from "./did-you-mean.ts";
import { maskUrl } from "./mask.ts";
import { nodeAt, whereText } from "./node.ts";
import type { MapNode } from "./node.ts";
import { isNotYetType } from "./not-yet.ts";
import { resiliencePolicy, upstreamLimits } from "./policies.ts";
import { priceOf, tierComplaint } from "./price.ts";
import { proxyComplaint } from "./proxy-address.ts";
import { optionsOf } from "./own-options.ts";
import { plainValue } from "./read-settings.ts";
import type { ProviderBlock } from "./read-settings.ts";
import { resilienceSection } from "./schema/resilience.ts";
import { httpSection } from "./schema/traffic.ts";
import type { TypeOptions } from "./type-options.ts";

export interface ResolvedProviders {
  readonly providers: readonly ProviderConfig[];
  readonly problems: readonly ConfigProblem[];
}

export interface ProviderSources {
  /** Blocks as zod read them. */
  readonly blocks: ReadonlyMap<string, ProviderBlock>;
  readonly root: MapNode;
  /** The same with the whole `resilience` and `http` in each block; see `inherit.ts`. */
  readonly inherited: MapNode;
  /** Providers left out because a `${VAR}` in them is not set. */
  readonly unresolved: ReadonlySet<string>;
  readonly types: readonly ProviderTypeInfo[];
  readonly options: TypeOptions;
  readonly strict: boolean;
}

/** One provider's way through the checks. */
interface Candidate {
  readonly name: string;
  readonly block: ProviderBlock;
  report(severity: "error" | "warning", message: string, ...inside: (string | number)[]): undefined;
}

export function resolveProviders(sources: ProviderSources): ResolvedProviders {
  const problems: ConfigProblem[] = [];
  const providers = [...sources.blocks].flatMap(([name, block]) => {
    const candidate: Candidate = {
      name,
      block,
      report(severity, message, ...inside) {
        const path = ["providers", name, ...inside];
        const where = whereText(nodeAt(sources.root, path).node.origin, path);
        problems.push({ where, message, severity });
        return undefined;
      },
    };
    const provider = resolve(candidate, sources);
    return provider === undefined ? [] : [provider];
  });
  return { providers, problems };
}

function resolve(candidate: Candidate, sources: ProviderSources): ProviderConfig | undefined {
  const { name, block, report } = candidate;
  if (name.trim() === "" || name.includes("/")) {
    return report("error", `"${name}" is not a provider name; it must not be empty and not contain /`);
  }
  const type = typeInfo(candidate, sources);
  const headers = upstreamHeaders(candidate);
  const models = configuredModels(candidate);
  if (block.retries !== undefined && block.resilience?.retry?.max_retries !== undefined) {
    report("warning", "has no effect beside resilience.retry.max_retries", "retries");
  }
  if (type === undefined || sources.unresolved.has(name)) return undefined;
  if (block.api_version !== undefined && type.defaultApiVersion === undefined) {
    report("warning", `has no effect: type ${type.type} has no API versions`, "api_version");
  }
  const variables = sources.options.get(type.type) ?? {};
  const options = optionsOf(name, block, type, variables, (severity, message, key) => report(severity, message, key));
  const missing = (type.enabledByOptions ?? []).filter((variable) => options[variable] === undefined);
  if (missing.length > 0) {
    return report(
      "warning",
      `provider "${name}" is left out: set ${missing.map((variable) => settingName(type, variable)).join(" and ")}`,
    );
  }
  const baseUrl = block.base_url ?? urlFromOptions(type, options) ?? type.defaultBaseUrl;
  if (baseUrl === undefined) return report("error", `"base_url" is missing; type ${type.type} has no default`);
  const apiKeys = [...new Set([...(block.api_key === undefined ? [] : [block.api_key]), ...(block.api_keys ?? [])])];
  if (apiKeys.length === 0 && needsKey(type, block)) {
    const prefix = type.type.toUpperCase().replaceAll("-", "_");
    const variable = name === type.type ? ` or set ${prefix}_API_KEY` : "";
    return report("warning", `provider "${name}" is left out: it has no api_key; give one${variable}`);
  }
  const proxyProblem = block.proxy_url === undefined ? undefined : proxyComplaint(block.proxy_url);
  if (block.proxy_url !== undefined && proxyProblem !== undefined) {
    const shown = maskUrl(block.proxy_url);
    return report("warning", `provider "${name}" is left out: proxy_url "${shown}" ${proxyProblem}`, "proxy_url");
  }
  const inherited = (key: string): unknown => plainValue(nodeAt(sources.inherited, ["providers", name, key]).node);
  const resilience = resilienceSection.safeParse(inherited("resilience")).data;
  const http = httpSection.safeParse(inherited("http")).data;
  // Unreadable only when a global block is, which is reported there.
  if (resilience === undefined || http === undefined) return undefined;
  return {
    name,
    type: type.type,
    baseUrl,
    apiKeys,
    proxyUrl: block.proxy_url,
    apiVersion: type.defaultApiVersion === undefined ? undefined : (block.api_version ?? type.defaultApiVersion),
    customUpstreamHeaders: headers,
    models,
    options,
    resilience: resiliencePolicy(resilience),
    limits: upstreamLimits(http),
    supportsPrefill: block.supports_prefill,
  };
}

function urlFromOptions({ regionalUrl }: ProviderTypeInfo, options: Readonly<Record<string, string>>) {
  return regionalUrl === undefined ? undefined : urlByOptions(regionalUrl, options);
}

/** As an operator may give it: `vertex_project or VERTEX_PROJECT`. */
function settingName(type: ProviderTypeInfo, variable: string): string {
  const key = type.options?.find((option) => option.variable === variable)?.key;
  return key === undefined ? variable : `${key} (or ${variable})`;
}

function needsKey(type: ProviderTypeInfo, block: ProviderBlock): boolean {
  return type.apiKey === "required" || (type.apiKey === "unless-base-url" && block.base_url === undefined);
}

function typeInfo({ name, block, report }: Candidate, sources: ProviderSources): ProviderTypeInfo | undefined {
  const wanted = block.type ?? name;
  const found = sources.types.find(({ type }) => type === wanted);
  if (found !== undefined) return found;
  const names = sources.types.map(({ type }) => type);
  const allowed = `allowed: ${names.join(", ")}`;
  if (isNotYetType(wanted)) {
    // Like an unknown key: a warning only where those are.
    const severity = sources.strict ? "error" : "warning";
    return report(severity, `provider type "${wanted}" is not in this version yet; ${allowed}`, "type");
  }
  if (block.type === undefined) return report("error", `"type" is missing; ${allowed}`);
  const near = nearest(wanted, names);
  const hint = near === undefined ? "" : `; did you mean "${near}"?`;
  return report("error", `"${wanted}" is not a provider type; ${allowed}${hint}`, "type");
}

/** Set by the HTTP client for each call. */
const ownHeaders = /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect)$/i;

function upstreamHeaders({ block, report }: Candidate): ProviderConfig["customUpstreamHeaders"] {
  const headers = Object.entries(block.custom_upstream_headers ?? {});
  for (const [name] of headers) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      report("error", `"${name}" is not a header name`, "custom_upstream_headers", name);
    } else if (ownHeaders.test(name)) {
      report(
        "error",
        `the header "${name}" is set for each call and cannot be configured`,
        "custom_upstream_headers",
        name,
      );
    }
  }
  return headers;
}

function configuredModels({ block, report }: Candidate): ConfiguredModel[] {
  const models = new Map<string, ConfiguredModel>();
  for (const [index, { id, metadata, supports_prefill: supportsPrefill }] of (block.models ?? []).entries()) {
    if (models.has(id)) {
      report("warning", `"${id}" is listed twice; the first one counts`, "models", index);
      continue;
    }
    const pricing = metadata?.pricing;
    const complaint = pricing === undefined ? undefined : tierComplaint(pricing);
    if (complaint !== undefined) report("error", complaint, "models", index, "metadata", "pricing", "tiers");
    const price = pricing === undefined ? undefined : priceOf(pricing);
    models.set(id, { id, price, contextWindow: metadata?.context_window, supportsPrefill });
  }
  return [...models.values()];
}
