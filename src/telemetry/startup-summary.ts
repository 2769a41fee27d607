// What someone at a terminal sees when the gateway is up: where it listens, what it serves, what is unsafe.

/** Plain values; nothing here is a secret. */
export interface StartupFacts {
  readonly version: string;
  /** `http://0.0.0.0:8080`, the base path included. */
  readonly address: string;
  readonly providers: readonly {
    readonly name: string;
    readonly type: string;
    /** As far as it is known by now, in words: `12 models`, `listing its models`, `cannot be reached: connection refused`. */
    readonly state: string;
    readonly healthy: boolean;
  }[];
  readonly virtualModels: readonly {
    readonly source: string;
    readonly strategy: string;
    /** In order, as `provider/model`; empty for an entry that only switches a name off. */
    readonly targets: readonly string[];
    readonly enabled: boolean;
  }[];
  /** The database file; undefined when nothing is kept. */
  readonly dataPath: string | undefined;
  /** The built-in `demo` provider is serving because no other is configured. */
  readonly demo: boolean;
  readonly masterKeySet: boolean;
}

/** Several lines, ending in a newline. `colour` adds ANSI colours. */
export function startupSummary(facts: StartupFacts, colour: boolean): string {
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const warn = (text: string): string => `  ${paint(33, `! ${text}`)}`;
  const width = Math.max(
    0,
    ...facts.providers.map(({ name }) => name.length),
    ...facts.virtualModels.map(({ source }) => source.length),
  );

  const lines = ["", `  ${paint(1, `GoModel ${facts.version}`)}  ${paint(36, facts.address)}`, ""];
  if (facts.demo) {
    lines.push(warn("DEMO MODE: no provider is configured, so answers are made up by the built-in provider `demo`."));
    lines.push(warn("Set a key such as OPENAI_API_KEY, or write a config.yaml, to reach real models."), "");
  }
  lines.push(`  ${paint(1, "providers")}`);
  if (facts.providers.length === 0) lines.push(warn("none: every model request will be refused"));
  for (const { name, type, state, healthy } of facts.providers) {
    const mark = healthy ? paint(32, "+") : paint(31, "-");
    lines.push(`    ${mark} ${name.padEnd(width)}  ${type === name ? "" : `${type}, `}${state}`);
  }
  if (facts.virtualModels.length > 0) lines.push(`  ${paint(1, "virtual models")}`);
  for (const { source, strategy, targets, enabled } of facts.virtualModels) {
    const route =
      targets.length === 0 ? "no targets" : `${strategy}: ${targets.join(strategy === "failover" ? " -> " : ", ")}`;
    lines.push(`    ${enabled ? "+" : "-"} ${source.padEnd(width)}  ${enabled ? "" : "off, "}${route}`);
  }
  lines.push(`  ${paint(1, "data")}  ${facts.dataPath ?? "nothing is kept"}`, "");
  if (!facts.masterKeySet) {
    lines.push(
      warn("GOMODEL_MASTER_KEY is not set: whoever reaches this address can use it, the admin API included."),
      "",
    );
  }
  return `${lines.join("\n")}\n`;
}
