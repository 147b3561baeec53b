import { link, mkdir, open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Journal, LegRecord } from "./journal.ts";

/**
 * A journal with one file for each attempt of each payment. Only the user who runs the process can read the files. Several processes may
 * share the journal's directory.
 */
export function openFileJournal(directory: string): Journal {
  const makePath = ({ leg, attempt }: Pick<LegRecord, "leg" | "attempt">) =>
    join(directory, `${leg}-${String(attempt).padStart(3, "0")}.json`);

  /** Writes a temporary file beside the record's file, and flushes the temporary file to the disk. */
  async function write(record: LegRecord): Promise<string> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const draft = `${makePath(record)}.${crypto.randomUUID()}.tmp`;
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(record, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    return draft;
  }

  async function read(matches: (name: string) => boolean): Promise<readonly LegRecord[]> {
    const names = (await readdir(directory).catch(() => [])).filter(
      (name) => name.endsWith(".json") && matches(name),
    );
    return Promise.all(names.toSorted().map((name) => readRecord(join(directory, name))));
  }

  return {
    attempts: (leg) => read((name) => name.startsWith(`${leg}-`)),
    async add(record) {
      const draft = await write(record);
      try {
        // `link` fails if the record's file already exists, so only one of two processes stores its record. The temporary file is complete
        // before `link` runs, so the record's file is never incomplete.
        await link(draft, makePath(record));
        await syncDirectory(directory);
        return record;
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
        return await readRecord(makePath(record));
      } finally {
        await unlink(draft);
      }
    },
    async update(record) {
      await rename(await write(record), makePath(record));
      await syncDirectory(directory);
    },
    all: () => read(() => true),
  };
}

async function readRecord(path: string): Promise<LegRecord> {
  const record: LegRecord = JSON.parse(await readFile(path, "utf8"));
  return record;
}

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
