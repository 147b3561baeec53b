import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Another start is using the directory. */
export class DirectoryInUse extends Error {
  override readonly name = "DirectoryInUse";

  constructor(directory: string, options: ErrorOptions) {
    super(
      `Another \`npm start\` is using ${directory}. Stop it, or set LOCAL_DIR to another directory.`,
      options,
    );
  }
}

export type DirectoryLock = { readonly release: () => void };

/**
 * Claims a directory, making it where it is missing, for this process alone. The claim is a file lock of the operating
 * system, taken through SQLite, so that it ends with the process, `kill -9` included. Throws `DirectoryInUse`.
 */
export function lockDirectory(directory: string): DirectoryLock {
  mkdirSync(directory, { recursive: true });
  const database = new DatabaseSync(join(directory, "lock"));
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if (!(cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_BUSY)) throw cause;
    throw new DirectoryInUse(directory, { cause });
  }
  return { release: () => database.close() };
}

const SQLITE_BUSY = 5;
