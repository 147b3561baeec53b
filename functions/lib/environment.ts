import * as z from "zod";
import { AddressInput, lower } from "../../core/chain/hex.ts";

const Contract = AddressInput.transform(lower);
const Text = z.string().min(1);

/** A list of URLs, separated by commas: the first is preferred, the others are fallbacks. */
const Urls = z
  .string()
  .transform((list) => list.split(","))
  .pipe(z.array(z.url()).nonempty());

const Ids = z
  .string()
  .transform((list) => list.split(","))
  .pipe(z.array(Text).nonempty());

/** A feed: `https://…` for every ticker, `AAPL=https://…` for one. */
const Feed = z.string().transform((feed, context) => {
  const [, symbol, url] = /^(?:([A-Z][A-Z0-9.]*)=)?(https?:.+)$/.exec(feed) ?? [];
  if (url !== undefined && URL.canParse(url)) return { symbol, url };
  context.addIssue(`${feed} is not the address of a feed`);
  return z.NEVER;
});

const Feeds = z
  .string()
  .transform((list) => list.split(","))
  .pipe(z.array(Feed));

const Origin = z.url().refine((url) => new URL(url).origin === url, "must be an origin without a path");

/**
 * What a function reads from its environment. Each is read when a port first needs it, so that a function only has to
 * be given what its row lets it touch. Throws an Error naming the variable when it is missing or wrong: a fault of
 * the deployment.
 */
export const environment = {
  tableName: () => read("TABLE_NAME", Text),
  siteOrigin: () => read("SITE_ORIGIN", Origin),
  /** What CloudFront shows with every request, so that the API is reached through it alone; not set locally. */
  originSecret: () => read("ORIGIN_SECRET", Text.optional()),
  chainId: () => read("CHAIN_ID", z.coerce.number().int().positive()),
  chainName: () => read("CHAIN_NAME", Text),
  chainRpcUrls: () => read("CHAIN_RPC_URL", Urls),
  usdg: () => read("USDG_ADDRESS", Contract),
  permit2: () => read("PERMIT2_ADDRESS", Contract),
  exactProxy: () => read("EXACT_PROXY_ADDRESS", Contract),
  identityRegistry: () => read("IDENTITY_REGISTRY_ADDRESS", Contract),
  reputationRegistry: () => read("REPUTATION_REGISTRY_ADDRESS", Contract),
  treasury: () => read("TREASURY_ADDRESS", Contract),
  /** KMS keys of the relayers, separated by commas; without them the phrase below is used. */
  relayerKeyIds: () => read("RELAYER_KEY_IDS", Ids.optional()),
  /** BIP-39 phrase of the relayers. Local only: in the cloud the keys live in KMS. */
  relayerMnemonic: () => read("RELAYER_MNEMONIC", Text),
  relayerCount: () => read("RELAYER_COUNT", z.coerce.number().int().min(1).max(64)),
  /** KMS key of the auditor; without it the key that follows the relayers' under their phrase. */
  auditorKeyId: () => read("AUDITOR_KEY_ID", Text.optional()),
  mintQueueUrl: () => read("MINT_QUEUE_URL", z.url()),
  verdictQueueUrl: () => read("VERDICT_QUEUE_URL", z.url()),
  auditMachineArn: () => read("AUDIT_MACHINE_ARN", z.string().startsWith("arn:")),
  modelId: () => read("MODEL_ID", Text),
  stockApiUrl: () => read("STOCK_API_URL", z.url()),
  /** Separated by commas; what `{symbol}` and its absence mean stands at `Feed` in the adapter. */
  newsFeeds: () => read("NEWS_URL", Feeds),
} as const;

function read<Value>(name: string, form: z.ZodType<Value>): Value {
  const parsed = form.safeParse(process.env[name]);
  if (parsed.success) return parsed.data;
  throw new Error(`The environment's ${name} is not usable: ${z.prettifyError(parsed.error)}`);
}
