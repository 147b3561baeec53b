import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseGwei } from "viem/utils";
import * as z from "zod";
import { mainnet } from "../core/chain/deployment.ts";
import { getPlatformAccount, platformIndexes, platformMnemonic } from "./devnet/accounts.ts";

/** An invalid setting or flag. The message names the setting or flag and the valid values. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

export const usage = `Usage: npm start [-- --fresh] [-- --no-seed]

  --fresh     begin anew: forget the chain, the database and the queues
  --no-seed   begin without demo presses
  --help      show this

Settings, all optional, from the environment:

  PORT             port of the site and the API                  (3000; 0 means any free port)
  ANVIL_PORT       port of the devnet                            (8545; 0 means any free port)
  DEVNET_GAS_GWEI  what a gas unit costs on the devnet           (0.01)
  LOCAL_DIR        directory of all stored data                  (.local)
  CHAIN_RPC_URL    chain nodes of the service, comma-separated   (the devnet)
  RELAY_RPC_URL    chain nodes behind /api/rpc                   (the nodes of CHAIN_RPC_URL)
  DYNAMODB         "embedded", "java" or a database's address     (embedded);
                   "java" is AWS's DynamoDB Local, which listens on every interface of this machine
  STOCK_API_URL    stock and price API                           (a stand-in)
  NEWS_URL         news feed                                     (a stand-in)
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME  model                        (a stand-in)
  ROUGH            any text: stand-ins delay, conflict and fail by this seed
  MODEL_DAILY_USD  what the model may cost a day: in total, for all new wallets
                   together, for one wallet, for one new wallet  (10,5,2.5,0.5)
`;

const makePortSchema = (usual: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, "must be a port, 0 to 65535")
    .transform(Number)
    .refine((value) => value <= 65_535, "must be a port, 0 to 65535")
    .default(usual);

const Url = z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" });
const Urls = z.string().refine((list) => list.split(",").every((url) => Url.safeParse(url.trim()).success), {
  error: "must be http:// or https:// addresses, separated by commas",
});
const Amounts = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?){3}$/, "must be four amounts separated by commas");
/** A price in gwei with at most nine decimals, which is converted to wei. */
const Gwei = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,9})?$/, "must be an amount of gwei")
  .transform((text) => parseGwei(text));
const Engine = z.union(
  [
    z.literal("embedded"),
    z.literal("java"),
    z.templateLiteral(["http://", z.string().min(1)]),
    z.templateLiteral(["https://", z.string().min(1)]),
  ],
  { error: 'must be "embedded", "java" or an http:// address' },
);

const Environment = z
  .object({
    PORT: makePortSchema(3000),
    ANVIL_PORT: makePortSchema(8545),
    DEVNET_GAS_GWEI: Gwei.prefault("0.01"),
    CHAIN_RPC_URL: Urls.optional(),
    RELAY_RPC_URL: Urls.optional(),
    DYNAMODB: Engine.default("embedded"),
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: Url.optional(),
    STOCK_API_URL: Url.optional(),
    NEWS_URL: Url.optional(),
    MODEL_DAILY_USD: Amounts.optional(),
    LOCAL_DIR: z.string().default(".local"),
    ROUGH: z.string().optional(),
  })
  .transform((given) => ({
    port: given.PORT,
    anvilPort: given.ANVIL_PORT,
    /** The devnet's gas price in wei per gas unit. */
    devnetGasPrice: given.DEVNET_GAS_GWEI,
    /** The address of the chain's node, or several addresses separated by commas. By default, the service uses the devnet's node. */
    chainRpcUrl: given.CHAIN_RPC_URL,
    relayRpcUrl: given.RELAY_RPC_URL ?? given.CHAIN_RPC_URL,
    database: given.DYNAMODB,
    bedrockUrl: given.AWS_ENDPOINT_URL_BEDROCK_RUNTIME,
    stockApiUrl: given.STOCK_API_URL,
    newsUrl: given.NEWS_URL,
    modelDailyUsd: given.MODEL_DAILY_USD,
    /** The absolute path of the folder that contains all files which the next start needs. */
    directory: resolve(given.LOCAL_DIR),
    /**
     * A seed that makes the stand-ins cause delays, conflicts and failures as the real services do. Without a seed, the stand-ins are fast
     * and never fail.
     */
    rough: given.ROUGH,
  }));

/** The settings for the start of the service, read from flags and environment (design §7). */
export type StartSettings = Readonly<z.infer<typeof Environment>> & {
  readonly fresh: boolean;
  readonly seed: boolean;
};

/** Reads the flags and the environment. Returns `undefined` if help is requested. Throws `SettingsError`. */
export function readSettings(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): StartSettings | undefined {
  const { fresh, seed, help } = readFlags(flags);
  if (help) return undefined;
  // An empty environment variable counts as not set, as is usual in shells.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(({ path, message }) => {
      const name = path.join(".");
      return `${name} ${message}, not ${JSON.stringify(given[name])}.`;
    });
    throw new SettingsError(reasons.join("\n"));
  }
  return { ...parsed.data, fresh, seed };
}

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        fresh: { type: "boolean", default: false },
        seed: { type: "boolean", default: true },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split(". ")[0] ?? cause.message) : String(cause);
    throw new SettingsError(`${reason.replace(/\.$/, "")}.`, { cause });
  }
}

export const tableName = "market";

export type ServiceEndpoints = {
  readonly chain: string;
  /** The nodes behind `/api/rpc`. By default, `relay` is the same address as `chain`. */
  readonly relay: string;
  readonly database: string;
  readonly queues: string;
  readonly workflows: string;
  readonly model: string;
  readonly market: string;
  readonly news: string;
  readonly files: string;
};

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment variables that `functions/lib/environment.ts` and the AWS SDK's clients read, for a service at `origin` with parts at the
 * given addresses. The returned variables do not include the names of queues, buckets and the workflow.
 */
export function makeFunctionEnv(origin: string, endpoints: ServiceEndpoints): Variables {
  const { contracts, stocks } = mainnet;
  return {
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.database,
    AWS_ENDPOINT_URL_SQS: endpoints.queues,
    AWS_ENDPOINT_URL_S3: endpoints.files,
    AWS_ENDPOINT_URL_SFN: endpoints.workflows,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: endpoints.model,
    TABLE_NAME: tableName,
    SITE_ORIGIN: origin,
    CHAIN_ID: String(mainnet.chainId),
    CHAIN_NAME: `${mainnet.name} (local devnet)`,
    CHAIN_RPC_URL: endpoints.chain,
    RELAY_RPC_URL: endpoints.relay,
    USDG_ADDRESS: contracts.usdg,
    PERMIT2_ADDRESS: contracts.permit2,
    EXACT_PROXY_ADDRESS: contracts.exactProxy,
    IDENTITY_REGISTRY_ADDRESS: contracts.identityRegistry,
    REPUTATION_REGISTRY_ADDRESS: contracts.reputationRegistry,
    TREASURY_ADDRESS: getPlatformAccount(platformIndexes.treasury).address,
    RELAYER_MNEMONIC: platformMnemonic,
    RELAYER_COUNT: String(platformIndexes.relayers.length),
    MODEL_ID: "local.amazon.nova-stand-in-v1",
    // Calls to the stand-ins cost no money. The stand-ins have the prices of real models, so that the daily budgets also limit the
    // stand-ins.
    MODEL_PRICES: "0.0008,0.0032",
    FALLBACK_MODEL_ID: "local.anthropic.claude-stand-in-v1",
    FALLBACK_MODEL_PRICES: "0.00011,0.00055",
    STOCK_API_URL: endpoints.market,
    STOCK_BEACON_ADDRESS: stocks.beacon,
    STOCK_FEEDS: stocks.feeds.map(({ token, feed }) => `${token}=${feed}`).join(","),
    NEWS_URL: endpoints.news,
    POWERTOOLS_SERVICE_NAME: "local-press-market",
    POWERTOOLS_LOG_LEVEL: process.env.POWERTOOLS_LOG_LEVEL ?? "WARN",
    // Metric lines are for CloudWatch, which does not exist locally, so they are not printed. A user who wants to see the metric lines can
    // set `POWERTOOLS_METRICS_DISABLED` to `false`.
    POWERTOOLS_METRICS_DISABLED: process.env.POWERTOOLS_METRICS_DISABLED ?? "true",
  };
}

/**
 * The environment variables that the SDK needs before its first request. The user's AWS credentials are kept only if the user has set a
 * model or database instead of the local one, because that model or database may need the credentials. The stand-ins accept any
 * credentials.
 */
export function makeSdkEnv(keepCredentials: boolean): Variables {
  const region = { AWS_REGION: process.env.AWS_REGION ?? "us-east-1", AWS_EC2_METADATA_DISABLED: "true" };
  const owned = process.env.AWS_ACCESS_KEY_ID !== undefined || process.env.AWS_PROFILE !== undefined;
  if (keepCredentials && owned) return region;
  return {
    ...region,
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_SESSION_TOKEN: undefined,
    AWS_PROFILE: undefined,
  };
}

/** Sets environment variables of this process. Returns a function that restores the variables' earlier values. */
export function setEnvironment(variables: Variables): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  setVariables(Object.entries(variables));
  return () => setVariables(before);
}

function setVariables(variables: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
