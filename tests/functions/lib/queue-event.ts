import type { SQSEvent } from "aws-lambda";

/** The context that Lambda gives a worker. */
export const delivery = { awsRequestId: "delivery-1" };

/** A batch as Lambda gets it from a queue: message bodies by their ids. */
export function queueEvent(queue: string, bodies: Readonly<Record<string, string>>): SQSEvent {
  const Records = Object.entries(bodies).map(([messageId, body]) => ({
    messageId,
    body,
    receiptHandle: messageId,
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: "0",
      SenderId: "tests",
      ApproximateFirstReceiveTimestamp: "0",
    },
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queue}`,
    awsRegion: "us-east-1",
  }));
  return { Records };
}
