import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import {
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { type SFNClient, StartSyncExecutionCommand } from "@aws-sdk/client-sfn";
import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { makeNamedRefusal, makeOutageError } from "../audit/error.ts";
import type { AuditOrder, AuditWorkflow } from "../audit/schema.ts";
import { AppError } from "../error.ts";
import type { EdgeLogs, Pages, Queue } from "../port/cloud.ts";
import { systemClock } from "./system.ts";

/**
 * Sends JSON messages to one SQS queue. The values that `passedOn` returns become attributes of each message, so that a request can be
 * traced.
 */
export function openSqsQueue<Message>(
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
          "The request cannot be accepted right now. Try again shortly.",
          {
            cause,
            retryAfter: 5,
          },
        );
      }
    },
  };
}

/**
 * Starts the audit's state machine, which is an Express workflow, and waits for its result (design §6). Step Functions reports the stable
 * code of a failed step as the error's name. The values that `passedOn` returns are added to the input of each run of the state machine, so
 * that the run can be traced.
 */
export function makeAuditWorkflow(
  client: SFNClient,
  machineArn: string,
  passedOn: () => Pick<AuditOrder, "correlationId"> = () => ({}),
): AuditWorkflow {
  return {
    async run(order) {
      const input = JSON.stringify({ ...order, ...passedOn() });
      const execution = await client
        .send(new StartSyncExecutionCommand({ stateMachineArn: machineArn, input }))
        .catch((cause: unknown) => {
          throw makeOutageError(cause);
        });
      if (execution.status !== "SUCCEEDED") {
        throw (
          makeNamedRefusal(execution.error, systemClock.now()) ??
          makeOutageError(new Error(`${execution.status}: ${execution.error} ${execution.cause}`))
        );
      }
    },
  };
}

export function openS3Pages(client: S3Client, bucket: string): Pages {
  return {
    async fetchTemplate() {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: "index.html" }));
        return await Body?.transformToString();
      } catch (cause) {
        if (cause instanceof NoSuchKey || isAccessDenied(cause)) return undefined;
        throw new AppError("upstream", "site_unavailable", "The site's files are unavailable right now.", {
          cause,
        });
      }
    },
  };
}

/**
 * S3 answers with 403 for a missing file if the caller has no right to list the bucket. The service's functions have no right to list a
 * bucket.
 */
function isAccessDenied(cause: unknown): boolean {
  return cause instanceof S3ServiceException && cause.name === "AccessDenied";
}

/**
 * The maximum size of an unpacked log file in bytes (about 150,000 requests). A file's size is limited because memory holds several copies
 * of the file.
 */
const largest = 64 * 1024 * 1024;

/**
 * Reads the log of the content delivery network. CloudFront's standard logging (v2) stores the log as JSON lines in
 * `{prefix}/{yyyy}/{MM}/{dd}/NAME.gz`.
 */
export function openS3EdgeLogs(
  client: S3Client,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
): EdgeLogs {
  return {
    async listFiles(day) {
      const found: string[] = [];
      let next: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: `${prefix}/${day.replaceAll("-", "/")}/`,
            ...(next !== undefined && { ContinuationToken: next }),
          }),
        );
        found.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
        next = page.NextContinuationToken;
      } while (next !== undefined);
      return found;
    },
    async readLines(file) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: file }));
      const packed = await Body?.transformToByteArray();
      const bytes = await promisify(gunzip)(packed ?? new Uint8Array(), { maxOutputLength: largest });
      return bytes.toString("utf8").split("\n");
    },
  };
}
