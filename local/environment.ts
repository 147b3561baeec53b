import { mainnet } from "../core/chain/deployment.ts";
import { platformAccount, platformIndexes, platformMnemonic } from "./devnet/accounts.ts";

/** The one table's name on this machine. */
export const tableName = "market";

/** Where the parts of the local cloud answer. */
export type Endpoints = {
  readonly chain: string;
  /** The nodes behind `/api/rpc`: the chain's, unless there are others. */
  readonly relay: string;
  readonly database: string;
  readonly queues: string;
  readonly workflows: string;
  readonly model: string;
  readonly market: string;
  readonly news: string;
  readonly files: string;
};

type CloudNames = {
  readonly origin: string;
  readonly endpoints: Endpoints;
  readonly tableName: string;
  readonly mintQueueUrl: string;
  readonly verdictQueueUrl: string;
  readonly siteBucket: string;
  readonly auditMachineArn: string;
  /** The functions' own unless given. */
  readonly sdkTimeoutMs: number | undefined;
  /** The functions' own unless given. */
  readonly stateLagMs: number | undefined;
  readonly modelDailyUsd: string;
};

type Variables = Readonly<Record<string, string | undefined>>;

/** What `functions/lib/environment.ts` and the AWS SDK's clients read, for a service made of these parts. */
export function functionEnvironment(cloud: CloudNames): Variables {
  const { endpoints } = cloud;
  const { contracts, stocks } = mainnet;
  return {
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.database,
    AWS_ENDPOINT_URL_SQS: endpoints.queues,
    AWS_ENDPOINT_URL_S3: endpoints.files,
    AWS_ENDPOINT_URL_SFN: endpoints.workflows,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: endpoints.model,
    TABLE_NAME: cloud.tableName,
    SITE_ORIGIN: cloud.origin,
    CHAIN_ID: String(mainnet.chainId),
    CHAIN_NAME: `${mainnet.name} (local devnet)`,
    CHAIN_RPC_URL: endpoints.chain,
    RELAY_RPC_URL: endpoints.relay,
    USDG_ADDRESS: contracts.usdg,
    PERMIT2_ADDRESS: contracts.permit2,
    EXACT_PROXY_ADDRESS: contracts.exactProxy,
    IDENTITY_REGISTRY_ADDRESS: contracts.identityRegistry,
    REPUTATION_REGISTRY_ADDRESS: contracts.reputationRegistry,
    TREASURY_ADDRESS: platformAccount(platformIndexes.treasury).address,
    RELAYER_MNEMONIC: platformMnemonic,
    RELAYER_COUNT: String(platformIndexes.relayers.length),
    MINT_QUEUE_URL: cloud.mintQueueUrl,
    VERDICT_QUEUE_URL: cloud.verdictQueueUrl,
    SITE_BUCKET: cloud.siteBucket,
    AUDIT_MACHINE_ARN: cloud.auditMachineArn,
    SDK_TIMEOUT_MS: cloud.sdkTimeoutMs?.toString(),
    STATE_LAG_MS: cloud.stateLagMs?.toString(),
    MODEL_ID: "local.amazon.nova-stand-in-v1",
    // The stand-ins ask for nothing; the real models' prices make the day's budgets mean something here.
    MODEL_PRICES: "0.0008,0.0032",
    FALLBACK_MODEL_ID: "local.anthropic.claude-stand-in-v1",
    FALLBACK_MODEL_PRICES: "0.00011,0.00055",
    MODEL_DAILY_USD: cloud.modelDailyUsd,
    STOCK_API_URL: endpoints.market,
    STOCK_BEACON_ADDRESS: stocks.beacon,
    STOCK_FEEDS: stocks.feeds.map(({ token, feed }) => `${token}=${feed}`).join(","),
    NEWS_URL: endpoints.news,
    POWERTOOLS_SERVICE_NAME: "local-press-market",
    POWERTOOLS_LOG_LEVEL: process.env.POWERTOOLS_LOG_LEVEL ?? "WARN",
    // Lines for CloudWatch, which is not here: `false` shows them.
    POWERTOOLS_METRICS_DISABLED: process.env.POWERTOOLS_METRICS_DISABLED ?? "true",
  };
}

/**
 * What the SDK needs before anything is asked. Credentials of one's own stay only where an endpoint of one's own may
 * want them; the stand-ins take any.
 */
export function sdkEnvironment(keepCredentials: boolean): Variables {
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

/** Sets variables of this process, and gives back what puts them as they were. */
export function setEnvironment(variables: Variables): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  assign(Object.entries(variables));
  return () => assign(before);
}

function assign(variables: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
