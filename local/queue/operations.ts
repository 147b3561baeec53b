import { AwsFailure, type Operation, operation } from "../wire/aws-json.ts";
import { checkBatch, eachEntry } from "./batch.ts";
import type { Queue } from "./queue.ts";
import * as schema from "./schema.ts";
import { checkSize, receivedReply, sentReply, toDraft } from "./wire.ts";

export type Served = {
  readonly url: string;
  readonly visibilitySeconds: number;
  /** The attributes that do not change, as GetQueueAttributes answers them. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly queue: Queue;
};

/** The actions of SQS over the given queues, found by name or by the last part of their URL. */
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
  // Only the name counts, so that a URL kept from an earlier start or seen through a proxy still works.
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
