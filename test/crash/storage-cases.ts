// Ways in which a database cannot be written, each with how it begins and ends.

import { Database } from "bun:sqlite";
import { type MountedFolder, mountFolder } from "./mounted-folder.ts";
import { type Trouble, type TroubleFigures, troubledLog } from "./storage-trouble.ts";

export interface StorageCase {
  readonly name: string;
  readonly fromTheStart: boolean;
  /** It can happen again to a process that runs. */
  readonly comesBack: boolean;
  /** The reason in the first line. */
  readonly explained: RegExp;
  readonly trouble: (place: MountedFolder) => Trouble;
}

const unusable = /the database cannot be opened or used/;

export const storageCases: readonly StorageCase[] = [
  {
    name: "the disk is full",
    fromTheStart: false,
    comesBack: true,
    explained: /no room is left for the database/,
    trouble: ({ fill, empty }) => ({ begin: fill, end: empty }),
  },
  {
    name: "the disk is full when the process starts",
    fromTheStart: true,
    comesBack: true,
    explained: /no room is left for the database/,
    trouble: ({ fill, empty }) => ({ begin: fill, end: empty }),
  },
  {
    name: "the file system is read-only when the process starts",
    fromTheStart: true,
    comesBack: false,
    explained: unusable,
    trouble: ({ readOnly, writable }) => ({ begin: readOnly, end: writable }),
  },
  {
    name: "an empty read-only file system lies over the folder",
    fromTheStart: false,
    comesBack: true,
    explained: unusable,
    trouble: ({ cover, uncover }) => ({ begin: cover, end: uncover }),
  },
  {
    name: "another process holds the lock",
    fromTheStart: false,
    comesBack: true,
    explained: /another process holds the lock on the database/,
    trouble: ({ path }) => {
      let other: Database | undefined;
      return {
        begin() {
          other = new Database(`${path}/gomodel.db`);
          other.exec("BEGIN EXCLUSIVE");
        },
        end() {
          other?.exec("ROLLBACK");
          other?.close();
        },
      };
    },
  },
];

/** Undefined where nothing can be mounted. */
export async function runStorageCase(
  storageCase: StorageCase,
  times: { readonly lastsMs: number; readonly wellMs: number; readonly episodes: number },
): Promise<TroubleFigures | undefined> {
  const place = mountFolder();
  if (place === undefined) return undefined;
  try {
    const { begin, end } = storageCase.trouble(place);
    return await troubledLog({
      folder: place.path,
      begin,
      end,
      ...times,
      fromTheStart: storageCase.fromTheStart,
    });
  } finally {
    place.dispose();
  }
}
