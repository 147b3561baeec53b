import { createServer } from "node:http";
import { AwsFailure, awsJson } from "../wire/aws-json.ts";
import { listen } from "../wire/listen.ts";
import { operations, type Served } from "./operations.ts";
import { createQueue, type Queue } from "./queue.ts";
import { MAX_MESSAGE_BYTES } from "./schema.ts";
import { openStore } from "./store.ts";

const ACCOUNT = "000000000000";

export type QueueSettings = {
  /** Name of a standard queue. */
  readonly name: string;
  /** Seconds for which a received message stays hidden unless the receiver says otherwise. */
  readonly visibilitySeconds: number;
  /** Receives after which a message moves to `deadLetterQueue`; means nothing without one. */
  readonly maxReceiveCount?: number | undefined;
  /** Name of another queue of the same start. */
  readonly deadLetterQueue?: string | undefined;
};

export type QueuesOptions = {
  /** 0 takes a free port. */
  readonly port: number;
  /** Where messages survive a restart; without it they live in memory. One process at a time may use it. */
  readonly directory?: string | undefined;
  readonly queues: readonly QueueSettings[];
  /** Region in the queues' ARNs; `us-east-1` unless given. */
  readonly region?: string | undefined;
};

export type Queues = {
  readonly endpoint: string;
  /** The URL that clients pass. Throws for a name that was not configured. */
  readonly queueUrl: (name: string) => string;
  readonly stop: () => Promise<void>;
};

/**
 * Starts a small SQS that speaks the AWS JSON protocol on the loopback interface.
 *
 * Standard queues only: messages are handed out in order of arrival, at least once. Throws for settings
 * that name a missing dead-letter queue or a FIFO queue, and when the port is taken.
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
      return createQueue(name, arn(name), store, undefined);
    const arrived = () => served.get(deadLetterQueue)?.queue.wake();
    return createQueue(name, arn(name), store, { maxReceiveCount, deadLetterQueue, arrived });
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
