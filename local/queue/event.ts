import type { Message, MessageAttributeValue } from "@aws-sdk/client-sqs";
import type { SQSEvent, SQSMessageAttribute, SQSRecord } from "aws-lambda";

/** Builds the event that Lambda makes of received messages; throws for one that lacks what SQS always sends. */
export function toEvent(messages: readonly Message[], queueArn: string): SQSEvent {
  return { Records: messages.map((message) => toRecord(message, queueArn)) };
}

function toRecord(message: Message, queueArn: string): SQSRecord {
  const { MessageId, ReceiptHandle, Body, MD5OfBody, MD5OfMessageAttributes, Attributes = {} } = message;
  const { SenderId, SentTimestamp, ApproximateReceiveCount, ApproximateFirstReceiveTimestamp, ...others } =
    Attributes;
  return {
    messageId: required("MessageId", MessageId),
    receiptHandle: required("ReceiptHandle", ReceiptHandle),
    body: required("Body", Body),
    attributes: {
      ...others,
      ApproximateReceiveCount: required("ApproximateReceiveCount", ApproximateReceiveCount),
      SentTimestamp: required("SentTimestamp", SentTimestamp),
      SenderId: required("SenderId", SenderId),
      ApproximateFirstReceiveTimestamp: required(
        "ApproximateFirstReceiveTimestamp",
        ApproximateFirstReceiveTimestamp,
      ),
    },
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, toAttribute(value)]),
    ),
    md5OfBody: required("MD5OfBody", MD5OfBody),
    ...(MD5OfMessageAttributes !== undefined && { md5OfMessageAttributes: MD5OfMessageAttributes }),
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
    awsRegion: required("region", queueArn.split(":")[3]),
  };
}

function toAttribute({ StringValue, BinaryValue, DataType }: MessageAttributeValue): SQSMessageAttribute {
  return {
    ...(StringValue !== undefined && { stringValue: StringValue }),
    ...(BinaryValue !== undefined && { binaryValue: Buffer.from(BinaryValue).toString("base64") }),
    stringListValues: [],
    binaryListValues: [],
    dataType: required("DataType", DataType),
  };
}

function required(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`A received message has no ${name}.`);
  return value;
}
