import { createHash } from "node:crypto";
import * as z from "zod";
import { AwsFailure } from "../stand-in.ts";

/**
 * The largest size in bytes of a message with its attributes, and of a whole batch (SQS quota "Message size",
 * 1 MiB).
 */
export const MAX_MESSAGE_BYTES = 1_048_576;
const MAX_ENTRIES = 10;

/** A user attribute on the wire. Binary values are base64. */
const attribute = z.object({
  DataType: z
    .string()
    .regex(/^(String|Number|Binary)(\..+)?$/, "Attribute types begin with String, Number or Binary."),
  StringValue: z.string().optional(),
  BinaryValue: z.base64().optional(),
});
export const attributes = z.record(z.string().min(1).max(256), attribute);
export type Attributes = Readonly<z.output<typeof attributes>>;

/** A message in the journal. Times are milliseconds since the epoch. */
export const message = z
  .object({
    id: z.string(),
    body: z.string(),
    attributes,
    traceHeader: z.string().optional(),
    sentAt: z.number(),
    /** The message is hidden until this time. */
    visibleAt: z.number(),
    receiveCount: z.number(),
    firstReceivedAt: z.number().optional(),
    /** The latest receipt handle. Older ones cannot delete the message. */
    receipt: z.string().optional(),
    /** The ARN of the queue that moved the message here. */
    deadLetterSource: z.string().optional(),
  })
  .readonly();
export type Message = z.output<typeof message>;

export type Draft = {
  readonly body: string;
  readonly attributes: Attributes;
  readonly traceHeader: string | undefined;
  readonly delaySeconds: number;
};

/** SQS refuses characters outside XML 1.0 (`InvalidMessageContents`). */
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
type Sent = z.output<typeof sent>;

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

/** SQS's MD5 of a body, in hexadecimal. */
function bodyDigest(body: string): string {
  return createHash("md5").update(body).digest("hex");
}

/**
 * SQS's MD5 of message attributes; `undefined` without attributes. Sorted by name, each of name, type and
 * value follows its length (four bytes, big-endian), and the value also follows its kind, 1 text or 2 binary
 * (SQS Developer Guide, "Calculating the MD5 message digest for message attributes").
 */
function attributesDigest(attributes: Attributes): string | undefined {
  const entries = Object.entries(attributes).sort(([a], [b]) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  if (entries.length === 0) return undefined;
  const hash = createHash("md5");
  for (const [name, { DataType, StringValue, BinaryValue }] of entries) {
    hash.update(sized(Buffer.from(name))).update(sized(Buffer.from(DataType)));
    hash.update(Buffer.of(BinaryValue === undefined ? 1 : 2));
    hash.update(
      sized(BinaryValue === undefined ? Buffer.from(StringValue ?? "") : Buffer.from(BinaryValue, "base64")),
    );
  }
  return hash.digest("hex");
}

function sized(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Parses a sent message. Refuses more than 1 MiB or an attribute of the wrong kind. */
export function toDraft(sent: Sent): Draft {
  for (const [name, { DataType, StringValue, BinaryValue }] of Object.entries(sent.MessageAttributes)) {
    const value = DataType.startsWith("Binary") ? BinaryValue : StringValue;
    if (value === undefined || (DataType.startsWith("Number") && !Number.isFinite(Number(value)))) {
      throw new AwsFailure(
        "InvalidParameterValueException",
        `The value of attribute ${name} is not a ${DataType}.`,
        {
          queryCode: "InvalidParameterValue",
        },
      );
    }
  }
  return {
    body: sent.MessageBody,
    attributes: sent.MessageAttributes,
    traceHeader: sent.MessageSystemAttributes.AWSTraceHeader?.StringValue,
    delaySeconds: sent.DelaySeconds ?? 0,
  };
}

/** Refuses messages that together exceed the limit of one request. */
export function checkSize(drafts: readonly Draft[], type: string): void {
  const sizes = drafts.map(({ body, attributes }) => {
    const values = Object.entries(attributes).flatMap(([name, value]) => [name, ...Object.values(value)]);
    return [body, ...values].reduce((total, part) => total + Buffer.byteLength(part ?? ""), 0);
  });
  if (sizes.reduce((total, size) => total + size, 0) > MAX_MESSAGE_BYTES) {
    throw new AwsFailure(type, `Messages must be shorter than ${MAX_MESSAGE_BYTES} bytes.`, {
      queryCode: type === "BatchRequestTooLong" ? `AWS.SimpleQueueService.${type}` : "InvalidParameterValue",
    });
  }
}

export function sentReply({ id, body, attributes, traceHeader }: Message) {
  const system: Attributes =
    traceHeader === undefined ? {} : { AWSTraceHeader: { DataType: "String", StringValue: traceHeader } };
  return {
    MessageId: id,
    MD5OfMessageBody: bodyDigest(body),
    MD5OfMessageAttributes: attributesDigest(attributes),
    MD5OfMessageSystemAttributes: attributesDigest(system),
  };
}

/** ReceiveMessage's answer for one message, with only the requested attributes. */
export function receivedReply(
  message: Message,
  names: { system: readonly string[]; user: readonly string[] },
) {
  const system = Object.entries(systemAttributes(message)).filter(
    ([name, value]) => value !== undefined && (names.system.includes("All") || names.system.includes(name)),
  );
  const user = Object.fromEntries(
    Object.entries(message.attributes).filter(([name]) => names.user.some((asked) => asksFor(asked, name))),
  );
  return {
    MessageId: message.id,
    ReceiptHandle: message.receipt,
    MD5OfBody: bodyDigest(message.body),
    Body: message.body,
    ...(system.length > 0 && { Attributes: Object.fromEntries(system) }),
    ...(Object.keys(user).length > 0 && {
      MessageAttributes: user,
      MD5OfMessageAttributes: attributesDigest(user),
    }),
  };
}

function systemAttributes(message: Message): Readonly<Record<string, string | undefined>> {
  return {
    SenderId: "AIDALOCALSENDER",
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receiveCount),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    AWSTraceHeader: message.traceHeader,
    DeadLetterQueueSourceArn: message.deadLetterSource,
  };
}

function asksFor(asked: string, name: string): boolean {
  if (asked === "All") return true;
  return asked.endsWith(".*") ? name.startsWith(asked.slice(0, -2)) : asked === name;
}
