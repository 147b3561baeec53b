import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SFNClient } from "@aws-sdk/client-sfn";
import { SQSClient } from "@aws-sdk/client-sqs";
import { environment } from "./environment.ts";

/**
 * Lambda freezes a function between calls, and connections that it kept die meanwhile without a word. So one that was
 * idle for a while is given up, and an answer that does not come is not waited for: the tries of a client fit into the
 * ten seconds of the shortest function that has a table. Times are milliseconds.
 */
const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: 4_000 };
const waiting = (requestTimeout: number) => ({
  requestHandler: {
    connectionTimeout: requestTimeout / 2,
    requestTimeout,
    throwOnRequestTimeout: true,
    httpAgent: agent,
    httpsAgent: agent,
  },
});
const quick = () => waiting(environment.sdkTimeoutMs());

/** One try more than usual: a plain write that meets a transaction is repeated as well. */
export const dynamoDb = () => new DynamoDBClient({ ...quick(), maxAttempts: 4 });
export const kms = () => new KMSClient(quick());
export const sqs = () => new SQSClient(quick());
export const s3 = () => new S3Client(quick());
export const secretsManager = () => new SecretsManagerClient(quick());

/**
 * For executions that answer with their end: longer than the machine's own limit, and never twice, because a repeated
 * request is a second execution. The sync endpoint has a host prefix of its own, which a local stand-in cannot have.
 */
export const stepFunctions = (options: { readonly disableHostPrefix: boolean }) =>
  new SFNClient({ ...waiting(26_000), maxAttempts: 1, ...options });

/** Each request has a connection of its own: beside a model's seconds it costs nothing. Who asks limits the time, and repeats. */
export const bedrock = () =>
  new BedrockRuntimeClient({ requestHandler: { disableConcurrentStreams: true }, maxAttempts: 1 });
