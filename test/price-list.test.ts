// The bundled price list says what the public one says, for every name that either knows.

import { describe, expect, test } from "bun:test";
import { calcPrice, findProvider, type MatchLogic } from "@pydantic/genai-prices";
import { priceFromList } from "../scripts/documentation/price-list.ts";
import { bundledPrice, listNames } from "../src/catalog/bundled-prices.ts";

const noon = Date.UTC(2026, 5, 1, 12);

function expectedPrice(providerId: string, model: string, atMs: number) {
  const found = calcPrice({}, model, { providerId, timestamp: new Date(atMs) });
  if (found === null) return { price: undefined, changesWithTime: false };
  return { price: priceFromList(found.model_price), changesWithTime: Array.isArray(found.model.prices) };
}

describe.each([...listNames])("%s", (type, listName) => {
  const names = namesOf(listName);

  test("every name and every name like it has the list's price", () => {
    const wrong = names
      .flatMap(variants)
      .filter((name) => !Bun.deepEquals(bundledPrice(type, name, noon), expectedPrice(listName, name, noon)));
    expect(names.length).toBeGreaterThan(2);
    expect(wrong).toEqual([]);
  });

  test("prices change when the list's do", () => {
    const timed = names.filter((name) => bundledPrice(type, name, noon).changesWithTime);
    const wrong = timed.flatMap((name) =>
      moments
        .filter((atMs) => !Bun.deepEquals(bundledPrice(type, name, atMs), expectedPrice(listName, name, atMs)))
        .map((atMs) => `${name} at ${new Date(atMs).toISOString()}`),
    );
    expect(wrong).toEqual([]);
  });
});

test("a name of another list has a price only where the list falls back on it", () => {
  for (const [type, listName] of listNames) {
    for (const name of ["gpt-4o", "claude-sonnet-4-5", "deepseek-chat", "grok-3", "gemini-2.5-pro", "kimi-k2", ""]) {
      expect({ type, name, ...bundledPrice(type, name, noon) }).toEqual({
        type,
        name,
        ...expectedPrice(listName, name, noon),
      });
    }
  }
});

/** Model ids and every text of their rules, those of the fallbacks included. */
function namesOf(listName: string): readonly string[] {
  const provider = findProvider({ providerId: listName });
  const lists = [provider, ...(provider?.fallback_model_providers ?? []).map((id) => findProvider({ providerId: id }))];
  const models = lists.flatMap((list) => list?.models ?? []);
  return [...new Set(models.flatMap(({ id, match }) => [id, ...textsOf(match)]))];
}

function textsOf(match: MatchLogic): readonly string[] {
  if ("or" in match) return match.or.flatMap(textsOf);
  if ("and" in match) return match.and.flatMap(textsOf);
  if ("regex" in match) {
    const text = match.regex.replace(/^\^|\$$/g, "").replaceAll("\\.", ".");
    return [
      text
        .replaceAll("\\d{8}", "20260115")
        .replaceAll(/-?\\d\{\d\}/g, "-2026-01-15")
        .replaceAll("\\d", "7"),
    ];
  }
  return Object.values(match);
}

function variants(name: string): readonly string[] {
  return [name, ` ${name.toUpperCase()}`, `${name}-20240806`, `${name}-20240230`, `${name}:free`, `x/${name}`];
}

/** Around every start and end in the list: whole days over some years, and each quarter of an hour of a day. */
const moments = [
  ...Array.from({ length: 72 }, (_, month) => [Date.UTC(2022, month, 1) - 1, Date.UTC(2022, month, 15)]).flat(),
  ...Array.from({ length: 96 }, (_, quarter) => Date.UTC(2026, 5, 1) + quarter * 900_000),
  ...[0, 1].map((late) => Date.UTC(2026, 5, 1, 16, 30) - late),
  ...startDates().flatMap((atMs) => [atMs - 1, atMs]),
];

function startDates(): readonly number[] {
  const models = [...new Set(listNames.values())].flatMap((id) => findProvider({ providerId: id })?.models ?? []);
  return models
    .flatMap(({ prices }) => (Array.isArray(prices) ? prices : []))
    .flatMap(({ constraint }) => (constraint?.type === "start_date" ? [Date.parse(constraint.start_date)] : []));
}
