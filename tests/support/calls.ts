import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import { S3Client } from "@aws-sdk/client-s3";
import { SFNClient } from "@aws-sdk/client-sfn";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { readCorrelation } from "../../functions/lib/log.ts";
import { listAskedActions } from "../../local/rights.ts";

const Message = z.object({ QueueUrl: z.string() });
/** Each file of the edge's log has another name in each run, so the recorded calls contain one fixed name. */
const File = z.object({
  Bucket: z.string(),
  Key: z.string().transform((key) => key.replace(/^edge\/.*/, "edge/one")),
});
const Listing = z.object({ Bucket: z.string(), Prefix: z.string() });

/** The action and the resource that IAM checks for an SDK command. */
const asked: Readonly<Record<string, (input: unknown) => readonly string[]>> = {
  SendMessageCommand: (input) => [`sqs:SendMessage queue/${Message.parse(input).QueueUrl.split("/").at(-1)}`],
  StartSyncExecutionCommand: () => ["states:StartSyncExecution machine"],
  GetObjectCommand: (input) => [`s3:GetObject ${File.parse(input).Bucket}/${File.parse(input).Key}`],
  ListObjectsV2Command: (input) => {
    const { Bucket, Prefix } = Listing.parse(input);
    return [`s3:ListBucket ${Bucket}/${Prefix.replace(/\/.*/, "")}`];
  },
  PutObjectCommand: (input) => [`s3:PutObject ${File.parse(input).Bucket}/${File.parse(input).Key}`],
  ConverseCommand: () => ["bedrock:InvokeModel model"],
};

/**
 * Puts fixed parts in place of those parts of a table key that differ between runs. A fixed part has the same length as the original part
 * if IAM checks the length.
 */
function maskKey(key: string): string {
  return key
    .replace(/0x[0-9a-f]{64}/g, `0x${"cd".repeat(32)}`)
    .replace(/0x[0-9a-f]{40}(?![0-9a-f])/g, `0x${"ab".repeat(20)}`)
    .replace(/_[0-9a-f]{64}(?![0-9a-f])/g, `_${"ef".repeat(32)}`)
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "uuid")
    .replace(/(?<=#hash_)[0-9a-f]+/g, "1")
    .replace(/(?<=viewFilesOf_)[\d-]+/, "2026-11-26")
    .replace(/(?<=#nonce_)[^#]+/g, "c0ffee")
    .replace(/(?<=_)\d+(?=#|$)/g, "1");
}

/**
 * Records every AWS call of a function in this process as `function action on key`, until the returned
 * function is called. `tests/infra/iam.test.ts` compares each function's rights with the calls. Throws
 * TypeError for an unknown call.
 */
export function recordCalls(): { readonly calls: ReadonlySet<string>; readonly stop: () => void } {
  const calls = new Set<string>();
  const clients = [DynamoDBDocumentClient, SQSClient, S3Client, SFNClient, BedrockRuntimeClient];
  const restore = clients.map(({ prototype }) => {
    const { send } = prototype;
    const watched = function (this: unknown, ...sent: unknown[]): unknown {
      const by = readCorrelation().function;
      const [command] = sent;
      const name = Object(command).constructor.name;
      const worded = asked[name];
      if (by !== undefined) {
        const calledTable = listAskedActions(command)?.map(
          ({ action, index, key }) =>
            `dynamodb:${action} ${index === undefined ? `table ${maskKey(key)}` : `table/index/${index}`}`,
        );
        const all = calledTable ?? worded?.(Object(command).input);
        if (all === undefined) throw new TypeError(`${by} sends ${name}, of whose rights nothing is known`);
        for (const call of all) calls.add(`${by} ${call}`);
      }
      return Reflect.apply(send, this, sent);
    };
    Reflect.set(prototype, "send", watched);
    return () => {
      Reflect.set(prototype, "send", send);
    };
  });
  return {
    calls,
    stop: () => {
      for (const undo of restore) undo();
    },
  };
}
