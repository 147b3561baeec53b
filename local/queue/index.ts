import { createServer } from "node:http";
import { AwsFailure, awsJson, type Dice, listen, type Operation, operation } from "../stand-in.ts";
import * as schema from "./message.ts";
import { checkSize, MAX_MESSAGE_BYTES, receivedReply, sentReply, toDraft } from "./message.ts";
import { createQueue, openStore, type Queue } from "./queue.ts";

const ACCOUNT = "000000000000";

export type QueueSettings = {
  readonly name: string;
  /** Seconds for which a received message stays hidden. A receiver may choose another time. */
  readonly visibilitySeconds: number;
  /** The receives after which a message moves to `deadLetterQueue`. Ignored without one. */
  readonly maxReceiveCount?: number | undefined;
  /** The name of another queue in the same start. */
  readonly deadLetterQueue?: string | undefined;
};

type QueuesOptions = {
  /** 0 takes any free port. */
  readonly port: number;
  /**
   * The directory in which messages survive a restart, for one process at a time. Without it they are in
   * memory.
   */
  readonly directory?: string | undefined;
  readonly queues: readonly QueueSettings[];
  /** The region in the queues' ARNs. The default is `us-east-1`. */
  readonly region?: string | undefined;
  /** Delivers messages in any order, and sometimes twice. */
  readonly rough?: Dice | undefined;
};

export type Queues = {
  readonly endpoint: string;
  /** The URL for clients. Throws for an unknown name. */
  readonly queueUrl: (name: string) => string;
  readonly stop: () => Promise<void>;
};

/**
 * Starts a small SQS with the AWS JSON protocol on the loopback interface. It has only standard queues:
 * messages are delivered at least once, in order of arrival unless it is rough. Throws if the settings name a
 * missing dead-letter queue or a FIFO queue, or if the port is taken.
 */
export async function startQueues(options: QueuesOptions): Promise<Queues> {
  check(options.queues);
  const store = openStore(options.directory);
  const server = createServer();
  const { endpoint, stop } = await listen(server, options.port).catch((error: unknown) => {
    store.close();
    throw error;
  });

  const arn = (name: string) => `arn:aws:sqs:${options.region ?? "us-east-1"}:${ACCOUNT}:${name}`;
  const served = new Map<string, Served>();
  const open = (settings: QueueSettings): Queue => {
    const { name, maxReceiveCount, deadLetterQueue } = settings;
    if (maxReceiveCount === undefined || deadLetterQueue === undefined)
      return createQueue(name, arn(name), store, undefined, options.rough);
    const arrived = () => served.get(deadLetterQueue)?.queue.wake();
    return createQueue(name, arn(name), store, { maxReceiveCount, deadLetterQueue, arrived }, options.rough);
  };
  for (const settings of options.queues) {
    served.set(settings.name, {
      url: `${endpoint}/${ACCOUNT}/${settings.name}`,
      visibilitySeconds: settings.visibilitySeconds,
      attributes: fixedAttributes(settings, arn),
      queue: open(settings),
    });
  }

  const invalid = (message: string) =>
    new AwsFailure("InvalidParameterValueException", message, { queryCode: "InvalidParameterValue" });
  server.on("request", awsJson({ target: "AmazonSQS", operations: operations(served), invalid }));

  return {
    endpoint,
    queueUrl: (name) => {
      const url = served.get(name)?.url;
      if (url === undefined) throw new Error(`No queue is called ${name}.`);
      return url;
    },
    stop: async () => {
      for (const { queue } of served.values()) queue.stop();
      await stop();
      store.close();
    },
  };
}

function check(queues: readonly QueueSettings[]): void {
  const names = new Set(queues.map(({ name }) => name));
  if (names.size < queues.length) throw new Error("Two queues have the same name.");
  for (const { name, deadLetterQueue } of queues) {
    if (!/^[\w-]{1,80}$/.test(name)) throw new Error(`"${name}" cannot name a standard queue.`);
    if (deadLetterQueue !== undefined && (deadLetterQueue === name || !names.has(deadLetterQueue))) {
      throw new Error(
        `The dead-letter queue ${deadLetterQueue} of ${name} is not another queue of this start.`,
      );
    }
  }
}

function fixedAttributes(
  settings: QueueSettings,
  arn: (name: string) => string,
): Readonly<Record<string, string>> {
  const { name, visibilitySeconds, maxReceiveCount, deadLetterQueue } = settings;
  const redrive = maxReceiveCount !== undefined && deadLetterQueue !== undefined;
  return {
    QueueArn: arn(name),
    VisibilityTimeout: String(visibilitySeconds),
    DelaySeconds: "0",
    ReceiveMessageWaitTimeSeconds: "0",
    MaximumMessageSize: String(MAX_MESSAGE_BYTES),
    ...(redrive && {
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn(deadLetterQueue), maxReceiveCount }),
    }),
  };
}

type Served = {
  readonly url: string;
  readonly visibilitySeconds: number;
  /** The fixed attributes in GetQueueAttributes' answer. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly queue: Queue;
};

/** SQS's actions on the given queues, which are found by name or by the last part of their URL. */
export function operations(queues: ReadonlyMap<string, Served>): Readonly<Record<string, Operation>> {
  const named = (name: string): Served => {
    const served = queues.get(name);
    if (served === undefined) {
      throw new AwsFailure("QueueDoesNotExist", `The specified queue ${name} does not exist.`, {
        queryCode: "AWS.SimpleQueueService.NonExistentQueue",
      });
    }
    return served;
  };
  // Only the name in a URL counts, so a URL from an earlier start or through a proxy still works.
  const at = (url: string): Served => named(url.split("/").at(-1) ?? "");

  return {
    GetQueueUrl: operation(schema.getQueueUrl, ({ QueueName }) => ({ QueueUrl: named(QueueName).url })),
    GetQueueAttributes: operation(schema.getAttributes, ({ QueueUrl, AttributeNames }) => ({
      Attributes: queueAttributes(at(QueueUrl), AttributeNames),
    })),
    SendMessage: operation(schema.sendMessage, (input) => {
      const draft = toDraft(input);
      checkSize([draft], "InvalidParameterValueException");
      return at(input.QueueUrl).queue.send([draft]).map(sentReply)[0];
    }),
    SendMessageBatch: operation(schema.sendMessageBatch, ({ QueueUrl, Entries }) => {
      checkBatch(Entries);
      const drafts = Entries.map(toDraft);
      checkSize(drafts, "BatchRequestTooLong");
      const sent = at(QueueUrl).queue.send(drafts).map(sentReply);
      return { Successful: sent.map((reply, index) => ({ Id: Entries[index]?.Id, ...reply })), Failed: [] };
    }),
    ReceiveMessage: operation(schema.receiveMessage, async (input, gone) => {
      const { queue, visibilitySeconds } = at(input.QueueUrl);
      const messages = await queue.receive({
        max: input.MaxNumberOfMessages,
        waitSeconds: input.WaitTimeSeconds,
        visibilitySeconds: input.VisibilityTimeout ?? visibilitySeconds,
        gone,
      });
      if (messages.length === 0) return {};
      const system = [...input.MessageSystemAttributeNames, ...input.AttributeNames];
      const names = { system, user: input.MessageAttributeNames };
      return { Messages: messages.map((message) => receivedReply(message, names)) };
    }),
    DeleteMessage: operation(schema.deleteMessage, ({ QueueUrl, ReceiptHandle }) =>
      at(QueueUrl).queue.remove(ReceiptHandle),
    ),
    DeleteMessageBatch: operation(schema.deleteMessageBatch, ({ QueueUrl, Entries }) => {
      checkBatch(Entries);
      const { queue } = at(QueueUrl);
      return eachEntry(Entries, ({ ReceiptHandle }) => queue.remove(ReceiptHandle));
    }),
    ChangeMessageVisibility: operation(
      schema.changeVisibility,
      ({ QueueUrl, ReceiptHandle, VisibilityTimeout }) =>
        at(QueueUrl).queue.changeVisibility(ReceiptHandle, VisibilityTimeout),
    ),
    PurgeQueue: operation(schema.purge, ({ QueueUrl }) => at(QueueUrl).queue.purge()),
  };
}

function queueAttributes(
  { attributes, queue }: Served,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const counts = queue.counts();
  const all: Record<string, string> = {
    ...attributes,
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
  };
  if (names.includes("All")) return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

type Entry = { readonly Id: string };
type Failed = { Id: string; Code: string; Message: string; SenderFault: boolean };

const MAX_ENTRIES = 10;

/** Refuses a batch as SQS does: empty, too many entries, invalid or repeated ids. */
function checkBatch(entries: readonly Entry[]): void {
  if (entries.length === 0)
    throw refusal("EmptyBatchRequest", "There should be at least one entry in the request.");
  if (entries.length > MAX_ENTRIES) {
    throw refusal("TooManyEntriesInBatchRequest", `Maximum number of entries per request is ${MAX_ENTRIES}.`);
  }
  if (!entries.every(({ Id }) => /^[\w-]{1,80}$/.test(Id))) {
    throw refusal("InvalidBatchEntryId", "An id has 1 to 80 letters, digits, hyphens and underscores.");
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw refusal("BatchEntryIdsNotDistinct", "Two or more entries share an id.");
  }
}

/** Runs each entry by itself, so that a refused entry does not affect the others. */
function eachEntry<T extends Entry>(
  entries: readonly T[],
  run: (entry: T) => void,
): { readonly Successful: Entry[]; readonly Failed: Failed[] } {
  const result: { Successful: Entry[]; Failed: Failed[] } = { Successful: [], Failed: [] };
  for (const entry of entries) {
    try {
      run(entry);
      result.Successful.push({ Id: entry.Id });
    } catch (error) {
      if (!(error instanceof AwsFailure)) throw error;
      result.Failed.push({ Id: entry.Id, Code: error.type, Message: error.message, SenderFault: true });
    }
  }
  return result;
}

function refusal(type: string, message: string): AwsFailure {
  return new AwsFailure(type, message, { queryCode: `AWS.SimpleQueueService.${type}` });
}
