import type { Address } from "../core/chain/hex.ts";
import { concurrencyQuota, leastUnreserved, type RuntimeLimits, runtimeLimits } from "../functions/limits.ts";
import { type ChainSettings, mainnet, missingAddress, testnet } from "./chains.ts";

/** The part of every stack's name after the stage. Another name would create all stacks anew. */
export const appName = "press-market";

export type SignerKind = "relayer" | "auditor" | "receipt" | "push";

/** The path of the roles whose functions may sign with the keys of a kind. The keys' policies recognize the roles by this path. */
export function signerPath(stage: string, kind: SignerKind): string {
  return `/${appName}/${stage}/${kind}/`;
}

/**
 * The permission boundaries of a stage that a pipeline deploys: one for the stage's roles, and one for CDK's role that CloudFormation
 * deploys with. `infra/pipeline-roles.yaml` creates them in the stage's account.
 */
export function boundariesOf(
  stage: string,
): { readonly functions: string; readonly execution: string } | undefined {
  if (!["dev", "staging", "prod"].includes(stage)) return undefined;
  return { functions: `${appName}-functions-${stage}`, execution: `${appName}-execution-${stage}` };
}

/** A host name in a Route 53 zone of the account. */
export type Domain = { readonly name: string; readonly zoneName: string; readonly zoneId: string };

/** A model of Bedrock behind an inference profile, which sends each request to one of its regions. */
export type Model = {
  /** The model's name in Service Quotas. */
  readonly name: string;
  readonly inferenceProfile: string;
  readonly foundationModel: string;
  /** USD for a thousand tokens, as AWS charges them in the region. */
  readonly prices: { readonly input: number; readonly output: number };
};

export type StageSettings = {
  /** CloudFront takes its firewall and its certificate from us-east-1 alone, so everything lives there. */
  readonly region: "us-east-1";
  /** Without a domain the site is at CloudFront's own name. */
  readonly domain: Domain | undefined;
  readonly chain: ChainSettings;
  /** The wallet that receives the platform's fee. */
  readonly treasury: Address;
  /**
   * Relayers of other stages on the same chain with the same publishers or treasury, because one payment must not buy a text in two stages.
   * Retired relayers stay in the list.
   */
  readonly siblingRelayers: readonly Address[];
  readonly gas: {
    /** The most that a gas unit may cost, in gwei. */
    readonly maxPriceGwei: number;
    /** USDG that failed payments of contract wallets may cost in a UTC day: one budget for new wallets, and the same for others. */
    readonly failuresUsdgPerDay: number;
    /** USDG that is spent on gas in a UTC day for a payee, and for a payer, beyond their fees. */
    readonly allowanceUsdg: number;
    /** The price of one ETH in USDG, if the chain has no feed for it or the feed is stale. */
    readonly ethPriceUsdg: number;
    /** Chainlink's feed of ETH in US dollars, if the chain has one. */
    readonly ethFeed: Address | undefined;
  };
  /** The lowest price at which a draft is saved: below it a fee does not pay for its gas. */
  readonly minPriceUsdg: number;
  /** The number of keys that pay gas, which is also the number of settlements at once. */
  readonly relayers: number;
  /** The numbers (from 0) of relayers that functions may no longer use. These keys stay in KMS and keep what they own. */
  readonly retiredRelayers: readonly number[];
  /**
   * The address that may receive the ETH of retired relayers, and the wallets that approve it: `needed` of them sign each sweep, at least
   * two where there is real money (`sweepFault`). Without this setting no function can move the ETH, and no request can name another
   * address.
   */
  readonly sweep:
    | { readonly to: Address; readonly approvers: readonly Address[]; readonly needed: number }
    | undefined;
  readonly model: Model;
  /** A model of another family, for when the first model is down, retired or gives no usable answer. */
  readonly fallbackModel: Model;
  readonly stockApiUrl: string;
  /**
   * The site offers WalletConnect if this is set. Wallets on phones and Safes have no other way to connect. The id is public: each page
   * carries it.
   */
  readonly walletConnectProjectId: string | undefined;
  /** Whole USDG above which the page of a passkey wallet advises a full wallet. */
  readonly purseAdviceUsdg: number;
  /** The address for readers and publishers, shown on the contact page. */
  readonly contact: string | undefined;
  /** Who runs the service, with its postal address in one line: terms, privacy and contact name it. */
  readonly operator: string | undefined;
  /** RSS or Atom feeds. `{symbol}` stands for the ticker, and a feed that starts with `AAPL=` is only for that ticker. */
  readonly newsFeeds: readonly string[];
  /** `RuntimeLimits` by the kind of stage: a small quota allows no reservations (`reservedFault`). */
  readonly limits: RuntimeLimits & {
    /**
     * Requests of one IP address in five minutes: for sign-in; for payments, also by MCP; for the RPC relay (as many as its allowance of
     * contract calls); for what costs a model, a node or an audit; and for all but payments and relay. `network` is the limit of all IPv6
     * addresses of one operator together, for requests that cost something.
     */
    readonly edge: {
      readonly signIn: number;
      readonly pay: number;
      readonly rpc: number;
      readonly costly: number;
      readonly others: number;
      readonly network: number;
    };
    /**
     * USD that the model may cost on a UTC day before audits and AI drafts are refused: for the whole service, for all wallets together
     * that have never published, for one wallet, and for one that has never published.
     */
    readonly modelUsdPerDay: {
      readonly service: number;
      readonly newWallets: number;
      readonly wallet: number;
      readonly newWallet: number;
    };
  };
  /** The quotas that the account needs (Service Quotas). New accounts begin with less: `stage:check` compares. */
  readonly quotas: {
    /** Functions that may run at once, over all stages of the account. */
    readonly concurrency: number;
    /** For each model. A request counts with its prompt and the 4,000 tokens that its answer may have. */
    readonly modelRequestsPerMinute: number;
    readonly modelTokensPerMinute: number;
    readonly modelTokensPerDay: number;
  };
  /**
   * A restored table, which functions then use in place of the stage's own table. The stage's own table stays as it is (docs/operations.md,
   * "Backup and restore").
   */
  readonly restoredTable: string | undefined;
  /**
   * Table and keys that a removed or rebuilt stage has left behind, by name and ids, in the same account: the stage takes them back
   * instead of making new ones. `npm run remove` prints it.
   */
  readonly kept:
    | {
        readonly table: string;
        /** The relayers' keys in the order of their numbers. Keys for further relayers are created. */
        readonly relayers: readonly string[];
        readonly auditor: string;
        readonly receipts: string;
        /** Absent if the removed stage did not have this key yet. The key is then created. */
        readonly pushes?: string | undefined;
      }
    | undefined;
  /**
   * The ARN of a vault of AWS Backup in another account of the organization, which then holds copies of the table (docs/operations.md,
   * "Backup and restore"). Without a vault the table is lost with its account, so prod's owner must name a vault or write `undefined`.
   */
  readonly backup: { readonly copyTo: string } | undefined;
  /**
   * Generations of the secret that identifies the edge: the one that the edge sends, and those that functions accept. They differ only
   * while the secret is renewed (docs/operations.md, "Secrets").
   */
  readonly originSecret: { readonly shown: number; readonly accepted: readonly [number, ...number[]] };
  /** Whether new versions of payment functions get a tenth of the requests for five minutes before they get all. */
  readonly canary: boolean;
  /** The fate of data and keys when the stage is removed. Kept ones are also protected against deletion. */
  readonly removal: "destroy" | "retain";
  readonly logDays: 7 | 30 | 90 | 365;
  readonly logLevel: "DEBUG" | "INFO" | "WARN";
  /** The address that gets alarms and budget warnings, and that news feeds see as our contact. A personal stage has none. */
  readonly alarms:
    | {
        readonly email: string;
        /** The HTTPS address of an on-call service that takes SNS: urgent alarms go there too. It may carry a key of its own. */
        readonly onCallUrl: string | undefined;
        /** The budget of the whole account for a month, and of the model for an hour. */
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
  // Prices for prompts up to 100,000 tokens, a tenth above the worldwide profile's. A draft's prompt has at most a third of that.
  prices: { input: 0.00011, output: 0.00055 },
} as const;

const common = {
  region: "us-east-1",
  model,
  fallbackModel,
  stockApiUrl: "https://api.robinhood.com",
  newsFeeds: [
    "https://www.nasdaq.com/feed/rssoutbound?symbol={symbol}",
    // A company's current reports, free for any use; the SEC asks only that each request says who makes it.
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

/** A real project id has 32 hex digits, so `missingIn` finds this placeholder. */
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
  // The fee, a tenth of this price, pays for a plain account's read at 0.1 gwei with a margin of a quarter (a test computes it).
  minPriceUsdg: 0.94,
  domain: { name: "press-market.example", zoneName: "press-market.example", zoneId: "Z000000000EXAMPLE" },
  // The public node limits its callers by cost and keeps no archive: production has a node of its own.
  chain: { ...mainnet, rpc: { secretName: "press-market/prod/chain-rpc-urls" } },
  relayers: 16,
  // The models are named here and not inherited, because a newer model is tried in staging first.
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

/** The settings of a stage by its name. Any other name is somebody's personal stage. */
export function settingsOf(stage: string): StageSettings {
  if (stage === "dev") return dev;
  if (stage === "staging") return staging;
  return stage === "prod" ? prod : personal;
}

/** The settings that the owner of a stage has not filled in yet, by name: nothing may be deployed with an example's values. */
export function missingIn({
  treasury,
  chain,
  domain,
  contact,
  operator,
  walletConnectProjectId,
  alarms,
  backup,
}: StageSettings): readonly string[] {
  const isExample = (host: string | undefined) => host?.endsWith(".example") === true;
  return [
    ...(treasury === missingAddress ? ["treasury"] : []),
    ...Object.entries(chain.contracts)
      .filter(([, address]) => address === missingAddress)
      .map(([name]) => `chain.contracts.${name}`),
    ...(chain.stocks.beacon === missingAddress ? ["chain.stocks.beacon"] : []),
    ...(chain.stocks.tokens?.length === 0 ? ["chain.stocks.tokens"] : []),
    ...(isExample(domain?.name) || domain?.zoneId.endsWith("EXAMPLE") === true ? ["domain"] : []),
    ...(isExample(contact) ? ["contact"] : []),
    ...(operator?.startsWith("Example ") === true ? ["operator"] : []),
    ...(walletConnectProjectId === exampleProject ? ["walletConnectProjectId"] : []),
    ...(isExample(alarms?.email) ? ["alarms.email"] : []),
    ...(alarms?.onCallUrl?.startsWith("https://on-call.example/") ? ["alarms.onCallUrl"] : []),
    ...(backup?.copyTo.endsWith(":EXAMPLE") ? ["backup.copyTo"] : []),
  ];
}

/**
 * Why the stage's reservations do not fit into an account with this quota; `undefined` if they fit. Otherwise AWS would refuse a function
 * in the middle of a deployment.
 */
export function reservedFault({ limits }: Pick<StageSettings, "limits">, quota: number): string | undefined {
  const reserved = Object.values(limits.reserved).reduce((sum, runs) => sum + runs, 0);
  if (reserved === 0 || reserved + leastUnreserved <= quota) return undefined;
  return `${reserved} runs are reserved, and AWS keeps ${leastUnreserved} of ${quota} for other functions`;
}

/** Why a stage's sweep cannot be deployed; `undefined` if it can, or the stage has no sweep. */
export function sweepFault({ sweep, chain }: Pick<StageSettings, "sweep" | "chain">): string | undefined {
  if (sweep === undefined) return undefined;
  const approvers = new Set(sweep.approvers.map((address) => address.toLowerCase()));
  const least = chain.id === mainnet.id ? 2 : 0;
  if (sweep.needed < least) return `${least} people have to approve where there is real money`;
  if (approvers.size < sweep.needed) return `${sweep.needed} have to approve, and ${approvers.size} can`;
  return undefined;
}

type KeptResources = NonNullable<StageSettings["kept"]>;

/** The ids of all keys that a stage takes back. */
export function keptKeys({ relayers, auditor, receipts, pushes }: KeptResources): readonly string[] {
  return [...relayers, auditor, receipts, ...(pushes === undefined ? [] : [pushes])];
}

/** Why a stage cannot take back the resources in its settings; `undefined` if it can, or the settings name none. */
export function keptFault({ kept, removal }: Pick<StageSettings, "kept" | "removal">): string | undefined {
  if (kept === undefined) return undefined;
  if (removal !== "retain") return "a stage that keeps nothing has left nothing behind";
  const ids = [...keptKeys(kept), kept.table];
  if (new Set(ids).size < ids.length) return "something is named twice";
  const foreign = ids.find((id) => !/^[\w.-]+$/.test(id));
  return foreign === undefined ? undefined : `${foreign} is no id or name of this account`;
}
