// The effective configuration as YAML for `--check`: secrets masked, each value with where it came from.

import { Document, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { EffectiveSettings } from "./load.ts";
import { masked, showable } from "./mask.ts";
import { originText } from "./node.ts";
import type { ConfigNode, ConfigPath, ListNode, TextNode } from "./node.ts";
import { variableSettings } from "./shape.ts";

export interface DescribeOptions {
  /** Writes secrets as they are, for a file that is to be loaded again. Default false. */
  readonly revealSecrets?: boolean;
}

/** Loading the result with the same environment-only variables gives the same configuration; with secrets masked, the same but for them. */
export function describeSettings({ root }: EffectiveSettings, options: DescribeOptions = {}): string {
  const entries = new Map(root.entries);
  const process = entries.get("process");
  entries.delete("process");
  const document = new Document();
  const contents = new YAMLMap();
  for (const [key, node] of entries) contents.items.push(pair(key, node, [key], options));
  document.contents = contents;
  return `${environmentOnlyLines(process)}${document.toString({ lineWidth: 0 })}`;
}

/** What has no YAML key is shown as comments. */
function environmentOnlyLines(process: ConfigNode | undefined): string {
  if (process?.kind !== "map") return "";
  return variableSettings()
    .filter(({ path }) => path[0] === "process")
    .map(({ name, path }) => {
      const node = process.entries.get(path[1] ?? "");
      return node?.kind === "text" ? `# ${name}=${node.text} (${originText(node.origin)})\n` : "";
    })
    .join("");
}

function pair(key: string, node: ConfigNode, path: ConfigPath, options: DescribeOptions): Pair {
  return new Pair(new Scalar(key), yamlNode(node, path, options));
}

function yamlNode(node: ConfigNode, path: ConfigPath, options: DescribeOptions): Scalar | YAMLMap | YAMLSeq {
  switch (node.kind) {
    case "empty":
      return new Scalar(null);
    case "text": {
      const scalar = textScalar(node, path, options);
      scalar.comment = ` ${originText(node.origin)}`;
      return scalar;
    }
    case "list":
      return listNode(node, path, options);
    case "map": {
      const map = new YAMLMap();
      for (const [key, value] of node.entries) map.items.push(pair(key, value, [...path, key], options));
      map.flow = node.entries.size === 0;
      return map;
    }
  }
}

function listNode(node: ListNode, path: ConfigPath, options: DescribeOptions): YAMLSeq {
  const list = new YAMLSeq();
  const texts = node.items.filter((item) => item.kind === "text");
  if (texts.length === node.items.length) {
    list.flow = true;
    list.items = texts.map((item, index) => textScalar(item, [...path, index], options));
    list.comment = ` ${originText(node.origin)}`;
  } else {
    list.items = node.items.map((item, index) => yamlNode(item, [...path, index], options));
  }
  return list;
}

function textScalar(node: TextNode, path: ConfigPath, options: DescribeOptions): Scalar {
  const shown = options.revealSecrets === true ? node.text : (showable(node, path) ?? masked);
  // A reference that is still open stays one; any other `${` must not become one.
  const text = shown.replace(/\$\{(\w*)/g, (start, name: string) =>
    node.unresolved.includes(name) ? start : `$${start}`,
  );
  if (text === "true" || text === "false") return new Scalar(text === "true");
  return new Scalar(
    /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text,
  );
}
