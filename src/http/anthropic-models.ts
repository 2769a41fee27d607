// The list of models as Anthropic's clients read it, a page at a time (https://docs.claude.com/en/api/models-list).

import { invalidRequest } from "../core/failure.ts";

interface AnthropicModel {
  readonly type: "model";
  readonly id: string;
  readonly display_name: string;
  /** RFC 3339. */
  readonly created_at: string;
}

export interface AnthropicPage {
  readonly data: readonly AnthropicModel[];
  /** In the direction that was asked for. */
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** `created`: seconds since the epoch. */
interface Entry {
  readonly id: string;
  readonly created: number;
}

const defaultLimit = 20;
const maxLimit = 1000;
/** 9999-12-31T23:59:59Z; what is beyond cannot be written in this form. */
const lastSecond = 253_402_300_799;

/** The id is the name to display, too: no provider tells another one. */
export function anthropicModel({ id, created }: Entry): AnthropicModel {
  const seconds = created >= 0 && created <= lastSecond ? Math.floor(created) : 0;
  const createdAt = new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
  return { type: "model", id, display_name: id, created_at: createdAt };
}

/** `limit` models, 20 unless said otherwise, behind `after_id` or before `before_id`. Throws a 400 `Failure` for a page that does not exist. */
export function anthropicPage(entries: readonly Entry[], query: URLSearchParams): AnthropicPage {
  const limit = limitOf(query);
  const after = query.get("after_id");
  const before = query.get("before_id");
  if (after !== null && before !== null) {
    throw invalidRequest("`after_id` and `before_id` exclude each other: leave one of them out", {
      param: "before_id",
    });
  }
  if (before !== null) {
    const end = indexOf(entries, before, "before_id");
    const start = Math.max(0, end - limit);
    return pageOf(entries.slice(start, end), start > 0);
  }
  const start = after === null ? 0 : indexOf(entries, after, "after_id") + 1;
  return pageOf(entries.slice(start, start + limit), start + limit < entries.length);
}

function pageOf(entries: readonly Entry[], hasMore: boolean): AnthropicPage {
  return {
    data: entries.map(anthropicModel),
    has_more: hasMore,
    first_id: entries[0]?.id ?? null,
    last_id: entries.at(-1)?.id ?? null,
  };
}

function limitOf(query: URLSearchParams): number {
  const text = query.get("limit");
  if (text === null) return defaultLimit;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= maxLimit) return limit;
  throw invalidRequest(`\`limit\` must be a whole number from 1 to ${maxLimit}, not ${JSON.stringify(text)}`, {
    param: "limit",
  });
}

function indexOf(entries: readonly Entry[], id: string, param: string): number {
  const index = entries.findIndex((entry) => entry.id === id);
  if (index !== -1) return index;
  throw invalidRequest(`\`${param}\` names no model of the list: ${id}; begin again without it`, { param });
}
