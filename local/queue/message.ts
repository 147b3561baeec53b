import { createHash } from "node:crypto";
import * as z from "zod";
import { AwsFailure } from "../stand-in.ts";

/** The maximum size in bytes of a message with its attributes (SQS quota "Message size", 1 MiB). */
const MAX_MESSAGE_BYTES = 1_048_576;
const MAX_ENTRIES = 10;

/** User attributes. The service sends only attributes that are texts. */
const attributes = z
  .record(z.string().min(1).max(256), z.object({ DataType: z.literal("String"), StringValue: z.string() }))
  .refine((all) => Object.keys(all).length <= MAX_ENTRIES, "At most ten attributes.");

/** A message in the journal, with times in milliseconds since the epoch. */
export const message = z
  .object({
    id: z.string(),
    body: z.string(),
    attributes,
    sentAt: z.number(),
    /** The time until which the message is hidden. */
    visibleAt: z.number(),
    receiveCount: z.number(),
    firstReceivedAt: z.number().optional(),
    /** The latest receipt handle. Older receipt handles cannot delete the message. */
    receipt: z.string().optional(),
    /** The ARN of the queue that moved the message to this dead-letter queue. */
    deadLetterSource: z.string().optional(),
  })
  .readonly();
export type QueueMessage = z.output<typeof message>;

/** SQS refuses characters outside XML 1.0 (`InvalidMessageContents`). */
const ALLOWED_TEXT = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;

/** The stand-in refuses parameters that it does not know. */
const queueUrl = z.strictObject({ QueueUrl: z.url() });
const receipt = z.object({ ReceiptHandle: z.string() });

export const sendMessage = queueUrl.extend({
  MessageBody: z.string().min(1).regex(ALLOWED_TEXT, "The text holds characters that SQS refuses."),
  DelaySeconds: z.int().min(0).max(900).default(0),
  MessageAttributes: attributes.default({}),
});
export const receiveMessage = queueUrl.extend({
  MaxNumberOfMessages: z.int().min(1).max(MAX_ENTRIES).default(1),
  WaitTimeSeconds: z.int().min(0).max(20).default(0),
  VisibilityTimeout: z.int().min(0).max(43_200).optional(),
  MessageAttributeNames: z.array(z.string()).default([]),
  MessageSystemAttributeNames: z.array(z.string()).default([]),
});
export const deleteMessage = queueUrl.extend(receipt.shape);
export const deleteMessageBatch = queueUrl.extend({
  Entries: z
    .array(receipt.extend({ Id: z.string().regex(/^[\w-]{1,80}$/) }))
    .min(1)
    .max(MAX_ENTRIES),
});
export const getAttributes = queueUrl.extend({ AttributeNames: z.array(z.string()).default([]) });

/** SQS's MD5 of a body, in hexadecimal. */
export function bodyDigest(body: string): string {
  return createHash("md5").update(body).digest("hex");
}

/** Refuses a message that is too large for SQS. */
export function checkSize({ MessageBody, MessageAttributes }: z.output<typeof sendMessage>): void {
  const parts = Object.entries(MessageAttributes).flatMap(([name, value]) => [name, ...Object.values(value)]);
  const size = [MessageBody, ...parts].reduce((total, part) => total + Buffer.byteLength(part), 0);
  if (size <= MAX_MESSAGE_BYTES) return;
  throw new AwsFailure(
    "InvalidParameterValueException",
    `A message must be shorter than ${MAX_MESSAGE_BYTES} bytes.`,
    { queryCode: "InvalidParameterValue" },
  );
}

/** The answer of `ReceiveMessage` for one message. The answer contains the attributes that the request asks for. */
export function receivedReply(
  { id, receipt: handle, body, attributes: user, ...counted }: QueueMessage,
  asked: z.output<typeof receiveMessage>,
) {
  const system = Object.entries({
    SenderId: "AIDALOCALSENDER",
    SentTimestamp: String(counted.sentAt),
    ApproximateReceiveCount: String(counted.receiveCount),
    ApproximateFirstReceiveTimestamp: String(counted.firstReceivedAt),
    DeadLetterQueueSourceArn: counted.deadLetterSource,
  }).filter(([name, value]) => value !== undefined && asksFor(asked.MessageSystemAttributeNames, name));
  const own = Object.entries(user).filter(([name]) => asksFor(asked.MessageAttributeNames, name));
  return {
    MessageId: id,
    ReceiptHandle: handle,
    MD5OfBody: bodyDigest(body),
    Body: body,
    ...(system.length > 0 && { Attributes: Object.fromEntries(system) }),
    ...(own.length > 0 && { MessageAttributes: Object.fromEntries(own) }),
  };
}

function asksFor(names: readonly string[], name: string): boolean {
  return names.includes("All") || names.includes(name);
}
