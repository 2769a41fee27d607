// `${VAR}`, `${VAR:-default}`, `${env:NAME}` and `${file:/path}` in values (behaviour 5.1, 10.6).

import type { ConfigProblem } from "../core/config-problem.ts";
import type { Environment } from "./environment.ts";
import { pathText, whereText } from "./node.ts";
import type { ConfigNode, ConfigPath, TextNode } from "./node.ts";

export interface ExpansionSources {
  readonly environment: Environment;
  /** Undefined when there is no such file. May throw. */
  readonly readFile: (path: string) => string | undefined;
}

const referencePattern = /\$\$\{|\$\{env:([^}]*)\}|\$\{file:([^}]*)\}|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/i;
const maxSecretBytes = 1024 * 1024;

/** Expands every text below `node` once; results are not looked at again. Call it after layering: only values in use are resolved. */
export function expandReferences(
  node: ConfigNode,
  sources: ExpansionSources,
): { readonly node: ConfigNode; readonly problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  return { node: expandNode(node, [], sources, problems), problems };
}

function expandNode(
  node: ConfigNode,
  path: ConfigPath,
  sources: ExpansionSources,
  problems: ConfigProblem[],
): ConfigNode {
  switch (node.kind) {
    case "empty":
      return node;
    case "map": {
      const entries = [...node.entries].map(
        ([key, value]) => [key, expandNode(value, [...path, key], sources, problems)] as const,
      );
      return { ...node, entries: new Map(entries) };
    }
    case "list":
      return { ...node, items: node.items.map((item, index) => expandNode(item, [...path, index], sources, problems)) };
    case "text":
      return node.text.includes("${") ? expandText(node, path, sources, problems) : node;
  }
}

function expandText(
  node: TextNode,
  path: ConfigPath,
  sources: ExpansionSources,
  problems: ConfigProblem[],
): ConfigNode {
  let hidden = node.hidden;
  const unresolved: string[] = [];
  const fail = (reference: string, reason: string): string => {
    problems.push({
      where: whereText(node.origin, path),
      message: `failed to resolve secret references: ${pathText(path)}: secret reference ${reference}: ${reason}`,
      severity: "error",
    });
    return "";
  };
  const expanded = node.text.replace(
    referencePattern,
    (whole: string, fromVariable?: string, fromFile?: string, name?: string, fallback?: string) => {
      if (fromVariable !== undefined) {
        hidden = true;
        return sources.environment.get(fromVariable.trim())?.value ?? fail(whole, "the variable is unset or empty");
      }
      if (fromFile !== undefined) {
        hidden = true;
        const secret = readSecretFile(fromFile.trim(), sources.readFile);
        return "value" in secret ? secret.value : fail(whole, secret.reason);
      }
      if (name === undefined) return "${";
      // A variable's own text is taken as it is, only YAML knows `${VAR}`.
      if (node.origin.kind === "variable") return whole;
      const variable = sources.environment.get(name);
      if (variable !== undefined) {
        hidden ||= secretName.test(name);
        return variable.value;
      }
      if (fallback !== undefined) return fallback;
      unresolved.push(name);
      return whole;
    },
  );
  // Without quotes the result is read as if it had been written there: `~` and `null` are no value, as nothing is.
  const isNull = !node.quoted && /^(?:~|null)$/i.test(expanded.trim());
  if (isNull || expanded.trim() === "") return { kind: "empty", origin: node.origin };
  return { ...node, text: node.quoted ? expanded : expanded.trim(), hidden, unresolved };
}

function readSecretFile(
  path: string,
  readFile: ExpansionSources["readFile"],
): { readonly value: string } | { readonly reason: string } {
  if (!path.startsWith("/")) return { reason: "the path must be absolute" };
  let text: string | undefined;
  try {
    text = readFile(path);
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
  if (text === undefined) return { reason: "there is no such file" };
  if (text.length > maxSecretBytes) return { reason: "the file is larger than 1 MiB" };
  return { value: text.replace(/\r?\n$/, "") };
}
