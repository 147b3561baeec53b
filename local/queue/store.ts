import { EventEmitter } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";

/** User attributes. The service sends only attributes that are texts. */
export const attributes = z
  .record(z.string().min(1).max(256), z.object({ DataType: z.literal("String"), StringValue: z.string() }))
  .refine((all) => Object.keys(all).length <= 10, "At most ten attributes.");

/** A stored message, with times in milliseconds since the epoch. */
const message = z
  .object({
    /** The message's place in the order of arrival. */
    place: z.number(),
    id: z.string(),
    body: z.string(),
    attributes: z
      .string()
      .transform((text): unknown => JSON.parse(text))
      .pipe(attributes),
    sentAt: z.number(),
    /** The time until which the message is hidden. */
    visibleAt: z.number(),
    receiveCount: z.number(),
    firstReceivedAt: z.number().nullable(),
  })
  .readonly();
export type QueueMessage = z.output<typeof message>;

type SentMessage = Pick<QueueMessage, "id" | "body" | "attributes"> & {
  readonly queue: string;
  readonly delaySeconds: number;
};

/** The messages of all queues. */
export type MessageStore = ReturnType<typeof openStore>;

/**
 * Opens the messages in a directory, or in memory if no directory is given. Each change is given to the operating system before the call
 * returns, so a killed process loses no change that was answered. Throws if the file is damaged.
 */
export function openStore(directory: string | undefined) {
  if (directory !== undefined) mkdirSync(join(directory, "queues"), { recursive: true });
  const database = new DatabaseSync(
    directory === undefined ? ":memory:" : join(directory, "queues", "messages.db"),
  );
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS messages (
      place INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT, id TEXT, body TEXT, attributes TEXT,
      sentAt INTEGER, visibleAt INTEGER, receiveCount INTEGER DEFAULT 0, firstReceivedAt INTEGER
    );
    CREATE INDEX IF NOT EXISTS byTime ON messages (queue, visibleAt);
  `);
  const add = database.prepare(
    "INSERT INTO messages (queue, id, body, attributes, sentAt, visibleAt) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const select = database.prepare("SELECT * FROM messages WHERE queue = ? AND visibleAt <= ? ORDER BY place");
  const earliest = database.prepare("SELECT MIN(visibleAt) AS time FROM messages WHERE queue = ?");
  const receive = database.prepare(
    "UPDATE messages SET visibleAt = ?, receiveCount = receiveCount + 1, firstReceivedAt = coalesce(firstReceivedAt, ?) WHERE place = ? RETURNING *",
  );
  const hide = database.prepare("UPDATE messages SET visibleAt = ? WHERE place = ? AND receiveCount = ?");
  const remove = database.prepare("DELETE FROM messages WHERE place = ? AND receiveCount = ?");
  const move = database.prepare(
    "UPDATE messages SET queue = ?, visibleAt = 0, receiveCount = 0, firstReceivedAt = NULL WHERE place = ?",
  );
  const listVisible = (queue: string, at: number) => z.array(message).parse(select.all(queue, at));
  const arrivals = new EventEmitter<{ arrived: [queue: string] }>().setMaxListeners(0);
  return {
    /** Emits the name of the queue in which a message has arrived. */
    arrivals,
    listVisible,
    messages: (queue: string) => listVisible(queue, Number.MAX_SAFE_INTEGER),
    add({ queue, id, body, attributes: user, delaySeconds }: SentMessage): void {
      const now = Date.now();
      add.run(queue, id, body, JSON.stringify(user), now, now + delaySeconds * 1000);
      arrivals.emit("arrived", queue);
    },
    /** The time at which the next message of a queue is visible; `undefined` for an empty queue. */
    nextVisible: (queue: string) =>
      z.object({ time: z.number().nullable() }).parse(earliest.get(queue)).time ?? undefined,
    /** Hides a message for its receiver. */
    receive: ({ place }: QueueMessage, visibleAt: number) =>
      message.parse(receive.get(visibleAt, Date.now(), place)),
    /** Changes when a received message is visible again, unless it was received again meanwhile. */
    hide: ({ place, receiveCount }: QueueMessage, visibleAt: number) =>
      void hide.run(visibleAt, place, receiveCount),
    /** Deletes a received message. As in SQS, a receiver that a later receive has replaced deletes no message. */
    remove: ({ place, receiveCount }: QueueMessage) => void remove.run(place, receiveCount),
    /** Moves a message to another queue as a new message. */
    move({ place }: QueueMessage, queue: string): void {
      move.run(queue, place);
      arrivals.emit("arrived", queue);
    },
    close: () => database.close(),
  };
}
