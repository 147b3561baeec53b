import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SFNClient } from "@aws-sdk/client-sfn";
import { SQSClient } from "@aws-sdk/client-sqs";
import { openSecret } from "../../core/adapter/secrets.ts";
import { systemClock } from "../../core/adapter/system.ts";
import { makeChainError, Unsent } from "../../core/chain/call.ts";
import { AppError } from "../../core/error.ts";
import { environment, Urls } from "./environment.ts";
import { warnings } from "./log.ts";

/**
 * Lambda freezes a function between calls, and the function's idle connections die during this time. The client therefore closes idle
 * connections itself, and retries a request that gets no answer. With `makeQuickOptions`, all tries of one request together end within ten
 * seconds, which is the shortest time limit of a function with table access. All times of the clients are in milliseconds.
 */
const makeClientOptions = (requestTimeout: number, maxSockets = Number.POSITIVE_INFINITY) => {
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
const makeQuickOptions = (maxSockets?: number) => makeClientOptions(environment.sdkTimeoutMs(), maxSockets);

/**
 * The maximum number of connections to the table. When all connections to the table are in use, a further request waits until a connection
 * is free.
 */
const mostConnections = 32;

/**
 * The table's client makes one more try than the SDK's default, because the client also retries a single write that conflicts with a
 * transaction.
 */
export const makeDynamoDbClient = () => {
  const client = new DynamoDBClient({ ...makeQuickOptions(mostConnections), maxAttempts: 4 });
  // Two middlewares of the SDK are removed: `loggerMiddleware` copies requests and answers for a logger that is not set, and
  // `getUserAgentMiddleware` adds the SDK's name and version to each request.
  client.middlewareStack.remove("loggerMiddleware");
  client.middlewareStack.remove("getUserAgentMiddleware");
  cacheMiddlewares(client.middlewareStack);
  return client;
};

type MiddlewareStack = {
  concat(further: unknown): MiddlewareStack;
  resolve(send: unknown, context: SdkCommand): unknown;
};
type SdkCommand = { readonly commandName: string };

/**
 * Makes the client compose about twenty middlewares of the SDK only once for each kind of command, not for each request. The SDK's own
 * option `cacheMiddleware` caches middlewares only for the SDK's plain client, and not for the SDK's document client. The middlewares are
 * composed only once, so no request to the table may have options of its own.
 */
function cacheMiddlewares(client: object): void {
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
export const makeKmsClient = () => new KMSClient(makeQuickOptions());
export const makeSqsClient = () => new SQSClient(makeQuickOptions());
export const makeS3Client = () => new S3Client(makeQuickOptions());

/**
 * The client for synchronous executions waits longer than the state machine can run, and never repeats a request, because a second request
 * would start a second execution. For synchronous executions, the SDK puts a prefix before the endpoint's host; a local stand-in for AWS
 * cannot have this prefix.
 */
export const makeStepFunctionsClient = (options: { readonly disableHostPrefix: boolean }) =>
  new SFNClient({ ...makeClientOptions(26_000), maxAttempts: 1, ...options });

/**
 * Each request to a model has its own connection. Opening a connection costs little time compared to the seconds that the model needs. The
 * code that calls the model sets the time limit and makes the retries.
 */
export const makeBedrockClient = () =>
  new BedrockRuntimeClient({ requestHandler: { disableConcurrentStreams: true }, maxAttempts: 1 });

/**
 * Makes a function that reads a secret from Secrets Manager at run time. The container caches the secret. No environment variable contains
 * a secret, and a secret's new value is used within five minutes without a deployment.
 */
function makeSecretReader<Value>(id: string, parse: (text: string) => Value): () => Promise<Value> {
  client ??= new SecretsManagerClient(makeQuickOptions());
  return openSecret({ client, clock: systemClock, log: warnings }, id, parse);
}

let client: SecretsManagerClient | undefined;
let edge: readonly (() => Promise<string>)[] | undefined;

/** The errors for a secret that is deleted, is marked for deletion, or can no longer be read by the role of the new version. */
const gone = new Set(["ResourceNotFoundException", "InvalidRequestException", "AccessDeniedException"]);

/**
 * Reads the secrets that the edge may send. Returns `undefined` if the stage has no edge. A deleted secret is left out, because a renewal
 * deletes the old secret while containers still have the old secret in their lists. Throws `temporarily_unavailable` (`upstream`) if a new
 * container cannot read a secret that still exists, or if no secret is left, because every request must be checked against the secrets.
 */
export async function readOriginSecrets(): Promise<readonly string[] | undefined> {
  const ids = environment.originSecretIds();
  if (ids === undefined) return undefined;
  edge ??= ids.map((id) => makeSecretReader(id, (text) => text));
  const results = await Promise.allSettled(edge.map((read) => read()));
  const secrets = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  const isGone = (error: unknown) => error instanceof Error && gone.has(error.name);
  if (secrets.length === 0 || !failures.every(isGone)) {
    const cause = failures.find((error) => !isGone(error)) ?? failures[0];
    const message = "This is temporarily unavailable. Nothing is lost: try again shortly.";
    throw new AppError("upstream", "temporarily_unavailable", message, { cause, retryAfter: 2 });
  }
  return secrets;
}

/**
 * Returns the nodes' addresses, with the preferred address first. The nodes' addresses are read from a secret. If the stage is local or
 * uses public nodes, the environment contains the nodes' addresses. If a new container cannot read the nodes' addresses, the function
 * rejects with `chain_unavailable` (`upstream`) before anything is sent.
 */
export function makeNodeReader(
  addresses: readonly string[] | undefined,
  id: string | undefined,
): () => Promise<readonly string[]> {
  if (addresses !== undefined) return async () => addresses;
  if (id === undefined) throw new Error("The environment names neither nodes nor their secret");
  const read = makeSecretReader(id, parseAddresses);
  return async () => {
    try {
      return await read();
    } catch (cause) {
      throw makeChainError("the nodes' secret", new Unsent([cause]));
    }
  };
}

/** Throws a TypeError if the text is not a list of node addresses; the error does not contain the text. */
function parseAddresses(text: string): readonly string[] {
  const parsed = Urls.safeParse(text.trim());
  if (parsed.success) return parsed.data;
  throw new TypeError("The nodes' secret is not a list of addresses that are separated by commas");
}
