import { setTimeout as sleep } from "node:timers/promises";
import { type HDAccount, HDKey, hdKeyToAccount } from "viem/accounts";
import { encodeFunctionData } from "viem/utils";
import * as z from "zod";
import { identityAbi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import { lower } from "../../core/chain/hex.ts";
import { feedAndQuote, tradingHalt } from "../../local/seed/articles.ts";
import type { World } from "../../tests/attack/fuzz/world.ts";
import { count, type Harm, type Tally } from "../../tests/core/payment/model/violation.ts";
import type { Ambush } from "../../tests/support/griefer.ts";
import { placeHider } from "../../tests/support/hider.ts";
import { transfers } from "../../tests/support/ledger.ts";
import { approve, send, testAccount, treasury, usdg } from "../../tests/support/payment.ts";
import { copy, floodMints, floodRelay, settleLate, transferOf } from "./attackers.ts";

const Text = z.object({ body: z.string() });
const Saved = z.object({ id: z.int() });
const Audited = z.object({ metaUrl: z.string() });
const family = HDKey.fromMasterSeed(new TextEncoder().encode("readers of a market day"));
const [issuer, publisher] = [testAccount(0), testAccount(5)];
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
