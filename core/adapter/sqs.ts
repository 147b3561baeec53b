import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { AppError } from "../error.ts";
import type { Queue } from "../port/queue.ts";

/** Messages as JSON on one SQS queue. */
export function sqsQueue<Message>(client: SQSClient, queueUrl: string): Queue<Message> {
  return {
    async send(message, { delaySeconds } = {}) {
      const command = new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(message),
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
