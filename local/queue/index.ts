import { createHash, randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import {
  AwsFailure,
  type Dice,
  type LocalServer,
  listen,
  makeAwsListener,
  makeOperation,
} from "../stand-in.ts";
import { type Consumer, type ConsumerOptions, startConsumer } from "./consumer.ts";

export type QueueSettings = {
  readonly name: string;
  /** Seconds for which a delivered message stays hidden. */
  readonly visibilitySeconds: number;
  /** The number of deliveries after which a message moves to `deadLetterQueue`. Without a dead-letter queue, the number has no effect. */
  readonly maxReceiveCount?: number | undefined;
  /** The name of another queue that is started together with this queue. */
  readonly deadLetterQueue?: string | undefined;
};

type QueuesOptions = {
  /**
   * The directory in which messages are stored for the next start. Only one process at a time can use the directory. Without a directory,
   * messages are kept in memory.
   */
  readonly directory?: string | undefined;
  readonly queues: readonly QueueSettings[];
  /** Whether messages are delivered in any order, and sometimes twice. */
  readonly rough?: Dice | undefined;
};

export type Queues = LocalServer & {
  /** Returns a queue's URL for clients. Throws for an unknown name. */
  readonly queueUrl: (name: string) => string;
  /** Returns all messages of a queue, including hidden messages, in order of arrival. */
  readonly messages: (name: string) => readonly QueueMessage[];
  /** Passes a queue's messages to a handler, as Lambda does. Throws for an unknown name. */
  readonly consume: (name: string, options: ConsumerOptions) => Consumer;
};

/**
 * Starts a small SQS on the loopback interface. The stand-in takes messages by `SendMessage` over the AWS JSON protocol, delivers them to
 * the consumers of this process, and refuses every other action. There are only standard queues: messages are delivered at least once, and
 * in order of arrival unless `rough` is set.
 */
export async function startQueues({ directory, queues, rough }: QueuesOptions): Promise<Queues> {
  const byName = new Map(queues.map((settings) => [settings.name, settings]));
  const store = openStore(directory);
  const operations = {
    SendMessage: makeOperation(sendMessage, (input) => {
      // In a queue's URL, only the name of the queue matters, so a URL from an earlier start or with a proxy's address still works.
      const queue = input.QueueUrl.split("/").at(-1) ?? "";
      if (!byName.has(queue)) throw makeQueueError(queue);
      checkSize(input);
      const { MessageBody: body, MessageAttributes, DelaySeconds } = input;
      const id = randomUUID();
      store.add({ queue, id, body, attributes: MessageAttributes, delaySeconds: DelaySeconds });
      return { MessageId: id, MD5OfMessageBody: createHash("md5").update(body).digest("hex") };
    }),
  };
  const server = createServer(makeAwsListener({ target: "AmazonSQS", operations, makeInputError }));
  const { endpoint, stop } = await listen(server);
  const find = (name: string) => {
    const settings = byName.get(name);
    if (settings === undefined) throw new Error(`No queue is called ${name}.`);
    return settings;
  };
  return {
    endpoint,
    queueUrl: (name) => `${endpoint}/000000000000/${find(name).name}`,
    messages: store.messages,
    consume: (name, options) => startConsumer(store, find(name), options, rough),
    stop: async () => {
      await stop();
      store.close();
    },
  };
}

/** The message attributes that the sender has set. The service sends only attributes of the data type `String`. */
const attributes = z
  .record(z.string().min(1).max(256), z.object({ DataType: z.literal("String"), StringValue: z.string() }))
  .refine((all) => Object.keys(all).length <= 10, "At most ten attributes.");

/** SQS refuses characters outside XML 1.0 (`InvalidMessageContents`). */
const allowedText = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;

/** The stand-in refuses parameters that it does not know. */
const sendMessage = z.strictObject({
  QueueUrl: z.url(),
  MessageBody: z.string().min(1).regex(allowedText, "The text holds characters that SQS refuses."),
  DelaySeconds: z.int().min(0).max(900).default(0),
  MessageAttributes: attributes.default({}),
});

/** The maximum size in bytes of a message with its attributes (SQS quota "Message size", 1 MiB). */
const maxMessageBytes = 1_048_576;

/** Refuses a message that is too large for SQS. */
function checkSize({ MessageBody, MessageAttributes }: z.output<typeof sendMessage>): void {
  const parts = Object.entries(MessageAttributes).flatMap(([name, value]) => [name, ...Object.values(value)]);
  const size = [MessageBody, ...parts].reduce((total, part) => total + Buffer.byteLength(part), 0);
  if (size > maxMessageBytes)
    throw makeInputError(`A message must be shorter than ${maxMessageBytes} bytes.`);
}

function makeInputError(message: string): AwsFailure {
  return new AwsFailure("InvalidParameterValueException", message, { queryCode: "InvalidParameterValue" });
}

function makeQueueError(name: string): AwsFailure {
  const queryCode = "AWS.SimpleQueueService.NonExistentQueue";
  return new AwsFailure("QueueDoesNotExist", `The specified queue ${name} does not exist.`, { queryCode });
}

/** A stored message, with times in milliseconds since the epoch. */
const message = z
  .object({
    /** The message's position in the order of arrival. */
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
 * Opens the store of messages in a directory, or in memory if no directory is given. Before a call returns, its change is given to the
 * operating system, so the change is not lost if the process is killed later. Throws if the file is damaged.
 */
function openStore(directory: string | undefined) {
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
    /** The time at which the next message of a queue becomes visible; `undefined` for an empty queue. */
    nextVisible: (queue: string) =>
      z.object({ time: z.number().nullable() }).parse(earliest.get(queue)).time ?? undefined,
    /** Hides a message from other receivers while its receiver handles the message. */
    receive: ({ place }: QueueMessage, visibleAt: number) =>
      message.parse(receive.get(visibleAt, Date.now(), place)),
    /** Changes the time at which a received message becomes visible again, unless the message was received again meanwhile. */
    hide: ({ place, receiveCount }: QueueMessage, visibleAt: number) =>
      void hide.run(visibleAt, place, receiveCount),
    /** Deletes a received message. As in SQS, a receiver cannot delete a message that was received again later. */
    remove: ({ place, receiveCount }: QueueMessage) => void remove.run(place, receiveCount),
    /** Moves a message to another queue as a new message. */
    move({ place }: QueueMessage, queue: string): void {
      move.run(queue, place);
      arrivals.emit("arrived", queue);
    },
    close: () => database.close(),
  };
}
