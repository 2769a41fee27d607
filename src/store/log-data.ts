// What is only shown of a row and never filtered on: one JSON column.

import type { RecoveryOutcome } from "../core/record.ts";
import type { AttemptTuple } from "./stored-attempt.ts";

/** Absent members are left out. */
export interface LogData {
  readonly user_agent: string;
  readonly attempts: readonly AttemptTuple[];
  readonly api_key_hash?: string | undefined;
  /** `provider/model` that answered after an earlier target did not. */
  readonly failover_target?: string | undefined;
  readonly error_code?: string | number | undefined;
  readonly stream_error?: string | undefined;
  /** What came of going on at another target with a broken stream. */
  readonly stream_recovery?: RecoveryOutcome | undefined;
  readonly cost_caveat?: string | undefined;
  readonly temperature?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly request_headers?: Readonly<Record<string, string>> | undefined;
  readonly response_headers?: Readonly<Record<string, string>> | undefined;
  /** The body was longer than `maxBodyBytes`; its beginning is stored. */
  readonly request_body_cut?: true | undefined;
  readonly response_body_cut?: true | undefined;
  /** The memory for waiting rows was full: the row was kept, its bodies were not. */
  readonly bodies_dropped?: true | undefined;
}

/** The JSON text of an object that is not empty, with one more member. */
export function withMember(objectText: string, name: keyof LogData, valueText: string): string {
  return `${objectText.slice(0, -1)},"${name}":${valueText}}`;
}
