import { createServer } from "node:http";
import {
  AwsFailure,
  type AwsOperation,
  type Dice,
  listen,
  makeAwsListener,
  makeOperation,
} from "../stand-in.ts";
import * as schema from "./message.ts";
import { bodyDigest, checkSize, receivedReply } from "./message.ts";
import { createQueue, openStore, type StoredQueue } from "./queue.ts";

const ACCOUNT = "000000000000";

export type QueueSettings = {
  readonly name: string;
  /** Seconds for which a received message stays hidden. A receiver may choose another visibility time. */
  readonly visibilitySeconds: number;
  /** The number of receives after which a message moves to `deadLetterQueue`; ignored if the queue has no dead-letter queue. */
  readonly maxReceiveCount?: number | undefined;
  /** The name of another queue that is started together with this queue. */
  readonly deadLetterQueue?: string | undefined;
};

type QueuesOptions = {
  /** The port; 0 takes any free port. */
  readonly port: number;
  /**
   * The directory in which messages are stored for the next start, for one process at a time; without a directory, messages are in memory.
   */
  readonly directory?: string | undefined;
  readonly queues: readonly QueueSettings[];
  /** Whether messages are delivered in any order, and sometimes twice. */
  readonly rough?: Dice | undefined;
};

export type Queues = {
  readonly endpoint: string;
  /** Returns a queue's URL for clients. Throws for an unknown name. */
  readonly queueUrl: (name: string) => string;
  readonly stop: () => Promise<void>;
};

/**
 * Starts a small SQS with the AWS JSON protocol on the loopback interface. The stand-in has only standard queues: messages are delivered at
 * least once, and in order of arrival unless the stand-in is rough. Throws if the settings name a missing dead-letter queue or a FIFO
 * queue, or if the port is taken.
 */
export async function startQueues(options: QueuesOptions): Promise<Queues> {
  check(options.queues);
  const store = openStore(options.directory);
  const server = createServer();
  const { endpoint, stop } = await listen(server, options.port).catch((error: unknown) => {
    store.close();
    throw error;
  });

  const arn = (name: string) => `arn:aws:sqs:us-east-1:${ACCOUNT}:${name}`;
  const served = new Map<string, Served>();
  const open = (settings: QueueSettings): StoredQueue => {
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
      arn: arn(settings.name),
      queue: open(settings),
    });
  }

  const invalid = (message: string) =>
    new AwsFailure("InvalidParameterValueException", message, { queryCode: "InvalidParameterValue" });
  server.on(
    "request",
    makeAwsListener({ target: "AmazonSQS", operations: makeQueueOperations(served), invalid }),
  );

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

type Served = {
  readonly url: string;
  readonly visibilitySeconds: number;
  readonly arn: string;
  readonly queue: StoredQueue;
};

/** The actions of SQS that the service's clients use, on the given queues. */
export function makeQueueOperations(
  queues: ReadonlyMap<string, Served>,
): Readonly<Record<string, AwsOperation>> {
  // Only the queue's name in a URL matters, so a URL from an earlier start or through a proxy still works.
  const at = (url: string): Served => {
    const name = url.split("/").at(-1) ?? "";
    const served = queues.get(name);
    if (served !== undefined) return served;
    throw new AwsFailure("QueueDoesNotExist", `The specified queue ${name} does not exist.`, {
      queryCode: "AWS.SimpleQueueService.NonExistentQueue",
    });
  };

  return {
    GetQueueAttributes: makeOperation(schema.getAttributes, ({ QueueUrl, AttributeNames }) => {
      const { arn, queue } = at(QueueUrl);
      const counts = queue.counts();
      const all = {
        QueueArn: arn,
        ApproximateNumberOfMessages: String(counts.visible),
        ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
        ApproximateNumberOfMessagesDelayed: String(counts.delayed),
      };
      const isAsked = (name: string) => AttributeNames.includes("All") || AttributeNames.includes(name);
      return { Attributes: Object.fromEntries(Object.entries(all).filter(([name]) => isAsked(name))) };
    }),
    SendMessage: makeOperation(schema.sendMessage, (input) => {
      checkSize(input);
      const { id, body } = at(input.QueueUrl).queue.send(input);
      return { MessageId: id, MD5OfMessageBody: bodyDigest(body) };
    }),
    ReceiveMessage: makeOperation(schema.receiveMessage, async (input, gone) => {
      const { queue, visibilitySeconds } = at(input.QueueUrl);
      const messages = await queue.receive({
        max: input.MaxNumberOfMessages,
        waitSeconds: input.WaitTimeSeconds,
        visibilitySeconds: input.VisibilityTimeout ?? visibilitySeconds,
        gone,
      });
      if (messages.length === 0) return {};
      return { Messages: messages.map((message) => receivedReply(message, input)) };
    }),
    DeleteMessage: makeOperation(schema.deleteMessage, ({ QueueUrl, ReceiptHandle }) =>
      at(QueueUrl).queue.remove(ReceiptHandle),
    ),
    DeleteMessageBatch: makeOperation(schema.deleteMessageBatch, ({ QueueUrl, Entries }) => {
      const { queue } = at(QueueUrl);
      const refused = new Map(Entries.map(({ Id, ReceiptHandle }) => [Id, tryDelete(queue, ReceiptHandle)]));
      return {
        Successful: Entries.filter(({ Id }) => refused.get(Id) === undefined).map(({ Id }) => ({ Id })),
        Failed: Entries.flatMap(({ Id }) => {
          const failure = refused.get(Id);
          if (failure === undefined) return [];
          return [{ Id, Code: failure.type, Message: failure.message, SenderFault: true }];
        }),
      };
    }),
  };
}

/** Deletes a message, or returns the reason of SQS's refusal, so that a refused entry does not affect the other entries. */
function tryDelete(queue: StoredQueue, receipt: string): AwsFailure | undefined {
  try {
    queue.remove(receipt);
    return undefined;
  } catch (error) {
    if (error instanceof AwsFailure) return error;
    throw error;
  }
}
