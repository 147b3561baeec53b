import { link, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Journal, LegRecord } from "./journal.ts";

/**
 * A journal with one file for each attempt of each payment. Only the user who runs the process can read the files. Several processes may
 * share the journal's directory.
 */
export function openFileJournal(directory: string): Journal {
  const makePath = ({ leg, attempt }: Pick<LegRecord, "leg" | "attempt">) =>
    join(directory, `${leg}-${String(attempt).padStart(3, "0")}.json`);

  /** Writes a temporary file beside the record's file, flushes it to the disk, and then gives it the record's name. */
  async function write(
    record: LegRecord,
    move: (draft: string, path: string) => Promise<void>,
  ): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const path = makePath(record);
    const draft = `${path}.${crypto.randomUUID()}.tmp`;
    try {
      const file = await open(draft, "wx", 0o600);
      try {
        await file.writeFile(`${JSON.stringify(record, undefined, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await move(draft, path);
      await syncDirectory(directory);
    } finally {
      await rm(draft, { force: true });
    }
  }

  async function read(matches: (name: string) => boolean): Promise<readonly LegRecord[]> {
    const names = (await listFiles(directory)).filter((name) => name.endsWith(".json") && matches(name));
    return Promise.all(names.toSorted().map((name) => readRecord(join(directory, name))));
  }

  return {
    attempts: (leg) => read((name) => name.startsWith(`${leg}-`)),
    async add(record) {
      try {
        // `link` fails if the record's file already exists, so only one of two processes stores its record. The temporary file is complete
        // before `link` runs, so the record's file is never incomplete.
        await write(record, link);
        return record;
      } catch (error) {
        if (!hasCode(error, "EEXIST")) throw error;
        return await readRecord(makePath(record));
      }
    },
    update: (record) => write(record, rename),
    all: () => read(() => true),
  };
}

async function readRecord(path: string): Promise<LegRecord> {
  try {
    const record: LegRecord = JSON.parse(await readFile(path, "utf8"));
    return record;
  } catch (cause) {
    throw new Error(`${path} holds no complete record`, { cause });
  }
}

/** The names of the directory's files. A missing directory counts as an empty journal. */
async function listFiles(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && "code" in error && error.code === code;

/** Flushes the directory, because a crash loses every file whose name is not yet on the disk. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
