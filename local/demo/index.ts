import { ExactEvmScheme } from "@x402/evm";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { type LocalAccount, maxUint256 } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import {
  getBalance,
  getTransactionCount,
  readContract,
  sendTransaction,
  waitForTransactionReceipt,
  writeContract,
} from "viem/actions";
import { parseEventLogs } from "viem/utils";
import * as z from "zod";
import { openMarket, robinhoodChain } from "../../client/index.ts";
import { systemClock } from "../../core/adapter/system.ts";
import { erc20Abi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import { AddressInput, HashInput, type Hex, lower, toAddress } from "../../core/chain/hex.ts";
import { DiscoveryDocument } from "../../core/discovery/schema.ts";
import type { MethodName } from "../../core/payment/schema.ts";
import { poll } from "../../core/port/clock.ts";
import { PressDetail } from "../../core/press/schema.ts";
import { getTestAccount } from "../devnet/accounts.ts";
import type { Article } from "../seed/articles.ts";
import {
  type ChainPlace,
  type LocalSite,
  makeChainClient,
  publish,
  readCookies,
  signIn,
} from "../seed/client.ts";

/**
 * Acts as a publisher, then as a reader who votes at the end, and then as a reader without ETH. The demo uses a local service, and only the
 * service's public API. Throws Error at the first wrong result.
 */
export async function playDemo(
  site: LocalSite,
  say: DemoReporter,
): Promise<{ readonly press: PublishedPress; readonly purchase: DemoPurchase }> {
  const client = makeRelayClient(site.origin, await fetchChain(site.origin));
  const press = await playPublisher(site, client, say);
  const purchase = await playReader(site, client, press, say);
  await playVoter(site, client, press, purchase, say);
  await playReaderWithoutGas(site, client, press, say);
  return { press, purchase };
}

/** Reads the chain's data from the service's discovery document. */
async function fetchChain(origin: string): Promise<ChainPlace> {
  const answer = await fetch(`${origin}/.well-known/x402`);
  if (!answer.ok) throw new Error(`The discovery document request failed with status ${answer.status}.`);
  const { network, x402, erc8004 } = DiscoveryDocument.parse(await answer.json());
  return {
    chainId: Number(network.caip2.split(":")[1]),
    name: network.name,
    contracts: {
      usdg: toAddress(network.asset.address),
      permit2: toAddress(x402.permit2),
      identityRegistry: toAddress(erc8004.identityRegistry),
      reputationRegistry: toAddress(erc8004.reputationRegistry),
    },
  };
}

/** The reader votes with the typed client, and finds the vote and the purchase in the history. Throws Error if a result is wrong. */
async function playVoter(
  { origin, signal }: LocalSite,
  { place: { chainId, name, contracts } }: RelayClient,
  { slug }: PublishedPress,
  { account, transactions }: DemoPurchase,
  say: DemoReporter,
): Promise<void> {
  const place = { ...robinhoodChain, chainId, name, ...contracts };
  const market = openMarket({
    origin,
    account,
    place,
    fetch: (url, init) => fetch(url, { ...init, signal }),
  });
  const { votes, tags, tx } = await market.vote(slug, 1, "insightful");
  if (votes.up !== 1 || votes.down !== 0 || tags.insightful !== 1)
    throw new Error("The vote was not counted.");
  say.step("Voted", `${votes.up} up, ${votes.down} down, insightful`);
  say.step("", tx);

  const { votes: cast, unlocks } = await market.readHistory();
  const isShown = unlocks.some((unlock) => transactions.some((hash) => hash === unlock.tx));
  if (!isShown || !cast.some((one) => one.tx === tx)) {
    throw new Error("The history does not show the vote and the unlock.");
  }
  say.step("History", `${unlocks.length} unlock, ${cast.length} vote`);
}

export type PublishedPress = {
  readonly account: LocalAccount;
  readonly headline: string;
  readonly slug: string;
  readonly pressId: number;
};

/**
 * The publisher signs in, saves an article, requests its audit, mints the press and confirms the mint. The daily limit on audits allows
 * twenty runs of the demo. Throws Error with the service's refusal.
 */
export async function playPublisher(
  site: LocalSite,
  client: RelayClient,
  say: DemoReporter,
): Promise<PublishedPress> {
  // The demo always publishes with the same test account, because the audit would report the text as a copy if another wallet published it
  // again.
  const account = getTestAccount(8);
  say.part("A publisher");
  say.step("Devnet account 8", account.address);
  const session = await signIn(site, account);
  say.step("Signed in", "EIP-4361, by signature");
  const article = makeDemoArticle(String(await getTransactionCount(client, { address: account.address })));
  const publisherName = "The Demo Desk";
  const live = await publish(
    { client: session, account, publisherName, rpcUrl: `${site.origin}/api/rpc`, place: client.place },
    article,
    (what, detail) => say.step(what, detail),
  );
  say.step("Live", `${site.origin}/press/${live.slug} (press id ${live.pressId})`);
  return { account, headline: article.headline, ...live };
}

/** The article of the demo's publisher. `run` makes the article different in each run. */
function makeDemoArticle(run: string): Article {
  return {
    headline: `What the day's range of a stock token leaves out (${run})`,
    stock: "MSFT",
    priceUsdg: 0.25,
    preview:
      "A day's high and low look like a fence around the price. This note explains what the two numbers record, " +
      "what they leave out for a token that trades at all hours, and how to read them with care.",
    body: `A quote for a stock token such as MSFT comes with a high and a low for the day. They are easy to read as a fence: the price was inside it, so it will stay inside it. That is not what the numbers say.

The high is the largest price that one source saw during one trading session, and the low is the smallest. A session has a beginning and an end. A token on a chain has no sessions, because somebody can trade it at any hour. When the session is closed, the range stays the same while the token's price moves, and the next session may open outside the range.

The [FINRA page on market hours](https://www.finra.org/investors/insights/extended-hours-trading) tells what changes outside a session. The source matters as well. Two sources that watch different venues record different extremes for the same day, and a single odd trade is enough to widen one of them. The glossary of the [Securities and Exchange Commission](https://www.investor.gov/introduction-investing/investing-basics/glossary) is a plain place to look up what each term means before comparing them.

A careful reader therefore asks three things. Which session do the numbers belong to? Which source saw them? And when was the quote taken? Without those three answers, a range is like a picture without a date.

None of this says what a price will do next. The note says how much a range can tell, which is less than many readers think, and where to find the rest.`,
  };
}

const Terms = z.object({
  accepts: z.tuple([z.object({ amount: z.string().transform(BigInt), payTo: AddressInput })], z.unknown()),
});
const FeePaid = z.object({ paid: z.literal(true), tx: HashInput });
const TextPaid = FeePaid.extend({ body: z.string() });

/** The reader's funds: five USDG. */
const purse = 5_000_000n;

/** The reader's balances after the purchase. */
export type DemoPurchase = {
  readonly account: LocalAccount;
  /** The cookie of the session that the payment opened. */
  readonly cookie: string;
  readonly text: string;
  readonly transactions: readonly Hex[];
};

/**
 * The reader looks at a press, approves Permit2 once, makes both payments with the official client, and reads the text. After the purchase,
 * the session reads the text again, and a second purchase is refused. Every payment is checked on the chain. Throws Error if a result is
 * not the expected result.
 */
async function playReader(
  site: LocalSite,
  client: RelayClient,
  press: PublishedPress,
  say: DemoReporter,
): Promise<DemoPurchase> {
  say.part("A reader");
  const account = await makeWallet(client, purse);
  say.step("A new wallet", `${account.address} with ${formatUsdg(purse)}`);
  const { press: listed, unlocked, body } = await fetchPressDetail(site, press.slug);
  if (unlocked || body !== null) throw new Error("The text was readable without payment.");
  say.step("Preview", `${press.headline}: ${formatUsdg(BigInt(listed.priceUnits))}, the text is locked`);
  say.step("Approved Permit2", await approvePermit2(client, account));

  const fee = FeePaid.parse(await (await payLeg(site, client, account, press, "treasury", say)).json());
  const answer = await payLeg(site, client, account, press, "publisher", say);
  const text = TextPaid.parse(await answer.json());
  if (fee.tx === text.tx) throw new Error("Both legs name the same transaction.");
  say.part("The unlocked text");
  say.text(text.body);

  say.part("Afterwards");
  const cookie = readCookies(answer);
  const again = await fetchPressDetail(site, press.slug, cookie);
  if (!again.unlocked || again.body !== text.body)
    throw new Error("The session could not read the text again.");
  say.step("Read again", "by the session cookie, without paying");
  const before = await readUsdg(client, account.address);
  const second = await makePayingFetch(account, client.place)(
    `${site.origin}/api/pay/publisher`,
    makeRequest(site, press),
  );
  if (second.status !== 409) throw new Error(`A second purchase got status ${second.status}.`);
  if ((await readUsdg(client, account.address)) !== before)
    throw new Error("A refused purchase was charged.");
  say.step("Bought again?", "409: already unlocked, nothing charged");
  return { account, cookie, text: text.body, transactions: [fee.tx, text.tx] };
}

/**
 * A second reader with USDG and no ETH pays by two signatures (EIP-3009), without sending an approval or a transaction. Throws Error if a
 * result is not the expected result.
 */
async function playReaderWithoutGas(
  site: LocalSite,
  client: RelayClient,
  press: PublishedPress,
  say: DemoReporter,
): Promise<void> {
  say.part("A reader without ETH");
  const account = await makeWallet(client, purse, { withGas: false });
  say.step("A new wallet", `${account.address} with ${formatUsdg(purse)} and no ETH`);
  await payLeg(site, client, account, press, "treasury", say, "eip3009");
  const answer = await payLeg(site, client, account, press, "publisher", say, "eip3009");
  const { body } = TextPaid.parse(await answer.json());
  const { address } = account;
  const [sent, gas] = await Promise.all([
    getTransactionCount(client, { address }),
    getBalance(client, { address }),
  ]);
  if (sent !== 0 || gas !== 0n) throw new Error("The wallet without ETH has sent a transaction.");
  say.step("Reads", `${body.split(/\s+/).length} words, by two signatures and no transaction of its own`);
}

/** Makes one of the two payments, and checks on the chain that exactly the amount in the terms went to the payee in the terms. */
async function payLeg(
  site: LocalSite,
  client: RelayClient,
  account: LocalAccount,
  press: PublishedPress,
  leg: "treasury" | "publisher",
  say: DemoReporter,
  method?: MethodName,
): Promise<Response> {
  const query = method === undefined ? "" : `?method=${method}`;
  const url = `${site.origin}/api/pay/${leg}${query}`;
  const offered = await fetch(url, makeRequest(site, press));
  if (offered.status !== 402) throw new Error(`${url} offered no terms: ${offered.status}`);
  const [terms] = Terms.parse(await offered.json()).accepts;
  const before = await readUsdg(client, account.address);

  const answer = await makePayingFetch(account, client.place)(url, makeRequest(site, press));
  if (answer.status !== 200) throw new Error(`${url} answered with ${answer.status}: ${await answer.text()}`);
  const { transaction } = decodePaymentResponseHeader(answer.headers.get("payment-response") ?? "");
  const hash = HashInput.parse(transaction);
  const moved = await readTransfers(client, hash, account.address);
  if (moved.length !== 1 || moved[0]?.value !== terms.amount || moved[0].to !== lower(terms.payTo)) {
    throw new Error(`The transaction ${hash} did not make the transfer that the terms demand.`);
  }
  const spent = before - (await readUsdg(client, account.address));
  if (spent !== terms.amount) throw new Error(`The wallet lost ${spent} instead of ${terms.amount}.`);
  const who = leg === "treasury" ? "platform fee" : "publisher";
  say.step(`Paid the ${who}`, `${formatUsdg(terms.amount)} to ${terms.payTo}`);
  say.step("", hash);
  return answer;
}

/**
 * A `fetch` that pays automatically with the official client, which is set up for USDG on this chain. `send` sends the requests of this
 * `fetch`.
 */
export function makePayingFetch(
  account: LocalAccount,
  { chainId, contracts }: ChainPlace = mainnet,
  send: typeof fetch = fetch,
): typeof fetch {
  const network = `eip155:${chainId}` as const;
  const x402 = new x402Client()
    .register(network, new ExactEvmScheme(account))
    .setSpendControls({ allowedAssets: [{ network, asset: contracts.usdg }] });
  return wrapFetchWithPayment(send, x402);
}

function makeRequest({ signal }: LocalSite, { pressId }: PublishedPress): RequestInit {
  return {
    method: "POST",
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pressId }),
  };
}

async function fetchPressDetail(
  { origin, signal }: LocalSite,
  slug: string,
  cookie?: string,
): Promise<PressDetail> {
  const answer = await fetch(`${origin}/api/presses/${slug}`, {
    signal,
    headers: cookie === undefined ? {} : { cookie },
  });
  if (!answer.ok)
    throw new Error(`The press request failed with status ${answer.status}: ${await answer.text()}`);
  return PressDetail.parse(await answer.json());
}

async function readTransfers(client: RelayClient, hash: Hex, from: Hex) {
  const { logs } = await awaitReceipt(client, hash);
  // In a payment by EIP-3009, the token also logs the spent nonce.
  return parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs })
    .filter(
      ({ address, args }) =>
        lower(address) === client.place.contracts.usdg && lower(args.from) === lower(from),
    )
    .map(({ args: { to, value } }) => ({ to: lower(to), value }));
}

/** A client of the chain through the service's own RPC relay, so that the demo needs no other node. */
export function makeRelayClient(origin: string, place: ChainPlace = mainnet) {
  return makeChainClient(`${origin}/api/rpc`, place).extend(() => ({ place }));
}
export type RelayClient = ReturnType<typeof makeRelayClient>;

/** The last public test account funds the wallets of a demo. */
const funder = getTestAccount(9);
/** An amount of wei that is enough for a few transactions. */
const gasMoney = 50_000_000_000_000_000n;

/** A new wallet with `units` base units of USDG. The wallet also gets a little ETH for gas, unless it must pay without ETH. */
export async function makeWallet(
  client: RelayClient,
  usdgUnits: bigint,
  { withGas = true }: { readonly withGas?: boolean } = {},
): Promise<LocalAccount> {
  const account = privateKeyToAccount(generatePrivateKey());
  const gas = { account: funder, to: account.address, value: gasMoney };
  if (withGas) await awaitReceipt(client, await sendTransaction(client, gas));
  if (usdgUnits > 0n) {
    const args = [account.address, usdgUnits] as const;
    const token = { address: client.place.contracts.usdg, abi: erc20Abi } as const;
    const transfer = { account: funder, ...token, functionName: "transfer", args } as const;
    await awaitReceipt(client, await writeContract(client, transfer));
  }
  return account;
}

/** Allows Permit2 to transfer the wallet's USDG: the only transaction that a reader sends (specification §4.4). */
export async function approvePermit2(client: RelayClient, account: LocalAccount): Promise<Hex> {
  const { usdg: address, permit2 } = client.place.contracts;
  const args = [permit2, maxUint256] as const;
  const approval = { account, address, abi: erc20Abi, functionName: "approve", args } as const;
  const hash = await writeContract(client, approval);
  await awaitReceipt(client, hash);
  // A node may show an approval's receipt some seconds before it shows the new allowance.
  const owner = account.address;
  const shown = await poll(systemClock, { until: Date.now() + 30_000, pauseMs: 500 }, async () => {
    const question = { address, abi: erc20Abi, functionName: "allowance", args: [owner, permit2] } as const;
    return (await readContract(client, question)) > 0n || undefined;
  });
  if (shown === undefined) throw new Error(`The node shows no allowance 30 s after the approval ${hash}.`);
  return hash;
}

function readUsdg(client: RelayClient, wallet: Hex): Promise<bigint> {
  const address = client.place.contracts.usdg;
  return readContract(client, { address, abi: erc20Abi, functionName: "balanceOf", args: [wallet] });
}

/** Waits for a transaction's receipt. Throws Error if the transaction was reverted. */
export async function awaitReceipt(client: RelayClient, hash: Hex) {
  const receipt = await waitForTransactionReceipt(client, { hash });
  if (receipt.status !== "success") throw new Error(`The transaction ${hash} was reverted.`);
  return receipt;
}

/** Reports the progress of a demo: the title of each part, the result of each step, and longer texts. */
export type DemoReporter = {
  part(title: string): void;
  step(what: string, detail: string): void;
  text(text: string): void;
};

export const terminal: DemoReporter = {
  part: (title) => console.log(`\n${title}\n${"-".repeat(title.length)}`),
  step: (what, detail) => console.log(`  ${`${what}`.padEnd(22)} ${detail}`),
  text: (text) => console.log(text.replace(/^/gm, "  | ")),
};

function formatUsdg(units: bigint): string {
  const digits = String(units).padStart(7, "0");
  const cents = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${digits.slice(0, -6)}.${cents} USDG`;
}
