import { AwsFailure } from "../wire/aws-json.ts";
import { attributesDigest, bodyDigest } from "./digest.ts";
import type { Draft } from "./queue.ts";
import { type Attributes, MAX_MESSAGE_BYTES, type Message, type Sent } from "./schema.ts";

/** Reads a sent message, and refuses one above 1 MiB or with an attribute of the wrong kind. */
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

/** Refuses messages that together exceed what one request may carry. */
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

/** What SendMessage answers. */
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

/** What ReceiveMessage answers for one message: only the attributes that were asked for. */
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
