import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ExactEvmScheme } from "@x402/evm";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createClient, defineChain, http, type LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { getTransactionCount, readContract, waitForTransactionReceipt, writeContract } from "viem/actions";
import { concat, formatUnits, keccak256, numberToHex, parseEventLogs, parseUnits } from "viem/utils";
import * as z from "zod";
import { erc20Abi } from "../../core/chain/abi.ts";
import { HashInput, type Hex, lower } from "../../core/chain/hex.ts";
import { FeePaid, TextPaid } from "../../core/payment/schema.ts";
import { type Press, PressDetail, PressList } from "../../core/press/schema.ts";
import { findSettings, type StageSettings } from "../stages.ts";

/** The time limit of one request, in milliseconds. This time limit is longer than the 29 s that a payment function may take. */
const requestTimeoutMs = 40_000;
/** The number of seconds within which the nodes must show a confirmed transfer. */
const visibilitySeconds = 30;

type StageSite = { readonly origin: string; readonly settings: Pick<StageSettings, "chain" | "treasury"> };

/** Reports one line of progress. */
type PrintLine = (line: string) => void;

/**
 * Buys the cheapest live press of a stage as a reader without ETH does: the official x402 client signs both payments by EIP-3009. Checks
 * the charged amounts, the receipts and the text. A wallet can buy a press only once, so each run pays from a new wallet. The new wallet's
 * key is derived from the reader's key, and the reader sends the price to the new wallet. Throws an Error that says whether any money
 * moved.
 *
 * @param maxUnits the maximum price of the press, in USDG base units
 */
async function buyCheapest(site: StageSite, readerKey: Hex, maxUnits: bigint, say: PrintLine): Promise<void> {
  const press = await findCheapestPress(site);
  const price = BigInt(press.priceUnits);
  say(`The cheapest live press costs ${formatUsdg(price)}: ${press.headline}`);
  if (price > maxUnits) {
    throw new Error(
      `The article is too expensive: at most ${formatUsdg(maxUnits)} may be spent. No money moved.`,
    );
  }
  const chain = openChain(site);
  const wallet = await fundNewWallet(chain, readerKey, price, say);
  try {
    const before = await fetchPressDetail(site, press);
    if (before.unlocked || before.body !== null)
      throw new Error("The service returned the text before the payment.");
    const fee = await payLeg(site, chain, wallet, press, "treasury");
    FeePaid.parse(await fee.answer.json());
    if (fee.payee !== lower(site.settings.treasury)) {
      throw new Error(`The platform fee went to ${fee.payee}, not to the stage's treasury.`);
    }
    say(`Paid the platform fee, ${formatUsdg(fee.amount)}: ${fee.hash}`);
    const rest = await payLeg(site, chain, wallet, press, "publisher");
    say(`Paid the publisher, ${formatUsdg(rest.amount)}: ${rest.hash}`);
    const paid = TextPaid.safeParse(await rest.answer.json());
    if (!paid.success || paid.data.body.trim() === "")
      throw new Error("The press was paid for, but the answer has no text.");
    const spent = fee.amount + rest.amount;
    if (spent !== price)
      throw new Error(`${formatUsdg(spent)} were charged instead of ${formatUsdg(price)}.`);
    const again = await fetchPressDetail(site, press, readCookie(rest.answer));
    if (!again.unlocked || again.body !== paid.data.body)
      throw new Error("The session cannot read the press that it paid for.");
    say(
      `Read ${paid.data.body.split(/\s+/).length} words. Spent ${formatUsdg(spent)} from ${wallet.address}.`,
    );
  } catch (error) {
    const left = await readBalance(chain, wallet.address).catch(() => undefined);
    const message = error instanceof Error ? error.message : String(error);
    const moved = left === undefined ? "could not be read" : `is ${formatUsdg(left)} of ${formatUsdg(price)}`;
    throw new Error(`${message} What is left in ${wallet.address} ${moved}.`, { cause: error });
  }
}

async function findCheapestPress(site: StageSite): Promise<Press> {
  const presses: Press[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const page = PressList.parse(await getJson(site, `/api/presses${query}`));
    presses.push(...page.presses);
    cursor = page.cursor;
  } while (cursor !== undefined);
  const [first] = presses.toSorted((one, other) => Number(BigInt(one.priceUnits) - BigInt(other.priceUnits)));
  if (first === undefined) throw new Error("The stage has no live press: publish one. No money moved.");
  return first;
}

async function fetchPressDetail(site: StageSite, { slug }: Press, cookie?: string): Promise<PressDetail> {
  return PressDetail.parse(await getJson(site, `/api/presses/${slug}`, cookie));
}

async function getJson({ origin }: StageSite, path: string, cookie?: string): Promise<unknown> {
  const headers = cookie === undefined ? {} : { cookie };
  const answer = await fetch(origin + path, { headers, signal: AbortSignal.timeout(requestTimeoutMs) });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

function readCookie(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** A chain client that uses the stage's own RPC relay, so that the command needs no other node. */
function openChain({ origin, settings: { chain } }: StageSite) {
  const url = `${origin}/api/rpc`;
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  const rpcUrls = { default: { http: [url] } };
  const definition = defineChain({ id: chain.id, name: chain.name, nativeCurrency, rpcUrls });
  const client = createClient({ chain: definition, transport: http(url), pollingInterval: 200 });
  return client.extend(() => ({ usdg: lower(chain.contracts.usdg) }));
}
type StageChain = ReturnType<typeof openChain>;

/**
 * A wallet that has bought no press yet, and that has USDG for the price but no ETH. The new wallet's key is derived from the reader's key
 * and the number (nonce) of the funding transaction. If a run fails, the reader can compute the new wallet's key again, so no money is
 * lost.
 */
async function fundNewWallet(
  chain: StageChain,
  readerKey: Hex,
  price: bigint,
  say: PrintLine,
): Promise<LocalAccount> {
  const reader = privateKeyToAccount(readerKey);
  const held = await readBalance(chain, reader.address);
  if (held < price) {
    throw new Error(
      `The reader ${reader.address} has only ${formatUsdg(held)}: send more USDG to this address. No money moved.`,
    );
  }
  const number = await getTransactionCount(chain, { address: reader.address });
  const wallet = privateKeyToAccount(keccak256(concat([readerKey, numberToHex(number, { size: 32 })])));
  const args = [wallet.address, price] as const;
  const transfer = { address: chain.usdg, abi: erc20Abi, functionName: "transfer", args } as const;
  const hash = await writeContract(chain, { account: reader, nonce: number, ...transfer });
  const { status } = await waitForTransactionReceipt(chain, { hash });
  if (status !== "success")
    throw new Error(`The transfer ${hash} to a new wallet was reverted. No USDG moved.`);
  say(
    `The reader ${reader.address} has ${formatUsdg(held - price)} left, and the price was sent to a new wallet.`,
  );
  // A node may show the receipt of a transfer some seconds before the new balance.
  for (let tries = 0; (await readBalance(chain, wallet.address)) < price; tries += 1) {
    if (tries === visibilitySeconds)
      throw new Error(`No node shows the transfer ${hash} to ${wallet.address}.`);
    await delay(1_000);
  }
  return wallet;
}

function readBalance(chain: StageChain, owner: Hex): Promise<bigint> {
  const question = { address: chain.usdg, abi: erc20Abi, functionName: "balanceOf", args: [owner] } as const;
  return readContract(chain, question);
}

type PaymentLeg = "treasury" | "publisher";

/** Makes one of the two payments, and reads from the chain the amount that was moved. */
async function payLeg(
  site: StageSite,
  chain: StageChain,
  wallet: LocalAccount,
  press: Press,
  leg: PaymentLeg,
) {
  const network = `eip155:${chain.chain.id}` as const;
  const client = new x402Client()
    .register(network, new ExactEvmScheme(wallet))
    .setSpendControls({ allowedAssets: [{ network, asset: chain.usdg }] });
  const answer = await payUntilAnswered(
    wrapFetchWithPayment(fetch, client),
    `${site.origin}/api/pay/${leg}`,
    press,
  );
  if (answer.status !== 200) {
    throw new Error(`The payment of the ${leg} was answered with ${answer.status}: ${await answer.text()}`);
  }
  const header = answer.headers.get("payment-response");
  if (header === null) throw new Error(`The payment of the ${leg} has no receipt.`);
  const receipt = decodePaymentResponseHeader(header);
  const hash = HashInput.parse(receipt.transaction);
  if (
    !receipt.success ||
    receipt.network !== network ||
    receipt.payer?.toLowerCase() !== lower(wallet.address)
  ) {
    throw new Error(`The receipt of the ${leg} is not this payment's receipt: ${JSON.stringify(receipt)}`);
  }
  const { logs } = await waitForTransactionReceipt(chain, { hash });
  const [moved, ...further] = parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs }).filter(
    ({ address, args }) => lower(address) === chain.usdg && lower(args.from) === lower(wallet.address),
  );
  if (moved === undefined || further.length > 0) {
    throw new Error(`The receipt's transaction ${hash} does not pay the ${leg}.`);
  }
  return { answer, hash, amount: moved.args.value, payee: lower(moved.args.to) };
}

const Refusal = z.object({ code: z.string().endsWith("_insufficient_balance") });

/**
 * Repeats a payment every second as long as the service refuses it because of a low balance: the service's node for payments may show the
 * new balance late. The payment is tried at most `visibilitySeconds` times. A payment that is refused because of a low balance costs the
 * wallet nothing.
 */
async function payUntilAnswered(
  payingFetch: typeof fetch,
  url: string,
  { pressId }: Press,
): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await payingFetch(`${url}?method=eip3009`, {
      method: "POST",
      signal: AbortSignal.timeout(requestTimeoutMs),
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ pressId }),
    });
    if (answer.status !== 402 || tries === visibilitySeconds) return answer;
    if (!Refusal.safeParse(await answer.clone().json()).success) return answer;
    await delay(1_000);
  }
}

function formatUsdg(units: bigint): string {
  return `${formatUnits(units, 6)} USDG`;
}

const Key = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{64}$/)]);

/**
 * `npm run stage:read -- --stage staging` buys and reads a press with the reader's private key in `READER_KEY`. `--site` gives an address
 * other than the stage's domain, and `--max-usdg` gives the maximum price of the press (1 by default). Returns the exit code of the
 * command.
 */
export async function runPaidRead(
  flags: readonly string[],
  { READER_KEY }: Readonly<Record<string, string | undefined>>,
  say: PrintLine,
  settingsFor: (stage: string) => StageSettings = findSettings,
): Promise<number> {
  try {
    const options = {
      stage: { type: "string" },
      site: { type: "string" },
      "max-usdg": { type: "string" },
    } as const;
    const { values } = parseArgs({ args: [...flags], options });
    const { stage, site, "max-usdg": max = "1" } = values;
    if (stage === undefined) throw new Error("Name the stage: --stage staging");
    const settings = settingsFor(stage);
    const origin = site ?? (settings.domain && `https://${settings.domain.name}`);
    if (origin === undefined) throw new Error(`The stage ${stage} has no domain: add --site https://ADDRESS`);
    if (!/^\d+(\.\d{1,6})?$/.test(max)) throw new Error(`--max-usdg is an amount such as 0.5, not ${max}`);
    // The reader's private key is never printed.
    const key = Key.safeParse(READER_KEY?.trim());
    if (!key.success)
      throw new Error("READER_KEY must be a private key: 0x and 64 hexadecimal digits. No money moved.");
    await buyCheapest({ origin: new URL(origin).origin, settings }, key.data, parseUnits(max, 6), say);
    return 0;
  } catch (error) {
    say(`FAULT  ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

if (import.meta.main) {
  process.exitCode = await runPaidRead(process.argv.slice(2), process.env, (line) => console.log(line));
}
