import { randomUUID } from "node:crypto";
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
import { AwsFailure, type Dice } from "../stand-in.ts";
import { message, type QueueMessage, type sendMessage } from "./message.ts";

type Receive = {
  readonly max: number;
  readonly waitSeconds: number;
  readonly visibilitySeconds: number;
  /** The signal fires when the caller disconnects, so that no message is lost. */
  readonly gone: AbortSignal;
};

type Redrive = {
  readonly maxReceiveCount: number;
  readonly deadLetterQueue: string;
  readonly arrived: () => void;
};

type Counts = { readonly visible: number; readonly inFlight: number; readonly delayed: number };

export type StoredQueue = {
  readonly send: (
    sent: Pick<z.output<typeof sendMessage>, "MessageBody" | "MessageAttributes" | "DelaySeconds">,
  ) => QueueMessage;
  readonly receive: (request: Receive) => Promise<readonly QueueMessage[]>;
  /** Deletes a message by its receipt handle. As in SQS, a handle that a later receive has replaced deletes no message. */
  readonly remove: (receipt: string) => void;
  readonly counts: () => Counts;
  /** Gives visible messages to waiting receivers. */
  readonly wake: () => void;
  /** Answers waiting receivers without messages. */
  readonly stop: () => void;
};

type WaitingReceive = {
  readonly request: Receive;
  readonly settle: (messages: readonly QueueMessage[]) => void;
};

/**
 * The chance that a rough queue delivers a message to two receivers or again after its deletion, and the maximum delay of the second
 * delivery in milliseconds.
 */
const givenTwice = 0.1;
const keptDeleted = 0.1;
const again = 1_000;

/**
 * A standard queue with at-least-once delivery and visibility timeouts, whose messages go to the dead-letter queue after `maxReceiveCount`
 * receives. A rough queue may change the order of messages and deliver a message twice, as SQS may (Developer Guide, "Standard queues").
 */
export function createQueue(
  name: string,
  arn: string,
  store: Store,
  redrive: Redrive | undefined,
  rough?: Dice,
): StoredQueue {
  const waiters = new Set<WaitingReceive>();
  let alarm: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;

  const messages = () => store.messages(name);
  const put = (message: QueueMessage): JournalChange => ({ op: "put", queue: name, message });
  const drop = (id: string): JournalChange => ({ op: "drop", queue: name, id });

  function deadLetter({ id, body, attributes, sentAt }: QueueMessage, to: string): readonly JournalChange[] {
    const moved = { id, body, attributes, sentAt, visibleAt: 0, receiveCount: 0, deadLetterSource: arn };
    return [drop(id), { op: "put", queue: to, message: moved }];
  }

  function take(max: number, visibilitySeconds: number): readonly QueueMessage[] {
    const at = Date.now();
    const taken: QueueMessage[] = [];
    const deadLetters: JournalChange[] = [];
    for (const message of orderMessages(
      [...messages().values()].filter(({ visibleAt }) => visibleAt <= at),
    )) {
      if (taken.length === max) break;
      if (redrive !== undefined && message.receiveCount >= redrive.maxReceiveCount) {
        deadLetters.push(...deadLetter(message, redrive.deadLetterQueue));
        continue;
      }
      taken.push({
        ...message,
        visibleAt:
          at + (rough?.chance(givenTwice) === true ? rough.between(0, again) : visibilitySeconds * 1000),
        receiveCount: message.receiveCount + 1,
        firstReceivedAt: message.firstReceivedAt ?? at,
        receipt: `${message.id}.${randomUUID()}`,
      });
    }
    store.commit([...taken.map(put), ...deadLetters]);
    if (deadLetters.length > 0) redrive?.arrived();
    return taken;
  }

  function orderMessages(visible: readonly QueueMessage[]): readonly QueueMessage[] {
    if (rough === undefined) return visible;
    return visible
      .map((message) => ({ message, place: rough.between(0, visible.length * visible.length) }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ message }) => message);
  }

  /** Serves waiting receivers after the current events, so that a receiver that has just disconnected is already removed. */
  function wake(): void {
    if (waiters.size === 0) return;
    clearImmediate(soon);
    soon = setImmediate(serve);
  }

  function serve(): void {
    for (const waiter of [...waiters]) {
      const taken = take(waiter.request.max, waiter.request.visibilitySeconds);
      if (taken.length === 0) break;
      waiter.settle(taken);
    }
    setAlarm();
  }

  function setAlarm(): void {
    clearTimeout(alarm);
    if (waiters.size === 0 || messages().size === 0) return;
    let next = Number.POSITIVE_INFINITY;
    for (const message of messages().values()) next = Math.min(next, message.visibleAt);
    alarm = setTimeout(serve, Math.max(1, next - Date.now()));
  }

  function wait(request: Receive): Promise<readonly QueueMessage[]> {
    const { promise, resolve } = Promise.withResolvers<readonly QueueMessage[]>();
    const nothing = () => waiter.settle([]);
    const timer = setTimeout(nothing, request.waitSeconds * 1000);
    const waiter: WaitingReceive = {
      request,
      settle: (taken) => {
        clearTimeout(timer);
        request.gone.removeEventListener("abort", nothing);
        waiters.delete(waiter);
        if (waiters.size === 0) clearTimeout(alarm);
        resolve(taken);
      },
    };
    request.gone.addEventListener("abort", nothing);
    waiters.add(waiter);
    setAlarm();
    return promise;
  }

  function findHeld(receipt: string): QueueMessage | undefined {
    const id = /^([0-9a-f-]{36})\.[0-9a-f-]{36}$/.exec(receipt)?.[1];
    if (id === undefined) {
      throw new AwsFailure("ReceiptHandleIsInvalid", `The receipt handle "${receipt}" is not valid.`);
    }
    const message = messages().get(id);
    return message?.receipt === receipt ? message : undefined;
  }

  return {
    send: ({ MessageBody: body, MessageAttributes: attributes, DelaySeconds }) => {
      const sentAt = Date.now();
      const visibleAt = sentAt + DelaySeconds * 1000;
      const sent = { id: randomUUID(), body, attributes, sentAt, visibleAt, receiveCount: 0 };
      store.commit([put(sent)]);
      wake();
      return sent;
    },
    receive: async (request) => {
      if (request.gone.aborted) return [];
      const taken = take(request.max, request.visibilitySeconds);
      return taken.length > 0 || request.waitSeconds === 0 ? taken : wait(request);
    },
    remove: (receipt) => {
      const message = findHeld(receipt);
      if (message === undefined) return;
      const kept = rough?.chance(keptDeleted) === true ? rough.between(0, again) : undefined;
      store.commit([
        kept === undefined ? drop(message.id) : put({ ...message, visibleAt: Date.now() + kept }),
      ]);
      wake();
    },
    counts: () => {
      const at = Date.now();
      const hidden = [...messages().values()].filter((message) => message.visibleAt > at);
      const delayed = hidden.filter((message) => message.receiveCount === 0).length;
      return { visible: messages().size - hidden.length, inFlight: hidden.length - delayed, delayed };
    },
    wake,
    stop: () => {
      for (const waiter of [...waiters]) waiter.settle([]);
    },
  };
}

const change = z.discriminatedUnion("op", [
  z.object({ op: z.literal("put"), queue: z.string(), message }),
  z.object({ op: z.literal("drop"), queue: z.string(), id: z.string() }),
]);
export type JournalChange = z.output<typeof change>;
const line = z.array(change);

type MessagesByQueue = Map<string, Map<string, QueueMessage>>;

/** The messages of all queues, in order of arrival. */
export type Store = {
  readonly messages: (queue: string) => ReadonlyMap<string, QueueMessage>;
  /** Applies the changes together: after a crash, either all changes or no changes are stored. */
  readonly commit: (changes: readonly JournalChange[]) => void;
  readonly close: () => void;
};

/**
 * Opens the messages in a directory, or in memory if no directory is given. Every commit is one line of `queues.jsonl`, which is given to
 * the operating system before the call returns, so a killed process loses no change that was answered. Opening the directory rewrites the
 * file without deleted messages. Throws if a line is unreadable, except an incomplete last line.
 */
export function openStore(directory: string | undefined): Store {
  if (directory === undefined) return makeQueueStore(new Map(), { append: () => {}, close: () => {} });
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "queues.jsonl");
  const queues = read(path);
  compact(path, queues);
  const file = openSync(path, "a");
  return makeQueueStore(queues, {
    append: (changes) => appendFileSync(file, `${JSON.stringify(changes)}\n`),
    close: () => closeSync(file),
  });
}

type QueueJournal = {
  readonly append: (changes: readonly JournalChange[]) => void;
  readonly close: () => void;
};

function makeQueueStore(queues: MessagesByQueue, journal: QueueJournal): Store {
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

function read(path: string): MessagesByQueue {
  const queues: MessagesByQueue = new Map();
  if (!existsSync(path)) return queues;
  const lines = readFileSync(path, "utf8").split("\n");
  // A whole line ends in a newline. Text after the last newline is a line that was not complete when the process died, so its caller was
  // not answered.
  for (const [index, source] of lines.slice(0, -1).entries()) {
    try {
      apply(queues, line.parse(JSON.parse(source)));
    } catch (cause) {
      throw new Error(`The queue journal ${path} is damaged at line ${index + 1}.`, { cause });
    }
  }
  return queues;
}

function compact(path: string, queues: MessagesByQueue): void {
  const lines = [...queues].flatMap(([queue, messages]) =>
    [...messages.values()].map(
      (kept) => `${JSON.stringify([{ op: "put", queue, message: kept } satisfies JournalChange])}\n`,
    ),
  );
  const fresh = `${path}.new`;
  writeFileSync(fresh, lines.join(""));
  renameSync(fresh, path);
}

function apply(queues: MessagesByQueue, changes: readonly JournalChange[]): void {
  for (const one of changes) {
    const messages = messagesOf(queues, one.queue);
    if (one.op === "put") messages.set(one.message.id, one.message);
    else messages.delete(one.id);
  }
}

function messagesOf(queues: MessagesByQueue, queue: string): Map<string, QueueMessage> {
  const known = queues.get(queue);
  if (known !== undefined) return known;
  const created = new Map<string, QueueMessage>();
  queues.set(queue, created);
  return created;
}
