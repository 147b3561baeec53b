import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { mainnet } from "../../core/chain/deployment.ts";
import { type Hex, lower } from "../../core/chain/hex.ts";
import { addGasMargin } from "../../core/votegas/schema.ts";
import { getPlatformAccount, getTestAccount, platformIndexes } from "../../local/devnet/accounts.ts";
import { startTarget } from "../support/attacked.ts";
import type { HttpReply } from "../support/http-payer.ts";
import { encodeVote } from "../support/payment.ts";
import { startPart } from "../support/provide.ts";
import { makeWallet } from "../support/wallets.ts";

/**
 * A reader without ETH gets the ETH for the gas of a vote, if the article's fee covers this gas. The attackers in these tests want to get
 * the ETH without having paid enough fees, to get the ETH twice, or to use the ETH for something other than a vote. A unit of gas costs a
 * tenth of a gwei, and an ETH costs 3,000 USDG.
 */
const author = getTestAccount(5);
const { reputationRegistry } = mainnet.contracts;
/**
 * Three articles that cost 4 USDG, so that each fee covers the gas of a vote, and an article that costs 1 USDG, so that its fee does not
 * cover the gas.
 */
let [first, second, third, cheap] = [0, 0, 0, 0];

const attacked = startPart(() =>
  startTarget({
    environment: { ETH_PRICE_USDG: "3000", POWERTOOLS_LOG_LEVEL: "ERROR" },
  }),
);
beforeAll(async () => {
  first = await attacked.press(author, 4_000_000n);
  second = await attacked.press(author, 4_000_000n);
  third = await attacked.press(author, 4_000_000n);
  cheap = await attacked.press(author, 1_000_000n);
});

/** A wallet with USDG and no ETH, and functions that send the wallet's requests to the service. */
async function makeVoter() {
  const account = await makeWallet(attacked, 20_000_000n);
  let cookie: string | undefined;
  const keep = (answer: HttpReply) => {
    cookie = answer.cookie ?? cookie;
    return answer;
  };
  return {
    account,
    address: lower(account.address),
    async buy(pressId: number) {
      for (const leg of ["treasury", "publisher"] as const) {
        expect(keep(await attacked.http.payByTransfer(account, leg, pressId)).status).toBe(200);
      }
    },
    async readGas(pressId: number) {
      const { status, body } = keep(await attacked.http.ask("/api/votes/gas", { body: { pressId }, cookie }));
      return { status, ...Said.parse(body) };
    },
  };
}
type Reader = Awaited<ReturnType<typeof makeVoter>>;

async function makeReader(...presses: readonly number[]): Promise<Reader> {
  const wallet = await makeVoter();
  for (const pressId of presses) await wallet.buy(pressId);
  return wallet;
}

const Said = z.object({
  wei: z.string().optional(),
  tx: z.string().optional(),
  already: z.boolean().optional(),
  code: z.string().optional(),
  error: z.string().optional(),
});

const readEther = (address: Hex) => attacked.chain.getBalance({ address });
const readBlockNumber = () => attacked.chain.getBlockNumber({ cacheTime: 0 });

const nothing = { units: 0, sent: 0, gifts: 0 };

/** Sends a vote as the site does for a wallet with little ETH. `factor`: the gas price of the vote, in percent of the usual gas price. */
async function vote({ account }: Reader, pressId: number, factor = 100n) {
  const data = encodeVote(pressId, { value: -1n, tag: "well-sourced" });
  const call = { account, to: reputationRegistry, data };
  const asked = { from: account.address, to: reputationRegistry, data };
  // The request for an estimate names no gas price. If the request named a gas price, the node would allow only the gas that the wallet can
  // pay for.
  const estimate = await attacked.chain.request({ method: "eth_estimateGas", params: [asked] });
  const [gas, price] = [BigInt(estimate), ((await attacked.chain.getGasPrice()) * factor) / 100n];
  const receipt = await attacked.chain.sendTransactionSync({
    ...call,
    gas: addGasMargin(gas),
    maxFeePerGas: price,
    maxPriorityFeePerGas: price,
  });
  expect(receipt.status).toBe("success");
  const recorded = { body: { txHash: receipt.transactionHash } };
  const counted = await attacked.http.ask("/api/votes/record", recorded);
  expect(counted.status).toBe(200);
  return receipt.gasUsed * receipt.effectiveGasPrice;
}

test("a reader without ETH gets the ETH for the gas of one vote, gets it only once, and can vote with it", async () => {
  const start = await readBlockNumber();
  const wallet = await makeReader(first);
  const before = await readBlockNumber();
  const said = await wallet.readGas(first);
  expect(said).toMatchObject({ status: 200, wei: String(await readEther(wallet.address)) });
  const again = await Promise.all([1, 2, 3].map(() => wallet.readGas(first)));
  for (const answer of again) expect(answer).toMatchObject({ status: 200, tx: said.tx, already: true });
  expect((await attacked.computeSpent(before)).gifts).toBe(1);
  const took = await vote(wallet, first);
  console.info(`A vote took ${took} wei of the ${said.wei} that were sent.`);
  expect(Number(said.wei)).toBeLessThan(1.3 * Number(took));
  expect(await wallet.readGas(first)).toMatchObject({ status: 200, tx: said.tx, already: true });
  const { units } = await attacked.computeSpent(start);
  console.info(`Read and vote took ${units} units of a fee of 400000.`);
  expect(units).toBeLessThanOrEqual(400_000);
});

test("if a reader sends many requests at once, exactly one request gets ETH", async () => {
  const wallet = await makeReader(first);
  const before = await readBlockNumber();
  const answers = await Promise.all(Array.from({ length: 8 }, () => wallet.readGas(first)));
  const sent = new Set(answers.flatMap(({ tx }) => tx ?? []));
  expect(sent.size).toBe(1);
  for (const { status, code } of answers.filter(({ tx }) => tx === undefined)) {
    expect(`${status} ${code}`).toBe("503 settlement_pending");
  }
  expect((await attacked.computeSpent(before)).gifts).toBe(1);
});

test("a reader who asks for ETH for two articles at once gets ETH once, because unspent ETH is subtracted for the second article", async () => {
  const wallet = await makeReader(first, second);
  const before = await readBlockNumber();
  await Promise.all([first, second, first, second].map((pressId) => wallet.readGas(pressId)));
  expect((await attacked.computeSpent(before)).gifts).toBe(1);
});

test("nobody gets ETH without a session, for a locked article, or for an article that does not exist", async () => {
  const [wallet, stranger] = [await makeReader(first), await makeVoter()];
  const before = await readBlockNumber();
  expect(await stranger.readGas(first)).toMatchObject({ status: 401 });
  expect(await wallet.readGas(second)).toMatchObject({ status: 409, code: "vote_gas_refused" });
  expect(await wallet.readGas(999_999)).toMatchObject({ status: 404, code: "unknown_press" });
  expect(await attacked.computeSpent(before)).toEqual(nothing);
});

test("a reader whose fee does not cover the vote's gas gets no ETH, and the answer names the price whose fee would cover the gas", async () => {
  const wallet = await makeReader(cheap);
  const before = await readBlockNumber();
  const said = await wallet.readGas(cheap);
  expect(said).toMatchObject({ status: 409, code: "vote_gas_not_carried" });
  const price = Number(/a price of about ([\d.]+) USDG/.exec(said.error ?? "")?.[1]);
  expect(price).toBeGreaterThan(1.1);
  expect(price).toBeLessThan(2);
  expect(await attacked.computeSpent(before)).toEqual(nothing);
  // The service does not use the fee of one article to pay the gas of a vote on another article.
  await wallet.buy(first);
  expect(await wallet.readGas(cheap)).toMatchObject({ code: "vote_gas_not_carried" });
});

test("a reader who sends the received ETH to another address gets no more ETH, and a reader who spends the ETH on votes gets more", async () => {
  const [taker, voter] = [await makeReader(first, second), await makeReader(first, second)];
  await taker.readGas(first);
  const value = (await readEther(taker.address)) - 21_000n * 200_000_000n;
  const away = {
    account: taker.account,
    to: author.address,
    value,
    gas: 21_000n,
    maxFeePerGas: 200_000_000n,
    maxPriorityFeePerGas: 0n,
  };
  await attacked.chain.sendTransactionSync(away);
  const before = await readBlockNumber();
  expect(await taker.readGas(second)).toMatchObject({ status: 409, code: "vote_gas_unspent" });
  expect(await taker.readGas(first)).toMatchObject({ status: 200, already: true });
  expect(await attacked.computeSpent(before)).toEqual(nothing);

  const got = await voter.readGas(first);
  const rest = BigInt(got.wei ?? 0) - (await vote(voter, first));
  expect(await readEther(voter.address)).toBe(rest);
  const more = await voter.readGas(second);
  expect(more.status).toBe(200);
  // The ETH that was left over from the first vote is subtracted from the ETH for the second vote.
  expect(BigInt(more.wei ?? 0)).toBeLessThan(BigInt(got.wei ?? 0));
  await vote(voter, second);
});

test("a reader whose second vote also spent the ETH that was left over from the first vote gets ETH for a third vote", async () => {
  const wallet = await makeReader(first, second, third);
  for (const [pressId, factor] of [
    [first, 100n],
    [second, 109n],
  ] as const) {
    expect(await wallet.readGas(pressId)).toMatchObject({ status: 200 });
    await vote(wallet, pressId, factor);
  }
  expect(await wallet.readGas(third)).toMatchObject({ status: 200 });
});

test("a reader who casts two votes after the ETH for both votes has arrived gets ETH for a third vote", async () => {
  const wallet = await makeReader(first, second, third);
  await wallet.readGas(first);
  attacked.node.gasPrice = 200_000_000n;
  expect(await wallet.readGas(second)).toMatchObject({ status: 200 });
  attacked.node.gasPrice = undefined;
  await vote(wallet, first);
  await vote(wallet, second);
  expect(await wallet.readGas(third)).toMatchObject({ status: 200 });
});

test("a vote that was cast before the ETH arrived does not count as spending the ETH", async () => {
  const wallet = await makeReader(first, second);
  await attacked.chain.setBalance({ address: wallet.address, value: 1_000_000_000_000_000n });
  await vote(wallet, first);
  const before = await readBlockNumber();
  expect(await wallet.readGas(first)).toMatchObject({ status: 409, code: "vote_gas_refused" });
  expect(await attacked.computeSpent(before)).toEqual(nothing);
});

test("a wallet with enough ETH for a vote gets nothing, and a wallet with less ETH gets the missing amount", async () => {
  const wallet = await makeReader(first);
  await attacked.chain.setBalance({ address: wallet.address, value: 1_000_000_000_000_000n });
  const before = await readBlockNumber();
  expect(await wallet.readGas(first)).toEqual({ status: 200, wei: "0" });
  expect(await attacked.computeSpent(before)).toEqual(nothing);
  await attacked.chain.setBalance({ address: wallet.address, value: 10_000_000_000_000n });
  expect(await wallet.readGas(first)).toMatchObject({ status: 200 });
  await vote(wallet, first);
});

/** Code that burns all its gas, and code that reverts. */
const hostile = { burns: "0x5b600056", reverts: "0x60006000fd" } as const;

test("a wallet with code gets no ETH", async () => {
  const before = await readBlockNumber();
  for (const code of Object.values(hostile)) {
    const wallet = await makeReader(first);
    const since = await readBlockNumber();
    await attacked.chain.setCode({ address: wallet.address, bytecode: code });
    expect(await wallet.readGas(first)).toMatchObject({ status: 409, code: "vote_gas_refused" });
    expect(await attacked.computeSpent(since)).toEqual(nothing);
  }
  expect((await attacked.computeSpent(before)).gifts).toBe(0);
});

test("if a wallet gets code right before the ETH is sent, the wallet burns at most the reserved gas, and only once", async () => {
  for (const code of Object.values(hostile)) {
    const wallet = await makeReader(first, second);
    const before = await readBlockNumber();
    attacked.node.around = async () => {
      await attacked.chain.setCode({ address: wallet.address, bytecode: code });
      return async () => {
        await attacked.chain.setCode({ address: wallet.address, bytecode: "0x" });
      };
    };
    expect(await wallet.readGas(first)).toMatchObject({ status: 409, code: "vote_gas_refused" });
    attacked.node.around = undefined;
    expect(await wallet.readGas(first)).toMatchObject({ status: 409, code: "vote_gas_given" });
    const { units, gifts } = await attacked.computeSpent(before);
    expect(gifts).toBe(1);
    const { data: errand } = await attacked.table.entities.errand.get({ wallet: wallet.address }).go();
    expect(errand?.spent).toBeGreaterThanOrEqual(units);
    expect(await readEther(wallet.address)).toBe(0n);
    // The failed transaction moved no ETH, so the service does not assume that the wallet still has ETH to spend.
    expect(await wallet.readGas(second)).toMatchObject({ status: 200 });
  }
});

test("an author who buys his own article with fresh wallets gets at most the fees that he has paid", async () => {
  const fees = [120_000, 140_000, 160_000, 200_000];
  const priced: number[] = [];
  for (const fee of fees) priced.push(await attacked.press(author, BigInt(10 * fee)));
  for (const [at, pressId] of priced.entries()) {
    const start = await readBlockNumber();
    const wallet = await makeReader(pressId);
    const { status } = await wallet.readGas(pressId);
    const { units, gifts } = await attacked.computeSpent(start);
    console.info(`A fee of ${fees[at]} units: ${status}, ${units} units spent, ${gifts} gifts.`);
    expect(units).toBeLessThanOrEqual(fees[at] ?? 0);
  }
});

test("relayer keys with little ETH send no ETH to readers, so that enough is left for payments", async () => {
  const wallet = await makeReader(first);
  const addresses = platformIndexes.relayers.map((index) => getPlatformAccount(index).address);
  const had = await Promise.all(addresses.map(readEther));
  for (const address of addresses)
    await attacked.chain.setBalance({ address, value: 2_000_000_000_000_000n });
  const before = await readBlockNumber();
  expect(await wallet.readGas(first)).toMatchObject({ status: 503, code: "payments_unavailable" });
  expect(await attacked.computeSpent(before)).toEqual(nothing);
  await wallet.buy(second);
  for (const [at, address] of addresses.entries()) {
    await attacked.chain.setBalance({ address, value: had[at] ?? 0n });
  }
  expect(await wallet.readGas(first)).toMatchObject({ status: 200 });
});

test("the service pays for the gas of votes only up to a daily maximum, however much readers have paid in fees", async () => {
  const wallet = await makeReader(first);
  const { gas } = attacked.table.entities;
  const day = new Date().toISOString().slice(0, 10);
  const key = { subject: "service:votes", day };
  const { data: before } = await gas.get(key).go({ consistent: true });
  await gas.upsert({ ...key, spent: 11_999_999, expiresAt: Math.floor(Date.now() / 1000) + 86_400 }).go();
  const start = await readBlockNumber();
  expect(await wallet.readGas(first)).toMatchObject({ status: 429, code: "vote_gas_limit" });
  expect(await attacked.computeSpent(start)).toEqual(nothing);
  await gas
    .patch(key)
    .set({ spent: before?.spent ?? 0 })
    .go();
  expect(await wallet.readGas(first)).toMatchObject({ status: 200 });
});
