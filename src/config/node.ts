// Configuration before it means anything: texts in maps and lists, each knowing where it was written.

/** `resilience.profile`: which of two defaults a setting has. */
export type Profile = "classic" | "strong";

/** Where a value comes from. */
export type Origin =
  /** `profile` is set where `resilience.profile` was given and picked this one. */
  | { readonly kind: "default"; readonly profile?: Profile }
  | { readonly kind: "file"; readonly file: string; readonly line: number }
  /** `name` goes on into the value where that is JSON: `VIRTUAL_MODELS[0].target`. `at` is set when the variable stands in a `.env` file. */
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly at: { readonly file: string; readonly line: number } | undefined;
    };

/** Every scalar is kept as its text; the setting that it is for decides what it means. */
export interface TextNode {
  readonly kind: "text";
  readonly text: string;
  readonly origin: Origin;
  /** Written in quotes: `null` and `~` in it are texts. */
  readonly quoted: boolean;
  /** Came out of a secret reference or a variable with a secret's name: never shown. */
  readonly hidden: boolean;
  /** Variables of `${VAR}` that are not set; the text still contains them. */
  readonly unresolved: readonly string[];
}

export interface MapNode {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, ConfigNode>;
  readonly origin: Origin;
}

export interface ListNode {
  readonly kind: "list";
  readonly items: readonly ConfigNode[];
  readonly origin: Origin;
}

/** A key without a value: counts as left out. */
interface EmptyNode {
  readonly kind: "empty";
  readonly origin: Origin;
}

export type ConfigNode = TextNode | MapNode | ListNode | EmptyNode;

/** Steps from the root: `["providers", "openai", "api_keys", 0]`. */
export type ConfigPath = readonly (string | number)[];

export function textNode(text: string, origin: Origin): TextNode {
  return { kind: "text", text, origin, quoted: true, hidden: false, unresolved: [] };
}

export function mapNode(entries: Iterable<readonly [string, ConfigNode]>, origin: Origin): MapNode {
  return { kind: "map", entries: new Map(entries), origin };
}

/** `providers.openai.api_keys[0]`. */
export function pathText(path: ConfigPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}

/** `config.yaml:12 server.port`, `VIRTUAL_MODELS[0].target`, `.env:3 PORT` or, for a default, the path alone. */
export function whereText(origin: Origin, path: ConfigPath): string {
  switch (origin.kind) {
    case "default":
      return pathText(path);
    case "file":
      return `${originText(origin)} ${pathText(path)}`.trimEnd();
    case "variable":
      return originText(origin);
  }
}

/** `default`, `profile strong`, `config.yaml:12`, `PORT` or `.env:3 PORT`. */
export function originText(origin: Origin): string {
  switch (origin.kind) {
    case "default":
      return origin.profile === undefined ? "default" : `profile ${origin.profile}`;
    case "file":
      return `${origin.file}:${origin.line}`;
    case "variable":
      return origin.at === undefined ? origin.name : `${origin.at.file}:${origin.at.line} ${origin.name}`;
  }
}

/** The node at `path`, or the nearest one above it. */
export function nodeAt(root: ConfigNode, path: ConfigPath): { readonly node: ConfigNode; readonly exact: boolean } {
  let node = root;
  for (const step of path) {
    const next = childOf(node, step);
    if (next === undefined) return { node, exact: false };
    node = next;
  }
  return { node, exact: true };
}

function childOf(node: ConfigNode, step: string | number): ConfigNode | undefined {
  if (node.kind === "map") return node.entries.get(String(step));
  if (node.kind === "list") return node.items[Number(step)];
  return undefined;
}

/** A copy of `root` with `value` at `path`; the maps on the way are made where they are missing, nothing else is replaced. */
export function withNodeAt(root: MapNode, path: readonly string[], value: ConfigNode): MapNode {
  const [step, ...rest] = path;
  if (step === undefined) return root;
  const current = root.entries.get(step);
  let child = value;
  if (rest.length > 0) {
    // A list or text where a section belongs is reported later; the variable must not paper over it.
    if (current !== undefined && current.kind !== "map" && current.kind !== "empty") return root;
    child = withNodeAt(current?.kind === "map" ? current : mapNode([], current?.origin ?? value.origin), rest, value);
  }
  return { ...root, entries: new Map(root.entries).set(step, child) };
}
