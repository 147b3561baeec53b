import type { Address } from "../core/chain/hex.ts";
import { concurrencyQuota, leastUnreserved, type RuntimeLimits, runtimeLimits } from "../functions/limits.ts";
import { type ChainSettings, mainnet, missingAddress, testnet } from "./chains.ts";

/** The middle part of every stack's name, which follows the name of the stage. If this name changed, all stacks would be created anew. */
export const appName = "press-market";

export type SignerKind = "relayer" | "auditor" | "receipt" | "push";

/**
 * The IAM path for the roles of functions that may sign with the stage's keys of the given kind. The keys' policies recognize the roles by
 * this path.
 */
export function makeSignerPath(stage: string, kind: SignerKind): string {
  return `/${appName}/${stage}/${kind}/`;
}

/**
 * The permission boundaries of a stage that a pipeline deploys: one for the stage's roles, and one for the role of CDK with which
 * CloudFormation deploys. `infra/pipeline-roles.yaml` creates the permission boundaries in the stage's account.
 */
export function findBoundaries(
  stage: string,
): { readonly functions: string; readonly execution: string } | undefined {
  if (!["dev", "staging", "prod"].includes(stage)) return undefined;
  return { functions: `${appName}-functions-${stage}`, execution: `${appName}-execution-${stage}` };
}

/** A host name in a Route 53 zone of the account. */
export type Domain = { readonly name: string; readonly zoneName: string; readonly zoneId: string };

/** A model of Bedrock with its inference profile, which sends each request to one of the profile's regions. */
export type Model = {
  /** The model's name in Service Quotas. */
  readonly name: string;
  readonly inferenceProfile: string;
  readonly foundationModel: string;
  /** The model's prices in USD for a thousand tokens, as AWS charges them in the stage's region. */
  readonly prices: { readonly input: number; readonly output: number };
};

export type StageSettings = {
  /** CloudFront takes its firewall and its certificate only from us-east-1, so all resources are in that region. */
  readonly region: "us-east-1";
  /** If a stage has no domain, the site's host name is the name that CloudFront gives. */
  readonly domain: Domain | undefined;
  readonly chain: ChainSettings;
  /** The wallet that receives the platform's fee. */
  readonly treasury: Address;
  /**
   * The relayers of other stages that share this stage's chain and its publishers or treasury. A payment that another stage's relayer sent
   * unlocks no press in this stage, because one payment must not unlock presses in two stages. The list of other stages' relayers also
   * contains retired relayers.
   */
  readonly siblingRelayers: readonly Address[];
  readonly gas: {
    /** The maximum price of a gas unit, in gwei. */
    readonly maxPriceGwei: number;
    /**
     * The gas budget in USDG for failed payments of contract wallets in a UTC day. New wallets share one budget, and all other wallets
     * share a second budget of the same size.
     */
    readonly failuresUsdgPerDay: number;
    /** The maximum gas that we pay for each payee and each payer in a UTC day, beyond what their fees pay. The value is in USDG. */
    readonly allowanceUsdg: number;
    /** The price of one ETH in USDG, which is used if the chain has no price feed for ETH or the feed is stale. */
    readonly ethPriceUsdg: number;
    /** Chainlink's feed of the price of ETH in US dollars, if the chain has such a feed. */
    readonly ethFeed: Address | undefined;
  };
  /** The minimum price of a draft. Below the minimum price, the platform's fee would not pay for the gas of a sale. */
  readonly minPriceUsdg: number;
  /**
   * The number of keys that pay gas. The number of keys that pay gas is also the maximum number of payment transactions that can be pending
   * at the same time.
   */
  readonly relayers: number;
  /**
   * The numbers (counted from 0) of relayers that functions must no longer use. The keys of these relayers stay in KMS and keep their ETH.
   */
  readonly retiredRelayers: readonly number[];
  /**
   * The address that may receive the ETH of retired relayers, and the wallets that approve a sweep: each sweep needs the signatures of
   * `needed` of these wallets. On a chain with real money, `needed` must be at least two (`findSweepFault`). Without the setting `sweep`,
   * no function can move the ETH of retired relayers. A request for a sweep cannot name another address for the ETH.
   */
  readonly sweep:
    | { readonly to: Address; readonly approvers: readonly Address[]; readonly needed: number }
    | undefined;
  readonly model: Model;
  /** A model from another family of models, which is used when the first model is down or retired, or gives no usable answer. */
  readonly fallbackModel: Model;
  readonly stockApiUrl: string;
  /**
   * The stage's project id at WalletConnect; the site offers WalletConnect only if this id is set. Wallets on phones, and Safe wallets, can
   * connect only by WalletConnect. The project id is public, because each page contains it.
   */
  readonly walletConnectProjectId: string | undefined;
  /** The balance in whole USDG above which a purse's page recommends a full wallet, such as an app or an extension. */
  readonly purseAdviceUsdg: number;
  /** The e-mail address to which readers and publishers can write. The contact page shows this address. */
  readonly contact: string | undefined;
  /**
   * The company or person that runs the service, with a postal address in one line. The pages of terms, privacy and contact show the name
   * and the address.
   */
  readonly operator: string | undefined;
  /** News feeds in RSS or Atom. `{symbol}` stands for the ticker, and a feed that starts with `AAPL=` is only for that ticker. */
  readonly newsFeeds: readonly string[];
  /**
   * The limits on the rate of requests and on the number of concurrent function runs. The limits depend on the kind of stage, because an
   * account with a small quota cannot reserve runs for single functions (`findCapacityFault`).
   */
  readonly limits: RuntimeLimits & {
    /**
     * The maximum number of requests from one IP address in five minutes. `signIn` limits sign-ins, `pay` limits payments (also by MCP),
     * and `rpc` limits calls of the RPC relay (this limit equals the RPC relay's own limit on contract calls). `costly` limits requests
     * that use a model, a node or an audit, and `others` limits all requests except payments and calls of the RPC relay. `network` is the
     * limit for all IPv6 addresses of one network operator together. For `network`, the firewall counts only requests that cost us money.
     */
    readonly edge: Readonly<Record<"signIn" | "pay" | "rpc" | "costly" | "others" | "network", number>>;
    /**
     * The model's budgets in USD for a UTC day: for the whole service, for all wallets together that have never published, for one wallet,
     * and for one wallet that has never published. When a budget is used up, audits and AI drafts are refused.
     */
    readonly modelUsdPerDay: Readonly<Record<"service" | "newWallets" | "wallet" | "newWallet", number>>;
  };
  /**
   * The quotas that the account needs (Service Quotas). New accounts have lower quotas, and `stage:check` compares them with these values.
   */
  readonly quotas: {
    /** The maximum number of function runs at the same time, over all stages of the account together. */
    readonly concurrency: number;
    /**
     * The quotas of each model. Each request uses up as many tokens of a model's quota as its prompt has, plus the 4,000 tokens that the
     * answer may have.
     */
    readonly modelRequestsPerMinute: number;
    readonly modelTokensPerMinute: number;
    readonly modelTokensPerDay: number;
  };
  /**
   * The name of a restored table; if this name is set, functions use the restored table instead of the stage's own table. A restored table
   * leaves the stage's own table unchanged (docs/operations.md, "Backup and restore").
   */
  readonly restoredTable: string | undefined;
  /**
   * The name of the table and the ids of the keys that a removed or rebuilt stage has left behind in the same account. The stage adopts
   * this table and these keys instead of creating a new table and new keys. `npm run remove` prints this setting.
   */
  readonly kept:
    | {
        readonly table: string;
        /**
         * The relayers' keys in the order of the relayers' numbers. If the stage has more relayers than this list has keys, the missing
         * keys are created.
         */
        readonly relayers: readonly string[];
        readonly auditor: string;
        readonly receipts: string;
        /** The key's id is absent if the removed stage did not have this key yet. If a key's id is absent, a new key is created. */
        readonly pushes?: string | undefined;
      }
    | undefined;
  /**
   * The ARN of an AWS Backup vault that stores copies of the table, in another account of the organization (docs/operations.md, "Backup and
   * restore"). Without a vault, the table is lost if the account is lost, so the owner of prod must name a vault or write `undefined`.
   */
  readonly backup: { readonly copyTo: string } | undefined;
  /**
   * The generations of the secret that identifies the edge: the generation that the edge sends, and the generations that functions accept.
   * Functions accept more than one generation only during a renewal of the secret (docs/operations.md, "Secrets").
   */
  readonly originSecret: { readonly shown: number; readonly accepted: readonly [number, ...number[]] };
  /** Whether new versions of payment functions get a tenth of the requests for five minutes before they get all requests. */
  readonly canary: boolean;
  /**
   * Whether a removal of the stage leaves its data and keys in the account or deletes them. Kept data and keys are also protected against
   * deletion.
   */
  readonly removal: "destroy" | "retain";
  readonly logDays: 7 | 30 | 90 | 365;
  readonly logLevel: "DEBUG" | "INFO" | "WARN";
  /**
   * The e-mail address that gets alarms and budget warnings, and that we give to news feeds as our contact. A personal stage has no address
   * for alarms.
   */
  readonly alarms:
    | {
        readonly email: string;
        /**
         * The HTTPS address of an on-call service that accepts SNS messages. The on-call service also gets the urgent alarms. The address
         * of the on-call service can contain a secret key.
         */
        readonly onCallUrl: string | undefined;
        /** The budget of the whole account for a month, and the budget of the model for an hour. */
        readonly budgetUsd: number;
        readonly modelUsdPerHour: number;
      }
    | undefined;
};

const model = {
  name: "Amazon Nova Pro",
  inferenceProfile: "us.amazon.nova-pro-v1:0",
  foundationModel: "amazon.nova-pro-v1:0",
  prices: { input: 0.0008, output: 0.0032 },
} as const;

const fallbackModel = {
  name: "Anthropic Claude Haiku 5.5",
  inferenceProfile: "us.anthropic.claude-haiku-5-5",
  foundationModel: "anthropic.claude-haiku-5-5",
  // The model's prices in these settings are for prompts of up to 100,000 tokens, and are 10 % higher than the prices of the worldwide
  // profile. The prompt for a draft has at most a third of the 100,000 tokens for which the prices are valid.
  prices: { input: 0.00011, output: 0.00055 },
} as const;

const common = {
  region: "us-east-1",
  model,
  fallbackModel,
  stockApiUrl: "https://api.robinhood.com",
  newsFeeds: [
    "https://www.nasdaq.com/feed/rssoutbound?symbol={symbol}",
    // The feed with a company's current reports is free for any use. The SEC requires only that each request names its sender.
    "https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK={symbol}&type=8-K&owner=exclude&count=10&output=atom",
  ],
  walletConnectProjectId: undefined,
  purseAdviceUsdg: 50,
  contact: undefined,
  operator: undefined,
  treasury: missingAddress,
  gas: {
    maxPriceGwei: 10,
    failuresUsdgPerDay: 12,
    allowanceUsdg: 1,
    ethPriceUsdg: 3_000,
    ethFeed: undefined,
  },
  minPriceUsdg: 0.01,
  siblingRelayers: [],
  retiredRelayers: [],
  sweep: undefined,
  restoredTable: undefined,
  kept: undefined,
  backup: undefined,
  originSecret: { shown: 1, accepted: [1] },
} as const;

const personal: StageSettings = {
  ...common,
  domain: undefined,
  chain: testnet,
  relayers: 2,
  limits: {
    ...runtimeLimits.personal,
    edge: { signIn: 100, pay: 2_400, rpc: 3_600, costly: 500, others: 2_000, network: 12_000 },
    modelUsdPerDay: { service: 10, newWallets: 5, wallet: 2.5, newWallet: 0.5 },
  },
  quotas: {
    concurrency: concurrencyQuota.personal,
    modelRequestsPerMinute: 5,
    modelTokensPerMinute: 20_000,
    modelTokensPerDay: 200_000,
  },
  canary: false,
  removal: "destroy",
  logDays: 7,
  logLevel: "DEBUG",
  alarms: undefined,
};

/** A real project id has 32 hex digits, so `listMissingSettings` finds this placeholder. */
const exampleProject = "0000000000000000000000000EXAMPLE";

const dev: StageSettings = {
  ...personal,
  walletConnectProjectId: exampleProject,
  domain: { name: "dev.press-market.example", zoneName: "press-market.example", zoneId: "Z000000000EXAMPLE" },
  contact: "hello@press-market.example",
  operator: "Example Operator, 1 Example Street, Example City",
  logDays: 30,
  alarms: {
    email: "operations@press-market.example",
    onCallUrl: undefined,
    budgetUsd: 100,
    modelUsdPerHour: 1,
  },
};

const staging: StageSettings = {
  ...dev,
  domain: {
    name: "staging.press-market.example",
    zoneName: "press-market.example",
    zoneId: "Z000000000EXAMPLE",
  },
  relayers: 4,
  limits: {
    ...personal.limits,
    ...runtimeLimits.staging,
    edge: { signIn: 100, pay: 2_400, rpc: 3_600, costly: 600, others: 3_000, network: 30_000 },
  },
  quotas: { ...personal.quotas, concurrency: concurrencyQuota.staging },
  canary: true,
  removal: "retain",
  logLevel: "INFO",
};

const prod: StageSettings = {
  ...staging,
  gas: { ...common.gas, allowanceUsdg: 0.25 },
  // At the minimum price, the platform's fee is a tenth of this price. At a gas price of 0.1 gwei, the fee is a quarter higher than the gas
  // cost of a purchase by an account without code. A test computes this minimum price.
  minPriceUsdg: 0.94,
  domain: { name: "press-market.example", zoneName: "press-market.example", zoneId: "Z000000000EXAMPLE" },
  // The public node limits the cost of each caller's requests and keeps no old state, so production has a node of its own.
  chain: { ...mainnet, rpc: { secretName: "press-market/prod/chain-rpc-urls" } },
  relayers: 16,
  // The models of prod are named explicitly and not inherited, because a newer model is tried in staging first.
  model,
  fallbackModel,
  limits: {
    ...runtimeLimits.prod,
    edge: { signIn: 100, pay: 2_400, rpc: 3_600, costly: 600, others: 3_000, network: 60_000 },
    modelUsdPerDay: { service: 100, newWallets: 40, wallet: 10, newWallet: 0.5 },
  },
  quotas: {
    concurrency: concurrencyQuota.prod,
    modelRequestsPerMinute: 30,
    modelTokensPerMinute: 200_000,
    modelTokensPerDay: 5_000_000,
  },
  logDays: 365,
  alarms: {
    email: "operations@press-market.example",
    onCallUrl: "https://on-call.example/sns",
    budgetUsd: 1_000,
    modelUsdPerHour: 10,
  },
  backup: { copyTo: "arn:aws:backup:us-east-1:210987654321:backup-vault:EXAMPLE" },
};

/** The settings of the stage with this name. A name that is not in the list of stages is the name of somebody's personal stage. */
export function findSettings(stage: string): StageSettings {
  if (stage === "dev") return dev;
  if (stage === "staging") return staging;
  return stage === "prod" ? prod : personal;
}

/** The names of the settings that the owner of a stage has not filled in yet; a stage must not be deployed with example values. */
export function listMissingSettings(settings: StageSettings): readonly string[] {
  const { chain, domain, alarms } = settings;
  const isExample = (host: string | undefined) => host?.endsWith(".example") === true;
  return [
    ...(settings.treasury === missingAddress ? ["treasury"] : []),
    ...Object.entries(chain.contracts)
      .filter(([, address]) => address === missingAddress)
      .map(([name]) => `chain.contracts.${name}`),
    ...(chain.stocks.beacon === missingAddress ? ["chain.stocks.beacon"] : []),
    ...(chain.stocks.tokens?.length === 0 ? ["chain.stocks.tokens"] : []),
    ...(isExample(domain?.name) || domain?.zoneId.endsWith("EXAMPLE") === true ? ["domain"] : []),
    ...(isExample(settings.contact) ? ["contact"] : []),
    ...(settings.operator?.startsWith("Example ") === true ? ["operator"] : []),
    ...(settings.walletConnectProjectId === exampleProject ? ["walletConnectProjectId"] : []),
    ...(isExample(alarms?.email) ? ["alarms.email"] : []),
    ...(alarms?.onCallUrl?.startsWith("https://on-call.example/") ? ["alarms.onCallUrl"] : []),
    ...(settings.backup?.copyTo.endsWith(":EXAMPLE") ? ["backup.copyTo"] : []),
  ];
}

/**
 * The reason why the concurrent runs that the stage reserves do not fit into an account with this quota; `undefined` if they fit. Without
 * this check, AWS would refuse a function in the middle of a deployment.
 */
export function findCapacityFault(
  { limits }: Pick<StageSettings, "limits">,
  quota: number,
): string | undefined {
  const reserved = Object.values(limits.reserved).reduce((sum, runs) => sum + runs, 0);
  if (reserved === 0 || reserved + leastUnreserved <= quota) return undefined;
  return `${reserved} runs are reserved, and AWS keeps ${leastUnreserved} of ${quota} for other functions`;
}

/** The reason why a stage's sweep cannot be deployed; `undefined` if the sweep can be deployed or the stage has no sweep. */
export function findSweepFault({ sweep, chain }: Pick<StageSettings, "sweep" | "chain">): string | undefined {
  if (sweep === undefined) return undefined;
  const approvers = new Set(sweep.approvers.map((address) => address.toLowerCase()));
  const least = chain.id === testnet.id ? 0 : 2;
  if (sweep.needed < least) return `${least} people have to approve where there is real money`;
  if (approvers.size < sweep.needed) return `${sweep.needed} have to approve, and ${approvers.size} can`;
  return undefined;
}

/** The ids of all keys that a stage adopts from a removed stage. */
export function listAdoptedKeys(kept: NonNullable<StageSettings["kept"]>): readonly string[] {
  const { relayers, auditor, receipts, pushes } = kept;
  return [...relayers, auditor, receipts, ...(pushes === undefined ? [] : [pushes])];
}

/**
 * The reason why a stage cannot adopt the existing resources that its settings name; `undefined` if the stage can adopt the resources, or
 * if the settings name no resources.
 */
export function findAdoptionFault({
  kept,
  removal,
}: Pick<StageSettings, "kept" | "removal">): string | undefined {
  if (kept === undefined) return undefined;
  if (removal !== "retain") return "a stage that keeps nothing has left nothing behind";
  const ids = [...listAdoptedKeys(kept), kept.table];
  if (new Set(ids).size < ids.length) return "something is named twice";
  const foreign = ids.find((id) => !/^[\w.-]+$/.test(id));
  return foreign === undefined ? undefined : `${foreign} is no id or name of this account`;
}
