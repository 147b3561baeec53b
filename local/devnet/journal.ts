import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

/** What changes the chain: a call that was handed to the node, or a block that it was told to mine, at Unix seconds. */
const Entry = z.union([
  z.object({ call: z.string(), params: z.array(z.unknown()) }),
  z.object({ mine: z.number().int() }),
]);
export type Entry = z.infer<typeof Entry>;

/**
 * A chain on disk: a dump of the node's state, and a journal of what came after. Each pair has a number, and the
 * highest number whose state is there counts, so that a new pair takes effect by one rename.
 *
 * An entry is written before the node sees it and survives the death of any process from then on. (It may not survive
 * a loss of power: the file is synced at checkpoints only.)
 */
export type Journal = {
  /** The state file to start from, or undefined for a chain that has not begun. */
  statePath(): string | undefined;
  /** The entries since that state, oldest first. */
  entries(): readonly Entry[];
  /** How many entries there are. */
  length(): number;
  append(entry: Entry): void;
  /** Replaces state and journal: `state` is the node's dump, `entries` what has been handed over but is not in it. */
  checkpoint(state: Uint8Array, entries: readonly Entry[]): Promise<void>;
  close(): void;
};

const stateName = /^(\d+)\.state\.json$/;

/** Opens the chain in `directory`, which is made if need be. Leftovers of an interrupted checkpoint are removed. */
export async function openJournal(directory: string): Promise<Journal> {
  await mkdir(directory, { recursive: true });
  const files = await readdir(directory);
  let current = Math.max(-1, ...files.flatMap((file) => stateName.exec(file)?.[1] ?? []).map(Number));

  const statePath = (number: number) => join(directory, `${number}.state.json`);
  const journalPath = (number: number) => join(directory, `${number}.journal.jsonl`);
  const kept = [statePath(current), journalPath(current)];
  const stale = files.map((file) => join(directory, file)).filter((path) => !kept.includes(path));
  await Promise.all(stale.map((path) => rm(path)));

  let log = current < 0 ? undefined : openLog(journalPath(current));
  const opened = () => {
    if (log === undefined) throw new Error("The chain has not begun: it needs a first checkpoint.");
    return log;
  };

  return {
    statePath: () => (current < 0 ? undefined : statePath(current)),
    entries: () => opened().entries(),
    length: () => opened().length(),
    append: (entry) => opened().append(entry),
    async checkpoint(state, entries) {
      const next = openLog(journalPath(current + 1));
      for (const entry of entries) next.append(entry);
      next.sync();
      await writeWhole(statePath(current + 1), state);
      log?.close();
      const old = [statePath(current), journalPath(current)];
      log = next;
      current += 1;
      await Promise.all(old.map((path) => rm(path, { force: true })));
    },
    close: () => log?.close(),
  };
}

function openLog(path: string) {
  const file = openSync(path, "a+");
  const text = readFileSync(path, "utf8");
  // A line without an end was being written when the process died: nobody was told of it.
  let size = Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1));
  ftruncateSync(file, size);
  let length = text.split("\n").length - 1;

  return {
    append(entry: Entry): void {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`);
      try {
        const written = writeSync(file, line);
        if (written < line.length)
          throw new Error(`Only ${written} of ${line.length} bytes fit into ${path}.`);
      } catch (error) {
        ftruncateSync(file, size);
        throw error;
      }
      size += line.length;
      length += 1;
    },
    length: () => length,
    entries(): readonly Entry[] {
      const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
      return lines.map((line) => Entry.parse(JSON.parse(line)));
    },
    sync: () => fsyncSync(file),
    close: () => closeSync(file),
  };
}

async function writeWhole(path: string, content: Uint8Array): Promise<void> {
  const draft = `${path}.part`;
  const file = await open(draft, "w");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
