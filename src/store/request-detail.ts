// The question behind one entry of the request list: everything that is stored of it.

import type { Kysely } from "kysely";
import { bodiesIn } from "./body-blocks.ts";
import { unpackBody } from "./body-store.ts";
import type { StoredRequest } from "./find-requests.ts";
import { storedRequest } from "./find-requests.ts";
import type { Schema } from "./schema.ts";

export interface RequestDetail extends StoredRequest {
  /** Undefined when it was not logged, was empty or had to make room. */
  readonly requestBody: string | undefined;
  readonly responseBody: string | undefined;
}

/** Undefined when there is no such row (any more). */
export async function requestDetail(db: Kysely<Schema>, id: number): Promise<RequestDetail | undefined> {
  const row = await db.selectFrom("requests").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  const block = await db
    .selectFrom("body_blocks")
    .select(["entries", "packed"])
    .where("first_id", "<=", id)
    .orderBy("first_id", "desc")
    .limit(1)
    .executeTakeFirst();
  const bodies = (block === undefined ? undefined : bodiesIn(block, id)) ?? (await olderBodies(db, id));
  return { ...storedRequest(row), requestBody: bodies?.request, responseBody: bodies?.response };
}

async function olderBodies(db: Kysely<Schema>, id: number) {
  const bodies = await db
    .selectFrom("request_bodies")
    .select(["request", "response"])
    .where("id", "=", id)
    .executeTakeFirst();
  return { request: textOf(bodies?.request), response: textOf(bodies?.response) };
}

function textOf(packed: Uint8Array | null | undefined): string | undefined {
  return packed === null || packed === undefined ? undefined : unpackBody(packed);
}
