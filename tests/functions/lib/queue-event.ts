import type { SQSEvent } from "aws-lambda";

/** The context that Lambda passes to a worker's function. */
export const delivery = { awsRequestId: "delivery-1" };

/** Makes the batch that Lambda would get from a queue. `bodies` maps each message's id to the message's body. */
export function makeQueueEvent(queue: string, bodies: Readonly<Record<string, string>>): SQSEvent {
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
