import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { SFNClient } from "@aws-sdk/client-sfn";
import { SQSClient } from "@aws-sdk/client-sqs";

/**
 * Milliseconds. Lambda freezes a function between calls, and connections that it kept die meanwhile without a word. So
 * one that was idle for a while is given up, and an answer that does not come is not waited for: three tries, as the
 * SDK makes them, fit into the ten seconds of the shortest function that has a table.
 */
const idle = { keepAlive: true, maxSockets: 50, timeout: 4_000 };
const patient = (requestTimeout: number) => ({
  connectionTimeout: 1_000,
  requestTimeout,
  throwOnRequestTimeout: true,
  httpAgent: idle,
  httpsAgent: idle,
});
const quick = { requestHandler: patient(2_000) };

export const dynamoDb = () => new DynamoDBClient(quick);
export const kms = () => new KMSClient(quick);
export const sqs = () => new SQSClient(quick);
export const s3 = () => new S3Client(quick);

/**
 * For executions that answer with their end: longer than the machine's own limit, and never twice, because a repeated
 * request is a second execution. The sync endpoint has a host prefix of its own, which a local stand-in cannot have.
 */
export const stepFunctions = (options: { readonly disableHostPrefix: boolean }) =>
  new SFNClient({ requestHandler: patient(26_000), maxAttempts: 1, ...options });

/** Each request has a connection of its own: beside a model's seconds it costs nothing. Who asks limits the time, and repeats. */
export const bedrock = () =>
  new BedrockRuntimeClient({ requestHandler: { disableConcurrentStreams: true }, maxAttempts: 1 });
