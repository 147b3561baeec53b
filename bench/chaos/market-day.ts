import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type HDAccount, HDKey, hdKeyToAccount } from "viem/accounts";
import { encodeFunctionData, numberToHex, parseAbi, parseTransaction } from "viem/utils";
import * as z from "zod";
import { identityAbi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import { type Address, type Hex, lower } from "../../core/chain/hex.ts";
import { settleCalldata } from "../../core/chain/permit2.ts";
import { feedAndQuote, tradingHalt } from "../../local/seed/articles.ts";
import type { World } from "../../tests/attack/fuzz/world.ts";
import { count, type Harm, type Tally } from "../../tests/core/payment/model/violation.ts";
import { dresses, permitsIn } from "../../tests/support/copies.ts";
import type { devnetClient } from "../../tests/support/devnet.ts";
import type { Ambush } from "../../tests/support/griefer.ts";
import { hidden, hider, placeHider } from "../../tests/support/hider.ts";
import type { HttpClient } from "../../tests/support/http-payer.ts";
import { transfers } from "../../tests/support/ledger.ts";
import { approve, exactProxy, send, testAccount, treasury, usdg } from "../../tests/support/payment.ts";

const Text = z.object({ body: z.string() });
const Saved = z.object({ id: z.int() });
const Audited = z.object({ metaUrl: z.string() });
const family = HDKey.fromMasterSeed(new TextEncoder().encode("readers of a market day"));
const [issuer, publisher, stranger] = [testAccount(0), testAccount(5), testAccount(9)];
/** USDG base units that a reader begins with: enough for the price twice, so that a second charge would go through. */
const units = 1_000_000n;
/** Milliseconds for which one waits for a text or a mint. */
const longestWait = 60_000;

type MarketDay = {
  readonly harms: readonly Harm[];
  /** Milliseconds from the first leg's header to the text, in order. */
  readonly purchases: readonly number[];
  /** Milliseconds until the honest mint was confirmed, from its first claim on. */
  readonly mint: number;
};

/**
 * So many readers buy a press over HTTP, while a copier posts what the chain shows, a stranger settles late every fifth
 * reader's permit, and a flooder keeps the relay and the mint queue busy; then an honest publisher mints. `begin` is
 * told when all is prepared.
 */
export async function marketDay(
  world: World & { readonly node: Ambush; readonly begin: () => unknown },
  readers: number,
  tally: Tally,
): Promise<MarketDay> {
  const { chain, http, pressId, service, node } = world;
  const place = { chain, http, pressId, node };
  await placeHider(service.rpcUrl);
  const cookie = await http.signIn(publisher);
  const [victim, honest] = [await approvedPress(feedAndQuote), await approvedPress(tradingHalt)];
  const accounts = Array.from({ length: readers }, (_, addressIndex) =>
    hdKeyToAccount(family, { addressIndex }),
  );
  for (const account of accounts) await fund(account);

  world.begin();
  const end = new AbortController();
  const { signal } = end;
  const copying = copy(place, tally, signal);
  const flood = { http, cookie, pressId: victim.id };
  const flooding = [1, 2, 3].map(() => floodRelay(flood, tally, signal));
  const claiming = [1, 2, 3, 4, 5, 6].map(() => floodMints(flood, tally, signal));
  const harms: Harm[] = [];
  const purchases: number[] = [];
  const tricked = accounts.filter((_, index) => index % 5 === 4);
  const buying = accounts
    .filter((account) => !tricked.includes(account))
    .map((account) => buy(account, true));
  for (const [index, account] of tricked.entries()) {
    await pay(account, "treasury");
    await settleLate(
      place,
      { account, units: units - 25_000n, how: index % 2 === 0 ? "openly" : "hidden" },
      tally,
    );
    await buy(account, false);
  }
  await Promise.all(buying);
  const mint = await mintHonestly();
  end.abort();
  await Promise.all([...flooding, ...claiming]);
  const stolen = await copying;
  harms.push(...Array.from({ length: stolen }, () => "stolen text" as const));
  for (const account of accounts) await checkCharges(account);
  return { harms, purchases: purchases.toSorted((one, other) => one - other), mint };

  async function approvedPress(article: typeof tradingHalt) {
    const draft = { ...article, publisherName: "The Ledger Desk" };
    const { id } = Saved.parse((await http.ask("/api/press/save", { body: draft, cookie })).body);
    const { metaUrl } = Audited.parse((await http.ask("/api/press/audit", { body: { id }, cookie })).body);
    return { id, metaUrl };
  }

  async function fund(account: HDAccount): Promise<void> {
    await chain.setBalance({ address: account.address, value: 10n ** 18n });
    await send({ client: chain }, issuer, usdg, transferOf(lower(account.address), units));
    await approve({ client: chain }, account);
  }

  /** Pays a leg as an honest client does: with one header, repeated while the answer is 503. */
  async function pay(account: HDAccount, leg: "treasury" | "publisher"): Promise<unknown> {
    const { header } = await http.signed(account, leg, pressId);
    const until = performance.now() + longestWait;
    for (;;) {
      const { status, headers, body } = await http.pay(leg, pressId, header);
      count(tally, `readers: ${leg} answered ${status}`);
      if (status !== 503 || performance.now() > until) return body;
      await sleep(Number(headers.get("retry-after") ?? 1) * 1000);
    }
  }

  async function buy(account: HDAccount, withFee: boolean): Promise<void> {
    const begun = performance.now();
    if (withFee) await pay(account, "treasury");
    const text = Text.safeParse(await pay(account, "publisher")).data?.body;
    if (text !== world.text) harms.push("lost unlock");
    else purchases.push(performance.now() - begun);
  }

  /** Whatever was settled by whom: a wallet pays each leg once. */
  async function checkCharges({ address }: HDAccount): Promise<void> {
    const moved = await transfers({ client: chain }, { from: lower(address) });
    for (const payee of [treasury, world.owner]) {
      const times = moved.filter(({ to }) => to === payee).length;
      count(tally, "charges on the chain", times);
      if (times > 1) harms.push("double charge");
    }
  }

  async function mintHonestly(): Promise<number> {
    const { id, metaUrl } = honest;
    const data = encodeFunctionData({ abi: identityAbi, functionName: "register", args: [metaUrl] });
    const { transactionHash } = await send(
      { client: chain },
      publisher,
      mainnet.contracts.identityRegistry,
      data,
    );
    const begun = performance.now();
    while (performance.now() < begun + longestWait) {
      const { status } = await http.ask("/api/press/minted", {
        body: { id, txHash: transactionHash },
        cookie,
      });
      count(tally, `publisher: honest mint answered ${status}`);
      if (status === 200) return performance.now() - begun;
      await sleep(200);
    }
    harms.push("broken promise");
    return longestWait;
  }
}

type CopierPlace = {
  readonly chain: ReturnType<typeof devnetClient>;
  readonly http: HttpClient;
  readonly pressId: number;
};

/**
 * Posts every permit that the chain shows back to the service, at once and in every dress that is to be had without
 * its payer, to be given the text or a session. Runs until `ended`; answers how often it was.
 */
async function copy(
  { chain, http, pressId }: CopierPlace,
  tally: Tally,
  ended: AbortSignal,
): Promise<number> {
  let stolen = 0;
  let next = await chain.getBlockNumber({ cacheTime: 0 });
  while (!ended.aborted) {
    const head = await chain.getBlockNumber({ cacheTime: 0 });
    for (; next <= head; next += 1n) {
      const { transactions } = await chain.getBlock({ blockNumber: next, includeTransactions: true });
      for (const copied of transactions.flatMap(({ input }) => permitsIn(input)))
        stolen += await post(copied);
    }
    await sleep(5);
  }
  return stolen;

  async function post(copied: ReturnType<typeof permitsIn>[number]): Promise<number> {
    const leg = copied.permit.to === treasury ? "treasury" : "publisher";
    const headers = dresses(copied, await http.entryOf(leg, pressId));
    const answers = await Promise.all(headers.map((header) => http.pay(leg, pressId, header)));
    for (const { status } of answers) count(tally, `copier: answered ${status}`);
    return answers.filter(({ body, cookie }) => Text.safeParse(body).success || cookie !== undefined).length;
  }
}

/** Code that runs until its gas is used up: JUMPDEST, PUSH0, JUMP. */
const endless = "0x5b5f56";
/** What a caller asks the node to compute, in gas units. */
const gas = numberToHex(30_000_000);

/** Milliseconds between two claims: a refusal comes at once, and this process has to answer the readers as well. */
const pause = 250;

type FlooderPlace = {
  readonly http: HttpClient;
  /** A session with an approved press of its own. */
  readonly cookie: string;
  readonly pressId: number;
};

/** Asks the relay for batches of costly calls, one after the other, until `ended`. */
async function floodRelay(
  { http }: Pick<FlooderPlace, "http">,
  tally: Tally,
  ended: AbortSignal,
): Promise<void> {
  const call = { data: endless, gas };
  const batch = Array.from({ length: 25 }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: id % 5 === 0 ? "eth_estimateGas" : "eth_call",
    params: [call, "latest"],
  }));
  while (!ended.aborted) {
    const { status } = await http.ask("/api/rpc", { body: batch });
    count(tally, `flooder: relay answered ${status}`);
  }
}

/** Claims that transactions which never were have minted an approved press, until `ended`. */
async function floodMints(
  { http, cookie, pressId }: FlooderPlace,
  tally: Tally,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    const body = { id: pressId, txHash: `0x${randomBytes(32).toString("hex")}` };
    const { status } = await http.ask("/api/press/minted", { body, cookie });
    count(tally, `flooder: mint answered ${status}`);
    await sleep(pause);
  }
}

/** Times that a late settler's payment is presented until it is broadcast. */
const broadcastTries = 30;

const usdgAbi = parseAbi(["function transfer(address to, uint256 value)"]);

type SettlerPlace = {
  readonly chain: ReturnType<typeof devnetClient>;
  readonly node: Ambush;
  readonly http: HttpClient;
  readonly pressId: number;
};

/** The calldata that moves so many base units of USDG. */
function transferOf(to: Address, value: bigint): Hex {
  return encodeFunctionData({ abi: usdgAbi, functionName: "transfer", args: [to, value] });
}

/**
 * A reader's money is gone when the service broadcasts the publisher's leg, and back when a stranger settles that very
 * permit: openly, or through a contract that hides it. The permit has paid then, whatever the service was told.
 */
async function settleLate(
  { chain, node, http, pressId }: SettlerPlace,
  {
    account,
    units,
    how,
  }: { readonly account: HDAccount; readonly units: bigint; readonly how: "openly" | "hidden" },
  tally: Tally,
): Promise<void> {
  const wallet = lower(account.address);
  const { header, permit, signature } = await http.signed(account, "publisher", pressId);
  node.around = async (raw) => {
    const { data = "0x" } = parseTransaction(raw);
    if (permitsIn(data).some(({ permit: { from } }) => from === wallet)) {
      node.around = undefined;
      await send({ client: chain }, account, usdg, transferOf(lower(stranger.address), units));
    }
    return async () => undefined;
  };
  // Until the service has broadcast it, nobody but the payer has the permit.
  for (let tries = 0; tries < broadcastTries; tries += 1) {
    const { status, headers } = await http.pay("publisher", pressId, header);
    count(tally, `late settler: the service's own settlement answered ${status}`);
    if (node.around === undefined) break;
    await sleep(Number(headers.get("retry-after") ?? 1) * 1000);
  }
  await send({ client: chain }, issuer, usdg, transferOf(wallet, units));
  const call = settleCalldata(permit, signature);
  if (how === "openly") await send({ client: chain }, stranger, exactProxy, call);
  else await send({ client: chain }, stranger, hider, hidden(call));
  count(tally, `late settler: settled ${how}`);
}
