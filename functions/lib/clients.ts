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
 * Lambda freezes a function between calls, and its idle connections die meanwhile. So an idle connection is closed, and an unanswered
 * request is retried. All tries of a client fit into the ten seconds of the shortest function with table access. Times are milliseconds.
 */
const waiting = (requestTimeout: number, maxSockets = Number.POSITIVE_INFINITY) => {
  const agent = { keepAlive: true, maxSockets, timeout: 4_000 };
  return {
    requestHandler: {
      connectionTimeout: requestTimeout / 2,
      requestTimeout,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  };
};
const quick = (maxSockets?: number) => waiting(environment.sdkTimeoutMs(), maxSockets);

/** The table's connections. A crowd on one server waits for one of them rather than opening its own. */
const mostConnections = 32;

/** One more try than usual, because a single write that meets a transaction is retried too. */
export const dynamoDb = () => {
  const client = new DynamoDBClient({ ...quick(mostConnections), maxAttempts: 4 });
  // The first middleware copies requests and answers for a logger that is not set; the second adds the SDK's name and version to each
  // request.
  client.middlewareStack.remove("loggerMiddleware");
  client.middlewareStack.remove("getUserAgentMiddleware");
  composeOnce(client.middlewareStack);
  return client;
};

type MiddlewareStack = {
  concat(further: unknown): MiddlewareStack;
  resolve(send: unknown, context: SdkCommand): unknown;
};
type SdkCommand = { readonly commandName: string };

/**
 * Composes the SDK's some twenty middlewares once for each kind of command, not for each request. The SDK's own `cacheMiddleware` does that
 * for its plain client only. So no request may have options of its own.
 */
function composeOnce(client: object): void {
  const composed = new Map<string, unknown>();
  const concat: MiddlewareStack["concat"] = Reflect.get(client, "concat");
  Reflect.set(client, "concat", (document: unknown) => ({
    concat: (plain: unknown) => ({
      resolve(send: unknown, context: SdkCommand) {
        const known = composed.get(context.commandName);
        const handler = known ?? concat(document).concat(plain).resolve(send, context);
        composed.set(context.commandName, handler);
        return handler;
      },
    }),
  }));
}
export const kms = () => new KMSClient(quick());
export const sqs = () => new SQSClient(quick());
export const s3 = () => new S3Client(quick());
const secretsManager = () => new SecretsManagerClient(quick());

/**
 * The client for synchronous executions waits longer than the machine's own limit, and never retries, because a retry would start a second
 * execution. The sync endpoint has a host prefix of its own, which a local stand-in cannot have.
 */
export const stepFunctions = (options: { readonly disableHostPrefix: boolean }) =>
  new SFNClient({ ...waiting(26_000), maxAttempts: 1, ...options });

/** Each request has its own connection, which is cheap beside a model's seconds. The caller limits the time and retries. */
export const bedrock = () =>
  new BedrockRuntimeClient({ requestHandler: { disableConcurrentStreams: true }, maxAttempts: 1 });

/**
 * Secrets of Secrets Manager, read at run time and cached by the container. No environment variable holds them, and a new value is used
 * within five minutes without a deployment.
 */
function secret<Value>(id: string, parse: (text: string) => Value): () => Promise<Value> {
  client ??= secretsManager();
  return openSecret({ client, clock: systemClock, log: warnings }, id, parse);
}

let client: ReturnType<typeof secretsManager> | undefined;
let edge: readonly (() => Promise<string>)[] | undefined;

/**
 * The accepted edge secrets; `undefined` without an edge. Throws `upstream` `temporarily_unavailable` in a new container whose store does
 * not answer, because no request may pass unchecked.
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
 * The nodes' addresses, the preferred one first: from the secret, or the given ones locally and for public nodes. Rejects with `upstream`
 * `chain_unavailable` when a new container cannot read them, before anything is sent.
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

/** Throws a TypeError without the text when it is no list of addresses. */
function addressesIn(text: string): readonly string[] {
  const parsed = Urls.safeParse(text.trim());
  if (parsed.success) return parsed.data;
  throw new TypeError("The nodes' secret does not hold addresses, separated by commas");
}
