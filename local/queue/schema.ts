import * as z from "zod";

/** Bytes of a message with its attributes, and of a whole batch (SQS quota "Message size", 1 MiB). */
export const MAX_MESSAGE_BYTES = 1_048_576;
const MAX_ENTRIES = 10;

/** A user attribute as it travels: binary values are base64. */
const attribute = z.object({
  DataType: z
    .string()
    .regex(/^(String|Number|Binary)(\..+)?$/, "Attribute types begin with String, Number or Binary."),
  StringValue: z.string().optional(),
  BinaryValue: z.base64().optional(),
});
export const attributes = z.record(z.string().min(1).max(256), attribute);
export type Attributes = Readonly<z.output<typeof attributes>>;

/** A message as the journal keeps it. Times are milliseconds since the epoch. */
export const message = z
  .object({
    id: z.string(),
    body: z.string(),
    attributes,
    traceHeader: z.string().optional(),
    sentAt: z.number(),
    /** Nobody receives the message before this moment. */
    visibleAt: z.number(),
    receiveCount: z.number(),
    firstReceivedAt: z.number().optional(),
    /** The latest receipt handle; older ones no longer delete. */
    receipt: z.string().optional(),
    /** ARN of the queue that gave the message up. */
    deadLetterSource: z.string().optional(),
  })
  .readonly();
export type Message = z.output<typeof message>;

/** Characters outside XML 1.0 are refused by SQS (`InvalidMessageContents`). */
const ALLOWED_TEXT = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;

const delay = z.int().min(0).max(900);
const visibility = z.int().min(0).max(43_200);
const queueUrl = z.object({ QueueUrl: z.url() });
const receipt = z.object({ ReceiptHandle: z.string() });

const sent = z.object({
  MessageBody: z.string().min(1).regex(ALLOWED_TEXT, "The text holds characters that SQS refuses."),
  DelaySeconds: delay.optional(),
  MessageAttributes: attributes
    .refine((all) => Object.keys(all).length <= MAX_ENTRIES, "At most ten attributes.")
    .default({}),
  MessageSystemAttributes: z
    .object({ AWSTraceHeader: z.object({ StringValue: z.string() }).optional() })
    .default({}),
});
export type Sent = z.output<typeof sent>;

const entryId = z.object({ Id: z.string() });

export const sendMessage = sent.extend(queueUrl.shape);
export const sendMessageBatch = queueUrl.extend({ Entries: z.array(sent.extend(entryId.shape)) });
export const receiveMessage = queueUrl.extend({
  MaxNumberOfMessages: z.int().min(1).max(MAX_ENTRIES).default(1),
  WaitTimeSeconds: z.int().min(0).max(20).default(0),
  VisibilityTimeout: visibility.optional(),
  MessageAttributeNames: z.array(z.string()).default([]),
  MessageSystemAttributeNames: z.array(z.string()).default([]),
  AttributeNames: z.array(z.string()).default([]),
});
export const deleteMessage = queueUrl.extend(receipt.shape);
export const deleteMessageBatch = queueUrl.extend({ Entries: z.array(receipt.extend(entryId.shape)) });
export const changeVisibility = deleteMessage.extend({ VisibilityTimeout: visibility });
export const getQueueUrl = z.object({ QueueName: z.string() });
export const getAttributes = queueUrl.extend({ AttributeNames: z.array(z.string()).default([]) });
export const purge = queueUrl;
