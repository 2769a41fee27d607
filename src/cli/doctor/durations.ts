// The durations of a configuration that decide what callers see, and by how much they must shrink.

import type { EffectiveSettings } from "../../config/load.ts";
import { type ConfigNode, type ConfigPath, pathText } from "../../config/node.ts";
import { readDuration } from "../../config/duration.ts";
import { shapesAlong } from "../../config/shape.ts";

/** One setting, by its path in the file. */
export interface DurationSetting {
  readonly path: string;
  /** 0 = off. */
  readonly ms: number;
}

/** The longest one takes so long. */
const longestScaledMs = 1000;

/** Every setting of the schema that is a duration counts, unless it is one of these, which no answer depends on. */
export const withoutEffect: readonly string[] = [
  "server.stream_stall_timeout",
  "server.shutdown_grace",
  "cache.model.refresh_interval",
  "cache.model.recheck_interval",
  "logging.flush_interval",
];

/** The kinds of settings that are durations, as the schema calls them. */
const durationKinds: readonly (string | undefined)[] = ["duration", "seconds or duration"];

/** In the order of the configuration; of a provider only what differs from the global setting. */
export function durationSettings({ root }: EffectiveSettings): DurationSetting[] {
  const found: { readonly path: ConfigPath; readonly ms: number }[] = [];
  const visit = (node: ConfigNode, path: ConfigPath): void => {
    switch (node.kind) {
      case "map":
        for (const [key, value] of node.entries) visit(value, [...path, key]);
        return;
      case "list":
        for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
        return;
      case "text": {
        const reading = isDuration(path) ? readDuration(node.text.trim(), { plainSeconds: true }) : undefined;
        if (reading !== undefined && "value" in reading) found.push({ path, ms: reading.value });
        return;
      }
      case "empty":
        return;
    }
  };
  visit(root, []);
  const values = new Map(found.map(({ path, ms }) => [pathText(path), ms]));
  return found
    .filter(({ path, ms }) => path[0] !== "providers" || values.get(pathText(path.slice(2))) !== ms)
    .map(({ path, ms }) => ({ path: pathText(path), ms }));
}

function isDuration(path: ConfigPath): boolean {
  if (withoutEffect.includes(pathText(path))) return false;
  const shapes = shapesAlong(path);
  return shapes.length === path.length && durationKinds.includes(shapes.at(-1)?.notes.kind);
}

/** Milliseconds of the longest one; 0 when all are off. */
export function longestOf(settings: readonly DurationSetting[]): number {
  return settings.reduce((longest, { ms }) => Math.max(longest, ms), 0);
}

/** How many times faster time has to pass so that the longest takes a second; 1 when it is no longer than that. */
export function speedFor(settings: readonly DurationSetting[]): number {
  return Math.max(1, longestOf(settings) / longestScaledMs);
}
