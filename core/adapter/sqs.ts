import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { AppError } from "../error.ts";
import type { Queue } from "../port/queue.ts";

/** Messages as JSON on one SQS queue. `passedOn` is what each carries besides, as attributes. */
export function sqsQueue<Message>(
  client: SQSClient,
  queueUrl: string,
  passedOn: () => Readonly<Record<string, string>> = () => ({}),
): Queue<Message> {
  return {
    async send(message, { delaySeconds } = {}) {
      const command = new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(message),
        MessageAttributes: Object.fromEntries(
          Object.entries(passedOn()).map(([name, value]) => [
            name,
            { DataType: "String", StringValue: value },
          ]),
        ),
        ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
      });
      try {
        await client.send(command);
      } catch (cause) {
        throw new AppError(
          "upstream",
          "queue_unavailable",
          "This cannot be taken on right now. Try again shortly.",
          {
            cause,
            retryAfter: 5,
          },
        );
      }
    },
  };
}
