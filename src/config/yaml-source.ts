// YAML text -> nodes that know their lines, or everything that is wrong with the text.

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, Scalar } from "yaml";
import type { Document, Node } from "yaml";
import type { ConfigProblem } from "../core/config-problem.ts";
import { mapNode, originText } from "./node.ts";
import type { ConfigNode, MapNode, Origin } from "./node.ts";

/** Deeper than any configuration; ends an alias that contains itself. */
const maxDepth = 32;

/** `file` is how messages call it. A text that is no YAML gives an empty map and errors. */
export function readYaml(
  text: string,
  file: string,
): { readonly root: MapNode; readonly problems: readonly ConfigProblem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ""), { lineCounter: lines, prettyErrors: false });
  const lineOf = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const sourceLines = text.split("\n");
  const problems: ConfigProblem[] = [];
  let lastLine = 0;
  for (const error of document.errors) {
    const line = lineOf(error.pos[0]);
    // What follows on the same line is mostly a consequence.
    if (line === lastLine) continue;
    lastLine = line;
    problems.push({
      where: `${file}:${line}`,
      message: yamlMessage(error.code, error.message, sourceLines[line - 1] ?? "", text.slice(...error.pos)),
      severity: "error",
    });
  }
  const start: Origin = { kind: "file", file, line: 1 };
  const unreadable = document.errors.some((error) => error.code !== "DUPLICATE_KEY");
  if (unreadable || document.contents === null) return { root: mapNode([], start), problems };
  const root = convert(document.contents, start, 0, { document, file, lineOf, problems });
  if (root.kind === "map") return { root, problems };
  if (root.kind !== "empty") {
    problems.push({
      where: `${file}:1`,
      message: "must be a map of settings, such as server: or providers:",
      severity: "error",
    });
  }
  return { root: mapNode([], start), problems };
}

interface Conversion {
  readonly document: Document;
  readonly file: string;
  readonly lineOf: (offset: number) => number;
  readonly problems: ConfigProblem[];
}

function convert(node: unknown, origin: Origin, depth: number, context: Conversion): ConfigNode {
  const { document, file, lineOf, problems } = context;
  if (depth > maxDepth) {
    problems.push({ where: originText(origin), message: "is nested too deeply", severity: "error" });
    return { kind: "empty", origin };
  }
  if (isAlias(node)) return convert(node.resolve(document), origin, depth + 1, context);
  if (isScalar(node)) return scalarNode(node, origin);
  if (isSeq(node)) {
    const items = node.items.map((item) => convert(item, originOf(item, origin, file, lineOf), depth + 1, context));
    return { kind: "list", items, origin };
  }
  if (isMap(node)) {
    const entries = new Map<string, ConfigNode>();
    for (const pair of node.items) {
      const keyOrigin = originOf(pair.key, origin, file, lineOf);
      if (!isScalar(pair.key)) {
        problems.push({ where: originText(keyOrigin), message: "a key must be plain text", severity: "error" });
        continue;
      }
      entries.set(scalarText(pair.key), convert(pair.value, keyOrigin, depth + 1, context));
    }
    return { kind: "map", entries, origin };
  }
  return { kind: "empty", origin };
}

function scalarNode(node: Scalar, origin: Origin): ConfigNode {
  const quoted = node.type !== undefined && node.type !== Scalar.PLAIN;
  const text = scalarText(node);
  // An empty text is no value, as in the environment.
  if (text.trim() === "" || (!quoted && node.value === null)) return { kind: "empty", origin };
  return { kind: "text", text, origin, quoted, hidden: false, unresolved: [] };
}

/** What was written, so that `4.10` stays `4.10`. */
function scalarText(node: Scalar): string {
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
}

function originOf(node: unknown, parent: Origin, file: string, lineOf: (offset: number) => number): Origin {
  const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node as Node).range : undefined;
  return range === undefined || range === null ? parent : { kind: "file", file, line: lineOf(range[0]) };
}

function yamlMessage(code: string, message: string, line: string, at: string): string {
  if (code === "DUPLICATE_KEY") return `the key "${line.trim().split(":")[0] ?? at}" is given twice`;
  const hint = line.includes("${") ? "; put ${...} in quotes inside [ ] and { }" : "";
  return `is not valid YAML: ${message}${hint}`;
}
