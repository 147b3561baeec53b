import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type Message, message } from "./message.ts";

const change = z.discriminatedUnion("op", [
  z.object({ op: z.literal("put"), queue: z.string(), message }),
  z.object({ op: z.literal("drop"), queue: z.string(), id: z.string() }),
]);
export type Change = z.output<typeof change>;
const line = z.array(change);

type Queues = Map<string, Map<string, Message>>;

/** The messages of all queues, in the order in which they arrived. */
export type Store = {
  readonly messages: (queue: string) => ReadonlyMap<string, Message>;
  /** Applies the changes together: after a crash either all of them are there or none. */
  readonly commit: (changes: readonly Change[]) => void;
  readonly close: () => void;
};

/**
 * Opens the messages kept in a directory, or ones that live in memory alone when there is none.
 *
 * Every commit is one line of `queues.jsonl`, handed to the operating system before the call returns, so a
 * killed process loses nothing that was answered. Opening rewrites the file with what is still alive.
 * Throws when a line other than a torn last one cannot be read.
 */
export function openStore(directory: string | undefined): Store {
  if (directory === undefined) return storeOver(new Map(), { append: () => {}, close: () => {} });
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "queues.jsonl");
  const queues = read(path);
  compact(path, queues);
  const file = openSync(path, "a");
  return storeOver(queues, {
    append: (changes) => appendFileSync(file, `${JSON.stringify(changes)}\n`),
    close: () => closeSync(file),
  });
}

type Journal = { readonly append: (changes: readonly Change[]) => void; readonly close: () => void };

function storeOver(queues: Queues, journal: Journal): Store {
  return {
    messages: (queue) => messagesOf(queues, queue),
    commit: (changes) => {
      if (changes.length === 0) return;
      journal.append(changes);
      apply(queues, changes);
    },
    close: journal.close,
  };
}

function read(path: string): Queues {
  const queues: Queues = new Map();
  if (!existsSync(path)) return queues;
  const lines = readFileSync(path, "utf8").split("\n");
  // A whole line ends in a newline, so what follows the last one was cut off before it was answered.
  for (const [index, source] of lines.slice(0, -1).entries()) {
    try {
      apply(queues, line.parse(JSON.parse(source)));
    } catch (cause) {
      throw new Error(`The queue journal ${path} is damaged at line ${index + 1}.`, { cause });
    }
  }
  return queues;
}

function compact(path: string, queues: Queues): void {
  const lines = [...queues].flatMap(([queue, messages]) =>
    [...messages.values()].map(
      (kept) => `${JSON.stringify([{ op: "put", queue, message: kept } satisfies Change])}\n`,
    ),
  );
  const fresh = `${path}.new`;
  writeFileSync(fresh, lines.join(""));
  renameSync(fresh, path);
}

function apply(queues: Queues, changes: readonly Change[]): void {
  for (const one of changes) {
    const messages = messagesOf(queues, one.queue);
    if (one.op === "put") messages.set(one.message.id, one.message);
    else messages.delete(one.id);
  }
}

function messagesOf(queues: Queues, queue: string): Map<string, Message> {
  const known = queues.get(queue);
  if (known !== undefined) return known;
  const created = new Map<string, Message>();
  queues.set(queue, created);
  return created;
}
