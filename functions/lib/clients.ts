import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SFNClient } from "@aws-sdk/client-sfn";
import { SQSClient } from "@aws-sdk/client-sqs";
import { openSecret } from "../../core/adapter/secrets.ts";
import { systemClock } from "../../core/adapter/system.ts";
import { Unsent, unavailable } from "../../core/chain/call.ts";
import { AppError } from "../../core/error.ts";
import { environment, Urls } from "./environment.ts";
import { warnings } from "./log.ts";

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
export const dynamoDb = () => {
  const client = new DynamoDBClient({ ...quick(), maxAttempts: 4 });
  // It copies every request and answer for a logger that nobody has given it.
  client.middlewareStack.remove("loggerMiddleware");
  return client;
};
export const kms = () => new KMSClient(quick());
export const sqs = () => new SQSClient(quick());
export const s3 = () => new S3Client(quick());
const secretsManager = () => new SecretsManagerClient(quick());

/**
 * For executions that answer with their end: longer than the machine's own limit, and never twice, because a repeated
 * request is a second execution. The sync endpoint has a host prefix of its own, which a local stand-in cannot have.
 */
export const stepFunctions = (options: { readonly disableHostPrefix: boolean }) =>
  new SFNClient({ ...waiting(26_000), maxAttempts: 1, ...options });

/** Each request has a connection of its own: beside a model's seconds it costs nothing. Who asks limits the time, and repeats. */
export const bedrock = () =>
  new BedrockRuntimeClient({ requestHandler: { disableConcurrentStreams: true }, maxAttempts: 1 });

/**
 * What is read from Secrets Manager while a function runs, and kept by its container: no variable of a function holds it, and
 * a new value is used within five minutes without a deployment.
 */
function secret<Value>(id: string, parse: (text: string) => Value): () => Promise<Value> {
  client ??= secretsManager();
  return openSecret({ client, clock: systemClock, log: warnings }, id, parse);
}

let client: ReturnType<typeof secretsManager> | undefined;
let edge: readonly (() => Promise<string>)[] | undefined;

/**
 * What the edge may show; `undefined` where there is no edge. Throws `upstream` `temporarily_unavailable` in a new container
 * whose store does not answer: nobody is let in unseen.
 */
export async function originSecrets(): Promise<readonly string[] | undefined> {
  const ids = environment.originSecretIds();
  if (ids === undefined) return undefined;
  edge ??= ids.map((id) => secret(id, (text) => text));
  try {
    return await Promise.all(edge.map((read) => read()));
  } catch (cause) {
    const message = "This is temporarily unavailable. Nothing is lost: try again shortly.";
    throw new AppError("upstream", "temporarily_unavailable", message, { cause, retryAfter: 2 });
  }
}

/**
 * The nodes' addresses, the preferred one first: those of the secret, or on one machine and for public nodes those given.
 * Rejects with `upstream` `chain_unavailable` where a new container cannot read them: then nothing was sent.
 */
export function nodes(
  given: readonly string[] | undefined,
  id: string | undefined,
): () => Promise<readonly string[]> {
  if (given !== undefined) return async () => given;
  if (id === undefined) throw new Error("The environment names neither nodes nor their secret");
  const read = secret(id, addressesIn);
  return async () => {
    try {
      return await read();
    } catch (cause) {
      throw unavailable("the nodes' secret", new Unsent([cause]));
    }
  };
}

/** Throws a TypeError, without the text, for what is no list of addresses. */
function addressesIn(text: string): readonly string[] {
  const parsed = Urls.safeParse(text.trim());
  if (parsed.success) return parsed.data;
  throw new TypeError("The nodes' secret does not hold addresses, separated by commas");
}
