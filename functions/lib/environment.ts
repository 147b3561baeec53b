import { parseUnits } from "viem/utils";
import * as z from "zod";
import { AddressInput, lower } from "../../core/chain/hex.ts";
import type { Settings } from "../../core/port/settings.ts";

const Contract = AddressInput.transform(lower);
const Text = z.string().min(1);

/** The form of a list whose entries are separated by commas. Spaces around an entry are ignored. */
const makeListForm = <Entry>(form: z.ZodType<Entry, string>) =>
  z
    .string()
    .transform((list) => list.split(",").map((entry) => entry.trim()))
    .pipe(z.array(form).nonempty());

/** A list of URLs. The first URL is preferred, and the other URLs are used if the first URL fails. */
export const Urls = makeListForm(z.url());

const Ids = makeListForm(Text);
const Contracts = makeListForm(Contract);

/** A news feed is written `https://…` if it serves every ticker, and `AAPL=https://…` if it serves one ticker. */
const Feed = z.string().transform((feed, context) => {
  const [, symbol, url] = /^(?:([A-Z][A-Z0-9.]*)=)?(https?:.+)$/.exec(feed) ?? [];
  if (url !== undefined && URL.canParse(url)) return { symbol, url };
  context.addIssue(`${feed} is not the address of a feed`);
  return z.NEVER;
});

const Usd = z.number().nonnegative();

/** Reads a decimal amount of USDG and converts the amount to base units. */
const Usdg = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/)
  .transform((amount) => Number(parseUnits(amount, 6)));

const Numbers = z.string().transform((list) => list.split(",").map(Number));

const Prices = Numbers.pipe(z.tuple([Usd, Usd])).transform(([input, output]) => ({ input, output }));

const DailyUsd = Numbers.pipe(z.tuple([Usd, Usd, Usd, Usd])).transform(
  ([service, newWallets, wallet, newWallet]) => ({ service, newWallets, wallet, newWallet }),
);

const Origin = z.url().refine((url) => new URL(url).origin === url, "must be an origin without a path");

/** The stocks' price feeds, separated by commas: each entry is a token's address, `=`, and the address of its feed. */
const PriceFeeds = z
  .string()
  .transform((list) => list.split(",").map((pair) => pair.split("=")))
  .pipe(z.array(z.tuple([Contract, Contract])))
  .transform((pairs) => pairs.map(([token, feed]) => ({ token, feed })));

/**
 * A function's environment variables, except those that only `readSettings` reads. A variable is parsed when a port first needs it, so a
 * function needs only the variables of its row in the table of endpoints or jobs. Throws an Error that names a missing or wrong variable;
 * such a variable is a fault of the deployment.
 */
export const environment = {
  /** X-Ray's current trace id, which Lambda changes with every call. This variable is not set in the local runtime. */
  traceId: () => /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? "")?.[1],
  tableName: () => read("TABLE_NAME", Text),
  siteOrigin: () => read("SITE_ORIGIN", Origin),
  /** The gateway's own address, by which functions call other functions without the edge. This variable is not set in the local runtime. */
  apiOrigin: () => read("API_ORIGIN", Text.optional()),
  /** The maximum number of milliseconds that one answer of an AWS service may take. The variable is not set in the cloud. */
  sdkTimeoutMs: () => read("SDK_TIMEOUT_MS", z.coerce.number().int().positive().default(2_000)),
  /**
   * The ARN of the secret that CloudFront sends with every request, so that the API can be called only through CloudFront. While the edge's
   * secret is being replaced, the variable contains the ARNs of several secrets, separated by commas. This variable is not set in the local
   * runtime.
   */
  originSecretIds: () => read("ORIGIN_SECRET_IDS", Ids.optional()),
  chainId: () => read("CHAIN_ID", z.coerce.number().int().positive()),
  /** The addresses of the nodes. If the addresses contain a key, they are stored in a secret, and `chainRpcSecret` names this secret. */
  chainRpcUrls: () => read("CHAIN_RPC_URL", Urls.optional()),
  chainRpcSecret: () => read("CHAIN_RPC_SECRET", Text.optional()),
  /** The RPC relay's nodes. A stage may use different nodes for the RPC relay and for payments. */
  relayRpcUrls: () => read("RELAY_RPC_URL", Urls.optional()),
  relayRpcSecret: () => read("RELAY_RPC_SECRET", Text.optional()),
  /** KMS keys of the relayers, separated by commas. Without KMS keys, the relayers' keys are made from the BIP-39 phrase. */
  relayerKeyIds: () => read("RELAYER_KEY_IDS", Ids.optional()),
  /** The BIP-39 phrase from which the relayers' keys are made locally. In the cloud the relayers' keys are in KMS. */
  relayerMnemonic: () => read("RELAYER_MNEMONIC", Text),
  pushPhrase: () => read("RELAYER_MNEMONIC", Text.optional()),
  relayerCount: () => read("RELAYER_COUNT", z.coerce.number().int().min(1).max(64)),
  /**
   * The KMS key of the auditor. Without a KMS key, the auditor uses the first key that is made from the BIP-39 phrase after the relayers'
   * keys.
   */
  auditorKeyId: () => read("AUDITOR_KEY_ID", Text.optional()),
  /**
   * The KMS key that signs receipts. Without a KMS key, receipts are signed with a key from the BIP-39 phrase: the second key after the
   * auditor's key.
   */
  receiptKeyId: () => read("RECEIPT_KEY_ID", Text.optional()),
  /**
   * The KMS keys whose ETH a sweep may move, the address that gets this ETH, and the addresses of the people who must approve the sweep;
   * `undefined` when the stage's settings have no sweep.
   */
  sweepKeyIds: () => read("SWEEP_KEY_IDS", Ids.optional()) ?? [],
  sweepTerms: () => {
    const to = read("SWEEP_TO", Contract.optional());
    if (to === undefined) return undefined;
    const approvers = read("SWEEP_APPROVERS", Contracts.optional()) ?? [];
    return { to, approvers, needed: read("SWEEP_APPROVALS", z.coerce.number().int().nonnegative()) };
  },
  mintQueueUrl: () => read("MINT_QUEUE_URL", z.url()),
  verdictQueueUrl: () => read("VERDICT_QUEUE_URL", z.url()),
  pushQueueUrl: () => read("PUSH_QUEUE_URL", z.url()),
  /**
   * The KMS key that identifies the stage to push services. Without this KMS key and without a BIP-39 phrase, browsers get no
   * notifications.
   */
  pushKeyId: () => read("PUSH_KEY_ID", Text.optional()),
  /**
   * Origins that tests use as push services in addition to the known push services, separated by commas. The variable is not set in the
   * cloud.
   */
  pushServices: () => read("PUSH_SERVICES", Urls.optional()) ?? [],
  /** The bucket with the site's files. */
  logBucket: () => read("LOG_BUCKET", Text),
  searchBucket: () => read("SEARCH_BUCKET", Text),
  siteBucket: () => read("SITE_BUCKET", Text),
  auditMachineArn: () => read("AUDIT_MACHINE_ARN", z.string().startsWith("arn:")),
  /**
   * The model, and a model of another family that is used when the first model fails. A model's prices are in USD per thousand input
   * tokens, and per thousand output tokens.
   */
  models: () => ({
    first: { id: read("MODEL_ID", Text), prices: read("MODEL_PRICES", Prices) },
    fallback: { id: read("FALLBACK_MODEL_ID", Text), prices: read("FALLBACK_MODEL_PRICES", Prices) },
  }),
  /** The maximum costs of models in USD for a UTC day: in total, for all new wallets together, for one wallet, and for one new wallet. */
  modelDailyUsd: () => read("MODEL_DAILY_USD", DailyUsd),
  stockApiUrl: () => read("STOCK_API_URL", z.url()),
  stockBeacon: () => read("STOCK_BEACON_ADDRESS", Contract),
  /** The stocks' price feeds. The list is empty on a chain without price feeds. */
  stockFeeds: () => read("STOCK_FEEDS", PriceFeeds.optional()) ?? [],
  /**
   * The addresses of a test chain's stock tokens, separated by commas. This variable is needed because the stock API does not list the
   * tokens of a test chain.
   */
  stockTokens: () => read("STOCK_TOKENS", Contracts.optional()),
  /** News feeds, separated by commas. The type `Feed` in `core/adapter/news.ts` explains `{symbol}`. */
  newsFeeds: () => read("NEWS_URL", makeListForm(Feed)),
  /**
   * The contact email address that requests to news feeds contain, because the SEC requires such an address. The variable is not set
   * in a stage without a contact address.
   */
  newsContact: () => read("NEWS_CONTACT", Text.optional()),
} as const;

function read<Value>(name: string, form: z.ZodType<Value>): Value {
  const parsed = form.safeParse(process.env[name]);
  if (parsed.success) return parsed.data;
  throw new Error(`The environment's ${name} is not usable: ${z.prettifyError(parsed.error)}`);
}

let known: Settings | undefined;

/**
 * The stage's settings from the environment, read once per container. The settings are read here and not in `runtime.ts`: a bundle without
 * ports then contains no libraries of ports.
 */
export function readSettings(): Settings {
  known ??= {
    origin: environment.siteOrigin(),
    chainId: environment.chainId(),
    chainName: read("CHAIN_NAME", Text),
    contracts: {
      usdg: read("USDG_ADDRESS", Contract),
      permit2: read("PERMIT2_ADDRESS", Contract),
      exactProxy: read("EXACT_PROXY_ADDRESS", Contract),
      identityRegistry: read("IDENTITY_REGISTRY_ADDRESS", Contract),
      reputationRegistry: read("REPUTATION_REGISTRY_ADDRESS", Contract),
    },
    treasury: read("TREASURY_ADDRESS", Contract),
    // Most stages have no sibling relayers (relayers of other stages).
    siblingRelayers: read("SIBLING_RELAYERS", Contracts.optional()),
    // The milliseconds for which a node may show a transaction's receipt before it shows the state after the transaction. The variable is
    // not set in the cloud.
    stateLag: read("STATE_LAG_MS", z.coerce.number().int().nonnegative().default(3_000)),
    gas: {
      maxPrice: read("MAX_GAS_PRICE_WEI", z.coerce.bigint().positive().optional()),
      allowance: read("GAS_ALLOWANCE_USDG", Usdg.optional()),
      failuresPerDay: read("FAILED_GAS_USDG_PER_DAY", Usdg.optional()),
      ethPrice: read("ETH_PRICE_USDG", Usdg.optional()),
      // Most chains have no Chainlink feed of the price of ETH.
      ethFeed: read("ETH_FEED_ADDRESS", Contract.optional()),
    },
    minPriceUnits: read("MIN_PRICE_USDG", Usdg.transform(BigInt).optional()),
  };
  return known;
}
