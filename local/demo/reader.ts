import { ExactEvmScheme } from "@x402/evm";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import type { LocalAccount } from "viem";
import { getBalance, getTransactionCount } from "viem/actions";
import { parseEventLogs } from "viem/utils";
import * as z from "zod";
import { erc20Abi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import { AddressInput, HashInput, type Hex, lower } from "../../core/chain/hex.ts";
import type { MethodName } from "../../core/payment/schema.ts";
import type { Place } from "../seed/client.ts";
import type { Published } from "./publisher.ts";
import { approvePermit2, confirmed, newWallet, type RelayClient, type Say, usdg, usdgOf } from "./wallet.ts";

const Terms = z.object({
  accepts: z.tuple([z.object({ amount: z.string().transform(BigInt), payTo: AddressInput })], z.unknown()),
});
const Detail = z.object({
  press: z.object({ priceUnits: z.string() }),
  unlocked: z.boolean(),
  body: z.string().nullable(),
});
const FeePaid = z.object({ paid: z.literal(true), tx: HashInput });
const TextPaid = FeePaid.extend({ body: z.string() });

/** The reader's purse: five dollars. */
const purse = 5_000_000n;

/** What the reader has in the end. */
export type Purchase = {
  readonly account: LocalAccount;
  /** Of the session that the payment opened. */
  readonly cookie: string;
  readonly text: string;
  readonly transactions: readonly Hex[];
};

type Site = { readonly origin: string; readonly signal: AbortSignal };
type Leg = "treasury" | "publisher";

/**
 * The reader's part: look, approve once, pay both legs with the official client, read; then read again by the session,
 * and be refused a second purchase. Every payment is looked up on the chain. Throws an Error where anything differs.
 */
export async function playReader(
  site: Site,
  client: RelayClient,
  press: Published,
  say: Say,
): Promise<Purchase> {
  say.part("A reader");
  const account = await newWallet(client, purse);
  say.step("A new wallet", `${account.address} with ${usdg(purse)}`);
  const { press: listed, unlocked, body } = await detail(site, press.slug);
  if (unlocked || body !== null) throw new Error("The text was given away.");
  say.step("Preview", `${press.headline}: ${usdg(BigInt(listed.priceUnits))}, the text is locked`);
  say.step("Approved Permit2", await approvePermit2(client, account));

  const fee = FeePaid.parse(await (await pay(site, client, account, press, "treasury", say)).json());
  const answer = await pay(site, client, account, press, "publisher", say);
  const text = TextPaid.parse(await answer.json());
  if (fee.tx === text.tx) throw new Error("Both legs name one transaction.");
  say.part("The unlocked text");
  say.text(text.body);

  say.part("Afterwards");
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const again = await detail(site, press.slug, cookie);
  if (!again.unlocked || again.body !== text.body)
    throw new Error("The session does not read the text again.");
  say.step("Read again", "by the session cookie, without paying");
  const before = await usdgOf(client, account.address);
  const second = await paying(account, client.place)(
    `${site.origin}/api/pay/publisher`,
    request(site, press),
  );
  if (second.status !== 409) throw new Error(`A second purchase was answered ${second.status}.`);
  if ((await usdgOf(client, account.address)) !== before) throw new Error("A refused purchase was charged.");
  say.step("Bought again?", "409: already unlocked, nothing charged");
  return { account, cookie, text: text.body, transactions: [fee.tx, text.tx] };
}

/**
 * A second reader, whose wallet has USDG and nothing else: two signatures (EIP-3009), no approval and no transaction of
 * its own. Throws an Error where anything differs.
 */
export async function playReaderWithoutGas(
  site: Site,
  client: RelayClient,
  press: Published,
  say: Say,
): Promise<void> {
  say.part("A reader without ETH");
  const account = await newWallet(client, purse, { withGas: false });
  say.step("A new wallet", `${account.address} with ${usdg(purse)} and no ETH`);
  await pay(site, client, account, press, "treasury", say, "eip3009");
  const answer = await pay(site, client, account, press, "publisher", say, "eip3009");
  const { body } = TextPaid.parse(await answer.json());
  const { address } = account;
  const [sent, gas] = await Promise.all([
    getTransactionCount(client, { address }),
    getBalance(client, { address }),
  ]);
  if (sent !== 0 || gas !== 0n) throw new Error("The wallet without ETH has sent a transaction.");
  say.step("Reads", `${body.split(/\s+/).length} words, by two signatures and no transaction of its own`);
}

/** Pays one leg and checks on the chain that exactly the terms' amount went to exactly their payee. */
async function pay(
  site: Site,
  client: RelayClient,
  account: LocalAccount,
  press: Published,
  leg: Leg,
  say: Say,
  method?: MethodName,
): Promise<Response> {
  const query = method === undefined ? "" : `?method=${method}`;
  const url = `${site.origin}/api/pay/${leg}${query}`;
  const offered = await fetch(url, request(site, press));
  if (offered.status !== 402) throw new Error(`${url} offered no terms: ${offered.status}`);
  const [terms] = Terms.parse(await offered.json()).accepts;
  const before = await usdgOf(client, account.address);

  const answer = await paying(account, client.place)(url, request(site, press));
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  const { transaction } = decodePaymentResponseHeader(answer.headers.get("payment-response") ?? "");
  const hash = HashInput.parse(transaction);
  const moved = await transfers(client, hash, account.address);
  if (moved.length !== 1 || moved[0]?.value !== terms.amount || moved[0].to !== lower(terms.payTo)) {
    throw new Error(`The transaction ${hash} did not move what the terms say.`);
  }
  const spent = before - (await usdgOf(client, account.address));
  if (spent !== terms.amount) throw new Error(`The wallet lost ${spent} instead of ${terms.amount}.`);
  const who = leg === "treasury" ? "platform fee" : "publisher";
  say.step(`Paid the ${who}`, `${usdg(terms.amount)} to ${terms.payTo}`);
  say.step("", hash);
  return answer;
}

/** `fetch` that pays by itself: the official client, opted in to USDG on this chain. */
export function paying(account: LocalAccount, { chainId, contracts }: Place = mainnet): typeof fetch {
  const network = `eip155:${chainId}` as const;
  const x402 = new x402Client()
    .register(network, new ExactEvmScheme(account))
    .setSpendControls({ allowedAssets: [{ network, asset: contracts.usdg }] });
  return wrapFetchWithPayment(fetch, x402);
}

function request({ signal }: Site, { pressId }: Published): RequestInit {
  return {
    method: "POST",
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pressId }),
  };
}

async function detail(
  { origin, signal }: Site,
  slug: string,
  cookie?: string,
): Promise<z.infer<typeof Detail>> {
  const answer = await fetch(`${origin}/api/presses/${slug}`, {
    signal,
    headers: cookie === undefined ? {} : { cookie },
  });
  if (!answer.ok) throw new Error(`The press was answered ${answer.status}: ${await answer.text()}`);
  return Detail.parse(await answer.json());
}

/** What a transaction moved of a wallet's USDG. */
async function transfers(client: RelayClient, hash: Hex, from: Hex) {
  const { logs } = await confirmed(client, hash);
  // By EIP-3009 the token also tells of the spent nonce.
  return parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs })
    .filter(
      ({ address, args }) =>
        lower(address) === client.place.contracts.usdg && lower(args.from) === lower(from),
    )
    .map(({ args: { to, value } }) => ({ to: lower(to), value }));
}
