// Where the database goes when nobody says so (behaviour 5.4).

import { join } from "node:path";

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `process.platform`. */
  readonly platform: string;
  readonly directoryExists: (path: string) => boolean;
}

/** Absolute. `./data/gomodel.db` when `./data` exists, otherwise in the user's data directory. */
export function defaultDatabasePath({ cwd, env, platform, directoryExists }: Surroundings): string {
  const local = join(cwd, "data");
  if (directoryExists(local)) return join(local, "gomodel.db");
  const home = env["HOME"];
  const shared = env["XDG_DATA_HOME"];
  if (shared !== undefined && shared !== "") return join(shared, "gomodel", "gomodel.db");
  if (home === undefined || home === "") return join(local, "gomodel.db");
  const userData = platform === "darwin" ? join(home, "Library", "Application Support") : join(home, ".local", "share");
  return join(userData, "gomodel", "gomodel.db");
}
