import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { signReceiptEIP712 } from "@x402/extensions/offer-receipt";
import type { LocalAccount } from "viem";
import { generatePrivateKey, nonceManager, privateKeyToAccount } from "viem/accounts";
import { formatUnits } from "viem/utils";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { openFileJournal } from "../../client/file-journal.ts";
import {
  type BuyOptions,
  type Journal,
  type MarketError,
  type MarketOptions,
  makeMemoryJournal,
  openMarket,
  parseTransactionHash,
  robinhoodChain,
} from "../../client/index.ts";
import { makeRelayClient, makeWallet } from "../../local/demo/index.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { filings } from "../../local/seed/articles.ts";
import { signIn } from "../../local/seed/client.ts";
import { approveSaved, publishDemoPress } from "../support/demo-press.ts";
import { startFaultyNode } from "../support/faulty-node.ts";
import { readBalance } from "../support/payment.ts";
import { makeFolder, startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

const service = startPart(startTestService);
const directory = await makeFolder();
let press: Awaited<ReturnType<typeof publishDemoPress>>;
/** The price of the demo press in base units of USDG. */
let price: bigint;

beforeAll(async () => {
  press = await publishDemoPress(service);
  price = BigInt((await openMarket(service).get(press.slug)).press.priceUnits);
});

/** A wallet that holds only USDG, and that records the messages that it signs. */
async function makeReader(withGas = false, units = 5_000_000n) {
  const account = await makeWallet(makeRelayClient(service.origin), units, { withGas });
  const signed: unknown[] = [];
  const counting: LocalAccount = {
    ...account,
    signTypedData(data) {
      signed.push(data.message);
      return account.signTypedData(data);
    },
  };
  const readSpent = async () => units - (await readBalance(service, account.address));
  return { account: counting, signed, readSpent };
}

function openMarketClient(account: LocalAccount, options: Partial<MarketOptions> = {}) {
  const { origin, rpcUrl } = service;
  return openMarket({ origin, rpcUrl, account, journal: makeMemoryJournal(), resendForMs: 0, ...options });
}

type AnswerChange = (path: string, paid: boolean, answer: () => Promise<Response>) => Promise<Response>;

/**
 * A `fetch` that passes each request to a function, and tells the function the path and whether the request contains a payment.
 */
const intercept =
  (handle: AnswerChange): typeof fetch =>
  (input, init) => {
    const paid = new Headers(init?.headers).has("payment-signature");
    return handle(new URL(String(input)).pathname, paid, () => fetch(input, init));
  };

const readFailure = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error("It should have failed.")),
    ({ code, money, message }: MarketError) => ({ code, money, message }),
  );

/** Tries to buy the demo press; this attempt must fail. Returns the client's error. */
const failToBuy = (account: LocalAccount, options: Partial<MarketOptions> = {}) =>
  readFailure(openMarketClient(account, options).buy(press.pressId));

test("a fresh wallet with only USDG buys a press with two signatures and without a transaction, and keeps both receipts", async () => {
  const { account, signed, readSpent } = await makeReader();
  const market = openMarketClient(account);
  const { text, spentUnits, receipts } = await market.buy(press.pressId);
  expect(text).toBe(press.text);
  expect(spentUnits).toBe(price);
  expect(await readSpent()).toBe(price);
  expect(signed).toHaveLength(2);
  expect(receipts.map(({ name, settled }) => [name, settled?.already])).toEqual([
    ["fee", false],
    ["publisher", false],
  ]);
  expect(await market.listPayments()).toHaveLength(2);
  expect(await service.client.getTransactionCount(account)).toBe(0);

  const again = await market.buy(press.slug);
  expect(again).toMatchObject({ text: press.text, spentUnits: 0n });
  // On another machine, without the journal, the client learns from the service that the wallet has bought the press.
  const elsewhere = await openMarketClient(account).buy(press.slug);
  expect(elsewhere).toMatchObject({ text: press.text, spentUnits: 0n });
  expect(await readSpent()).toBe(price);
  const { unlocks } = await market.readHistory();
  expect(unlocks.map(({ slug, tx }) => [slug, tx])).toEqual([
    [press.slug, receipts[1]?.settled?.transaction],
  ]);
});

test("the client asks for an approval of Permit2 before it signs anything, and buys after the approval", async () => {
  const { account, signed, readSpent } = await makeReader(true);
  const market = openMarketClient(account);
  const buy = () => market.buy(press.pressId, { method: "permit2" });
  expect(await readFailure(buy())).toMatchObject({ code: "allowance_required", money: "none" });
  expect(signed).toEqual([]);
  await market.approve();
  expect((await buy()).text).toBe(press.text);
  expect(signed).toHaveLength(2);
  expect(await readSpent()).toBe(price);
});

test("the client signs nothing if the price is above the cap, the wallet has too little USDG, or the amount is invalid", async () => {
  const { account, signed } = await makeReader();
  const market = openMarketClient(account);
  const buy = (maxPriceUsdg: string | number) => readFailure(market.buy(press.pressId, { maxPriceUsdg }));
  expect(await buy("0.01")).toMatchObject({ code: "price_above_cap", money: "none" });
  for (const cap of ["1e9", "-1", "", "all", Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(await buy(cap)).toMatchObject({ code: "invalid_cap", money: "none" });
  }
  const poor = await makeWallet(makeRelayClient(service.origin), 1n, { withGas: false });
  expect(await failToBuy(poor)).toMatchObject({ code: "insufficient_balance" });
  expect(await readFailure(market.read(press.slug))).toMatchObject({ code: "locked", money: "none" });
  expect(signed).toEqual([]);
});

/**
 * Cases of a lost connection: the moment of the loss, the payment that was sent (the first or the second), and whether the service has
 * settled this payment.
 */
const losses = [
  ["before the request arrives", "/api/pay/treasury", false],
  ["after the service has settled it", "/api/pay/treasury", true],
  ["before the request arrives", "/api/pay/publisher", false],
  ["after the service has settled it", "/api/pay/publisher", true],
] as const;

test.each(losses)(
  "if the connection for a payment is lost %s at %s, the payment gets no second signature",
  async (_, path, arrives) => {
    const { account, signed, readSpent } = await makeReader();
    const openJournal = () => openFileJournal(join(directory, account.address));
    const cut = intercept(async (asked, paid, answer) => {
      if (!paid || asked !== path) return answer();
      if (arrives) await answer();
      throw new TypeError("The connection was cut.");
    });
    expect(await failToBuy(account, { journal: openJournal(), fetch: cut })).toMatchObject({
      code: "unreachable",
      money: "unknown",
    });
    const before = signed.length;
    const { text } = await openMarketClient(account, { journal: openJournal() }).buy(press.pressId);
    expect(text).toBe(press.text);
    expect(signed).toHaveLength(2);
    expect(before).toBe(path === "/api/pay/treasury" ? 1 : 2);
    expect(await readSpent()).toBe(price);
  },
);

test("after a crash before the signature, or between the signature and the request, the client signs the same message again", async () => {
  const { account, signed, readSpent } = await makeReader();
  const kept = makeMemoryJournal();
  const dying: Journal = {
    ...kept,
    update: () => Promise.reject(new Error("The process died.")),
  };
  await expect(openMarketClient(account, { journal: dying }).buy(press.pressId)).rejects.toThrow("died");
  await openMarketClient(account, { journal: kept }).buy(press.pressId);
  expect(signed).toHaveLength(3);
  expect(signed[1]).toEqual(signed[0]);
  expect(await readSpent()).toBe(price);
});

/**
 * Cases of a journal that cannot be written: the number of the failing write, and the result. Each payment is stored when it is signed and
 * again when it is paid.
 */
const fullDisks = [
  { write: 1, result: { code: "journal_failed", money: "none" } },
  { write: 2, result: { code: "journal_failed", money: "unknown" } },
  { write: 3, result: { code: "journal_failed", money: "fee" } },
] as const;

test("a failing journal is an error that says what was charged, and a text that was paid for arrives without its receipt", async () => {
  const failWrite = (failing: number, kept = makeMemoryJournal()): Journal => {
    let writes = 0;
    return {
      ...kept,
      async update(record) {
        writes += 1;
        if (writes === failing) throw new Error("The disk is full");
        await kept.update(record);
      },
    };
  };
  for (const { write, result } of fullDisks) {
    const { account } = await makeReader();
    expect(await failToBuy(account, { journal: failWrite(write) })).toMatchObject(result);
  }
  const { account, readSpent } = await makeReader();
  const steps: unknown[] = [];
  const market = openMarketClient(account, { journal: failWrite(4) });
  const { text } = await market.buy(press.pressId, { onStep: (step) => void steps.push(step) });
  expect(text).toBe(press.text);
  expect(steps.at(-1)).toMatchObject({ kind: "unsaved", because: expect.stringContaining("full") });
  expect(await readSpent()).toBe(price);
});

test("a broken file in the journal does not stop the purchase of another press or hide what a refusal means for the money, the error names the file, and a failed write leaves no file", async () => {
  const { account } = await makeReader();
  const folder = join(directory, `broken-${account.address}`);
  const broken = join(folder, "4663-fee-001.json");
  await mkdir(folder);
  await writeFile(broken, "{");
  const journal = openFileJournal(folder);
  const market = openMarketClient(account, { journal });
  for (const name of [press.pressId, press.slug])
    expect(await readFailure(market.buy(name, { maxPriceUsdg: "0.01" }))).toMatchObject({
      code: "price_above_cap",
      money: "none",
    });
  expect(await readFailure(market.buy(999))).toMatchObject({ code: "unknown_press", money: "none" });
  expect(await readFailure(market.buy("no-such-press"))).toMatchObject({
    code: "unknown_press",
    money: "unknown",
    message: expect.stringContaining(broken),
  });
  const { receipts } = await market.buy(press.pressId);
  expect(await readFailure(market.listPayments())).toMatchObject({
    code: "journal_failed",
    message: expect.stringContaining(broken),
  });
  const [record] = receipts;
  if (record === undefined) throw new Error("There are two.");
  const other = { ...record, leg: "other" };
  await mkdir(join(folder, "other-001.json"));
  await expect(journal.update(other)).rejects.toThrow();
  expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("two processes that buy at the same time send the same signed message for each of the two payments", async () => {
  const { account, signed, readSpent } = await makeReader();
  const openJournal = () => openFileJournal(join(directory, `both-${account.address}`));
  const markets = [1, 2, 3].map(() =>
    openMarketClient(account, { journal: openJournal(), resendForMs: 120_000 }),
  );
  const bought = await Promise.all(markets.map((market) => market.buy(press.pressId)));
  expect(bought.map(({ text }) => text)).toEqual(bought.map(() => press.text));
  expect(new Set(signed.map((message) => JSON.stringify(message, writeBigint))).size).toBe(2);
  expect(await readSpent()).toBe(price);
});

const writeBigint = (_key: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

const Terms = z.looseObject({ accepts: z.array(z.looseObject({ extra: z.looseObject({}) })) });
type Terms = z.infer<typeof Terms>;

/** A `fetch` that changes the payment terms in the service's answers. */
const changeTerms = (change: (terms: Terms) => unknown, prefix = "/api/pay/") =>
  intercept(async (path, _, answer) => {
    const real = await answer();
    if (real.status !== 402 || !path.startsWith(prefix)) return real;
    return Response.json(change(Terms.parse(await real.json())), { status: 402 });
  });

const changeEntries = (change: object) => (terms: Terms) => ({
  ...terms,
  accepts: terms.accepts.map((entry) => ({ ...entry, ...change })),
});
const thief = "0x00000000000000000000000000000000000000ff";

const lies: readonly (readonly [string, typeof fetch])[] = [
  ["a larger fee", changeTerms(changeEntries({ amount: "900000" }), "/api/pay/treasury")],
  ["a smaller fee", changeTerms(changeEntries({ amount: "1" }), "/api/pay/treasury")],
  ["a larger second part", changeTerms(changeEntries({ amount: "5000000" }), "/api/pay/publisher")],
  ["an amount that is no number", changeTerms(changeEntries({ amount: 60_000 }))],
  ["another token", changeTerms(changeEntries({ asset: thief }))],
  ["another chain", changeTerms(changeEntries({ network: "eip155:1" }))],
  ["another scheme", changeTerms(changeEntries({ scheme: "upto" }))],
  ["another payee than the owner", changeTerms(changeEntries({ payTo: thief }), "/api/pay/publisher")],
  ["nobody as the payee", changeTerms(changeEntries({ payTo: `0x${"0".repeat(40)}` }))],
  ["no address as the payee", changeTerms(changeEntries({ payTo: "treasury.eth" }))],
  ["another version of x402", changeTerms((terms) => ({ ...terms, x402Version: 1 }))],
  ["no way to pay", changeTerms((terms) => ({ ...terms, accepts: [] }))],
  ["no terms at all", changeTerms(() => "none")],
  [
    "another domain of the token",
    changeTerms(changeEntries({ extra: { assetTransferMethod: "eip3009", name: "Other", version: "1" } })),
  ],
  ["an entry that fits no header", changeTerms(changeEntries({ memo: "x".repeat(10_000) }))],
  ["a signature without end", changeTerms(changeEntries({ maxTimeoutSeconds: -5 }))],
];

let wary: Awaited<ReturnType<typeof makeReader>> | undefined;

test.each(lies)("a service that offers %s gets no signature", async (_, fetch) => {
  wary ??= await makeReader();
  const { account, signed, readSpent } = wary;
  expect(await failToBuy(account, { fetch })).toMatchObject({ code: "wrong_terms", money: "none" });
  expect(signed).toEqual([]);
  expect(await readSpent()).toBe(0n);
});

test("the client does not sign a permit for an unknown spender or with a deadline far in the future", async () => {
  const { account, signed } = await makeReader(true);
  const extra = { assetTransferMethod: "permit2", spender: thief, name: "USDG" };
  const market = openMarketClient(account, { fetch: changeTerms(changeEntries({ extra })) });
  await market.approve();
  expect(await readFailure(market.buy(press.pressId, { method: "permit2" }))).toMatchObject({
    code: "wrong_terms",
  });
  expect(signed).toEqual([]);

  const patient = openMarketClient(account, {
    fetch: changeTerms(changeEntries({ maxTimeoutSeconds: 1_000_000 })),
  });
  await patient.buy(press.pressId);
  const [message] = z.array(z.looseObject({ validBefore: z.bigint() })).parse(signed);
  expect(Number(message?.validBefore) - Date.now() / 1000).toBeLessThanOrEqual(301);
});

test.each([
  { path: "/api/pay/treasury", begun: 1 },
  { path: "/api/pay/publisher", begun: 2 },
])(
  "if the price changes after an answer of $path was lost, the client pays the rest of the old price",
  async ({ path: cut, begun }) => {
    const { account, signed, readSpent } = await makeReader();
    const journal = makeMemoryJournal();
    const lost = intercept((path, paid, answer) =>
      paid && path === cut ? Promise.reject(new TypeError("cut")) : answer(),
    );
    const dearer = intercept(async (path, _, answer) => {
      const real = await answer();
      if (!path.startsWith("/api/presses")) return real;
      const changed = (await real.text()).replaceAll(
        `"priceUnits":"${price}"`,
        `"priceUnits":"${price + 1n}"`,
      );
      return new Response(changed, { headers: { "content-type": "application/json" } });
    });
    await failToBuy(account, { journal, fetch: lost });
    expect(signed).toHaveLength(begun);
    await openMarketClient(account, { journal, fetch: dearer }).buy(press.pressId);
    expect(signed).toHaveLength(2);
    expect(await readSpent()).toBe(price);
  },
);

/** A `fetch` that changes the amounts of both payments in the service's terms. */
const changeAmounts = (fee: bigint, publisher: bigint) =>
  intercept(async (path, paid, answer) => {
    const real = await answer();
    if (paid || !path.startsWith("/api/pay/")) return real;
    const amount = path.startsWith("/api/pay/treasury") ? fee : publisher;
    const changed = (await real.text()).replaceAll(/"amount":"\d+"/g, `"amount":"${amount}"`);
    return new Response(changed, { status: real.status, headers: { "content-type": "application/json" } });
  });

test("the client pays if the platform's share is smaller than usual, pays a greater share only if the user allows it, and requires that both payments add up to the price", async () => {
  const { account, signed } = await makeReader();
  const computeAmount = (share: bigint) => (price * share) / 100n;
  const plan = (fee: bigint, publisher: bigint, options: BuyOptions = {}) =>
    openMarketClient(account, { fetch: changeAmounts(fee, publisher) }).plan(press.pressId, options);
  const listAmounts = async (planned: ReturnType<typeof plan>) =>
    (await planned).due.map(({ amount }) => amount);
  for (const share of [0n, 8n, 10n]) {
    const [fee, rest] = [computeAmount(share), price - computeAmount(share)];
    expect(await listAmounts(plan(fee, rest))).toEqual([fee, rest]);
  }
  const [fee, rest] = [computeAmount(12n), price - computeAmount(12n)];
  expect(await readFailure(plan(fee, rest))).toMatchObject({ code: "wrong_terms", money: "none" });
  expect(await listAmounts(plan(fee, rest, { maxFeePercent: 12 }))).toEqual([fee, rest]);
  for (const other of [price, price - computeAmount(10n) + 1n, price - computeAmount(10n) - 1n]) {
    expect(await readFailure(plan(computeAmount(10n), other))).toMatchObject({
      code: "wrong_terms",
      money: "none",
    });
  }
  expect(await readFailure(plan(fee, rest, { maxFeePercent: 120 }))).toMatchObject({ code: "invalid_cap" });
  expect(signed).toEqual([]);
});

test("if a purchase began at one service, the client does not send the purchase's payment to another service, which may give the text after the purchase", async () => {
  const { account, signed } = await makeReader();
  const journal = makeMemoryJournal();
  const cut = intercept((_, paid, answer) => (paid ? Promise.reject(new Error("cut")) : answer()));
  await failToBuy(account, { journal, fetch: cut });
  const seen: string[] = [];
  const other = openMarketClient(account, {
    journal,
    origin: "http://other.test",
    fetch(input, init) {
      const headers = new Headers(init?.headers);
      seen.push(headers.get("payment-signature") ?? "none");
      if (headers.has("sign-in-with-x"))
        return Promise.resolve(Response.json({ press: { slug: press.slug }, body: press.text }));
      return fetch(String(input).replace("http://other.test", service.origin), init);
    },
  });
  expect(await readFailure(other.buy(press.pressId))).toMatchObject({
    code: "other_service",
    money: "unknown",
  });
  expect(signed).toHaveLength(1);
  await openMarketClient(account, { journal }).buy(press.pressId);
  expect(await other.buy(press.pressId)).toMatchObject({ text: press.text, spentUnits: 0n });
  expect(seen.every((header) => header === "none")).toBe(true);
  expect(signed).toHaveLength(2);
});

test("a service that keeps answering with 402, or answers with 200 without a text, gets only one signature", async () => {
  const { account, signed, readSpent } = await makeReader();
  const journal = makeMemoryJournal();
  const shown = new Set<string>();
  const makeGreedyFetch = (reply: () => Promise<Response> | Response): typeof fetch => {
    const inner = intercept(async (_, paid, answer) => (paid ? reply() : answer()));
    return (input, init) => {
      const header = new Headers(init?.headers).get("payment-signature");
      if (header !== null) shown.add(header);
      return inner(input, init);
    };
  };
  const requestTerms = () =>
    fetch(`${service.origin}/api/pay/treasury`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ pressId: press.pressId }),
    });
  const replies = [
    requestTerms,
    requestTerms,
    () => Response.json({ paid: true }),
    () => Response.json({ paid: true, tx: "soon" }),
    () => Response.json({ paid: false, tx: `0x${"7".repeat(64)}` }),
    () => Response.json({ code: "settlement_pending" }, { status: 503 }),
    () => Response.redirect("http://localhost:1/steal", 307),
  ];
  for (const reply of replies) {
    const market = openMarketClient(account, { journal, fetch: makeGreedyFetch(reply) });
    for (const renew of [false, true]) {
      const { money } = await readFailure(market.buy(press.pressId, { renew }));
      expect(money).toBe("unknown");
    }
  }
  expect(signed).toHaveLength(1);
  expect(shown.size).toBe(1);
  await openMarketClient(account, { journal }).buy(press.pressId);
  expect(signed).toHaveLength(2);
  expect(await readSpent()).toBe(price);
});

test("the client does not sign a sign-in to another site", async () => {
  const { account } = await makeReader();
  const messages: unknown[] = [];
  const wallet: LocalAccount = {
    ...account,
    signMessage(message) {
      messages.push(message);
      return account.signMessage(message);
    },
  };
  const foreign = intercept(async (path, _, answer) => {
    const real = await answer();
    if (path !== "/api/auth/nonce") return real;
    const host = new URL(service.origin).host;
    return Response.json(JSON.parse((await real.text()).replaceAll(host, "bank.example")));
  });
  expect(await readFailure(openMarketClient(wallet, { fetch: foreign }).readHistory())).toMatchObject({
    code: "wrong_message",
  });
  expect(messages).toEqual([]);
});

test("the client plans a purchase without a signature, and reads the list of stocks, the discovery document and an empty dashboard", async () => {
  const { account, signed } = await makeReader(true);
  const market = openMarketClient(account);
  const { due, balance } = await market.plan(press.pressId);
  expect(due.map(({ leg, amount }) => [leg, amount])).toEqual([
    ["fee", price / 10n],
    ["publisher", price - price / 10n],
  ]);
  expect(balance).toBe(5_000_000n);
  expect(signed).toEqual([]);

  expect((await market.fetchStocks()).stocks.length).toBeGreaterThan(0);
  expect((await market.fetchDiscovery()).network.caip2).toBe("eip155:4663");
  expect((await market.fetchDashboard()).presses).toEqual([]);
});

const Receipts = z.object({
  receipts: z.array(z.looseObject({ payload: z.looseObject({ payer: z.string() }), signature: z.string() })),
});

test("the client checks both payments' signed receipts against the service's signer, the chain and the journal, and detects every change to a receipt", async () => {
  const [mine, other] = [await makeReader(), await makeReader()];
  const journal = makeMemoryJournal();
  const market = openMarketClient(mine.account, { journal });
  const { receipts: legs } = await market.buy(press.pressId);
  const bought = await openMarketClient(other.account).buy(press.pressId);
  const transactions = legs.map(({ settled }) => settled?.transaction ?? "");
  for (const [index, transaction] of transactions.entries()) {
    expect(await market.fetchReceipts(transaction.toUpperCase().replace("X", "x"))).toMatchObject([
      { leg: legs[index]?.name, pressId: press.pressId, payer: mine.account.address, transaction },
    ]);
  }
  const [fee = "", publisher = ""] = transactions;
  const [theirs = ""] = bought.receipts.map(({ settled }) => settled?.transaction ?? "");

  /**
   * Lets the given function change every answer of the service at the path. Returns the error with which the client then refuses the
   * publisher's receipt.
   */
  const failWithAnswer = (
    path: string,
    change: (body: unknown) => Promise<unknown> | unknown,
    hash = publisher,
  ) =>
    readFailure(
      openMarketClient(mine.account, {
        journal,
        fetch: intercept(async (at, _, answer) => {
          const given = await answer();
          return at.startsWith(path) ? Response.json(await change(await given.json())) : given;
        }),
      }).fetchReceipts(hash),
    );
  const failWithReceipt = (change: (receipt: z.infer<typeof Receipts>["receipts"][number]) => unknown) =>
    failWithAnswer("/api/receipts/", (body) => ({ receipts: Receipts.parse(body).receipts.map(change) }));
  const fetchAnswer = async (hash: string) => (await fetch(`${service.origin}/api/receipts/${hash}`)).json();
  const untrusted = { code: "wrong_receipt", money: "none" };
  const failToCheck = (options: Partial<MarketOptions>) =>
    readFailure(openMarketClient(mine.account, options).fetchReceipts(publisher));

  // The test forges each signed field, the signature and the form of the receipt.
  for (const changed of [
    { payer: other.account.address },
    { resourceUrl: `${service.origin}/api/pay/publisher#pressId=99` },
    { resourceUrl: `${service.origin}/api/pay/treasury#pressId=${press.pressId}` },
    { issuedAt: 1 },
    { network: "eip155:1" },
    { transaction: fee },
    { version: 2 },
  ]) {
    const found = await failWithReceipt((one) => ({ ...one, payload: { ...one.payload, ...changed } }));
    expect([changed, found]).toMatchObject([changed, untrusted]);
  }
  expect(await failWithReceipt((one) => ({ ...one, signature: `0x${"1b".repeat(65)}` }))).toMatchObject(
    untrusted,
  );
  expect(await failWithReceipt((one) => ({ ...one, format: "jws" }))).toMatchObject(untrusted);
  // The service sends a genuine receipt that belongs to the other payment or to another payer, or sends no receipt.
  expect(await failWithAnswer("/api/receipts/", () => fetchAnswer(fee))).toMatchObject(untrusted);
  expect(await failWithAnswer("/api/receipts/", () => fetchAnswer(theirs))).toMatchObject(untrusted);
  expect(await failWithAnswer("/api/receipts/", () => ({ receipts: [] }))).toMatchObject(untrusted);
  expect(await readFailure(market.fetchReceipts(theirs))).toMatchObject({
    ...untrusted,
    message: expect.stringContaining("none of them is this wallet's"),
  });
  expect(await market.fetchReceipts(theirs, { all: true })).toMatchObject([{ payer: other.account.address }]);
  // The discovery document names a wrong signer, or no signer.
  const nameSigner = (receipts: unknown) =>
    failWithAnswer("/.well-known/x402", (body) => ({ ...z.looseObject({}).parse(body), receipts }));
  expect(await nameSigner({ signer: { address: other.account.address } })).toMatchObject(untrusted);
  expect(await nameSigner(undefined)).toMatchObject({ code: "signer_unknown" });
  // Another service passes on this service's signed receipts, or the buyer is on another chain.
  const place = { ...robinhoodChain, chainId: 1 };
  expect(await failToCheck({ place })).toMatchObject(untrusted);
  // The journal contains the signed payment, so a service cannot present another payment as the signed payment.
  const [, leg] = legs;
  if (leg === undefined) throw new Error("There are two.");
  const lying = makeMemoryJournal();
  await lying.add({ ...leg, pressId: 99 });
  expect(await failToCheck({ journal: lying })).toMatchObject(untrusted);
  const dearer = makeMemoryJournal();
  await dearer.add({ ...leg, message: { ...leg.message, amount: "1" } });
  expect(await failToCheck({ journal: dearer })).toMatchObject(untrusted);

  expect(await readFailure(market.fetchReceipts("0x17"))).toMatchObject({ code: "invalid_transaction" });
  expect(await readFailure(market.fetchReceipts(`0x${"7".repeat(64)}`))).toMatchObject({
    code: "unknown_receipt",
  });
});

test("the client does not trust a signed receipt for a transaction that is not on the chain", async () => {
  const { account } = await makeReader();
  const hash = `0x${"7".repeat(64)}`;
  const signer = privateKeyToAccount(generatePrivateKey());
  const payload = {
    ...{ version: 1, network: "eip155:4663", payer: account.address, issuedAt: 1, transaction: hash },
    resourceUrl: `${service.origin}/api/pay/publisher#pressId=${press.pressId}`,
  };
  const signature = await signReceiptEIP712(payload, (data) => signer.signTypedData(data));
  const market = openMarketClient(account, {
    fetch: intercept(async (path, _, answer) => {
      if (path.startsWith("/api/receipts/"))
        return Response.json({ receipts: [{ format: "eip712", payload, signature }] });
      const given = await answer();
      if (path !== "/.well-known/x402") return given;
      const body = z.looseObject({}).parse(await given.json());
      return Response.json({ ...body, receipts: { signer: { address: signer.address } } });
    }),
  });
  expect(await readFailure(market.fetchReceipts(hash))).toMatchObject({
    code: "wrong_receipt",
    message: expect.stringContaining("the chain has no such transaction"),
  });
});

test("after an answer without the text, the client sends the same payment again and gets the text", async () => {
  const { account, signed, readSpent } = await makeReader();
  const journal = makeMemoryJournal();
  const mute = intercept(async (path, paid, answer) => {
    const real = await answer();
    if (!paid || path !== "/api/pay/publisher") return real;
    return Response.json({ ...z.looseObject({}).parse(await real.json()), body: "" });
  });
  expect(await failToBuy(account, { journal, fetch: mute })).toMatchObject({ money: "unknown" });
  expect((await openMarketClient(account, { journal }).buy(press.pressId)).text).toBe(press.text);
  expect(signed).toHaveLength(2);
  expect(await readSpent()).toBe(price);
});

/** The number of milliseconds after which a new signature has certainly expired. */
const longAfter = 400_000;

/** Moves the service's clock by some milliseconds, but not the chain's clock. */
const shiftClock = (milliseconds: number, isRefusing = true) =>
  intercept(async (_, paid, answer) => {
    const date = new Date(Date.now() + milliseconds).toUTCString();
    if (paid && isRefusing) {
      return Response.json({ code: "invalid_payment", error: "No." }, { status: 402, headers: { date } });
    }
    const real = await answer();
    return new Response(await real.text(), { status: real.status, headers: { date } });
  });

test("a signature that has expired by the service's clock is sent again, and without `renew` the client makes no other signature", async () => {
  const { account, signed } = await makeReader();
  const journal = makeMemoryJournal();
  await failToBuy(account, { journal, fetch: shiftClock(0) });
  expect(await failToBuy(account, { journal, fetch: shiftClock(longAfter) })).toMatchObject({
    money: "unknown",
    message: expect.stringContaining("has expired"),
  });
  expect(signed).toHaveLength(1);
  expect(await journal.all()).toHaveLength(1);
});

test("while the chain does not answer, a signature may still be valid, so the client makes no other signature, even with `renew`", async () => {
  const { account, signed, readSpent } = await makeReader();
  const journal = makeMemoryJournal();
  await failToBuy(account, { journal, fetch: shiftClock(0) });
  const node = await startFaultyNode(service.rpcUrl);
  try {
    // The node answers the calls before a purchase, but not the call that shows whether the signature can still be charged.
    node.setFault({ kind: "hang up", forwarded: false, only: /eth_getBlockByNumber/ });
    const silent = openMarketClient(account, { journal, fetch: shiftClock(longAfter), rpcUrl: node.url });
    await readFailure(silent.buy(press.pressId, { renew: true }));
    expect(signed).toHaveLength(1);
  } finally {
    await node.stop();
  }
  // The first signature is still valid, so this purchase needs no new signature for its first payment.
  await openMarketClient(account, { journal }).buy(press.pressId);
  expect(signed).toHaveLength(2);
  expect(await readSpent()).toBe(price);
});

test("an error after the payment of the fee says that the fee is paid", async () => {
  const { account, signed, readSpent } = await makeReader();
  const journal = makeMemoryJournal();
  const once: LocalAccount = {
    ...account,
    signTypedData: (data) =>
      signed.length === 0 ? account.signTypedData(data) : Promise.reject(new Error("The wallet is gone.")),
  };
  await expect(openMarketClient(once, { journal }).buy(press.pressId)).rejects.toThrow("gone");
  // The unsigned message in the journal has expired, and the service is too busy to give terms for a new message.
  const ahead = shiftClock(longAfter, false);
  const fetchWhileBusy: typeof fetch = (input, init) =>
    String(input).includes("/api/pay/publisher")
      ? Promise.resolve(Response.json({ code: "payments_unavailable", error: "Busy." }, { status: 503 }))
      : ahead(input, init);
  expect(await failToBuy(account, { journal, fetch: fetchWhileBusy })).toMatchObject({
    code: "payments_unavailable",
    money: "fee",
    message: expect.stringContaining("The fee is paid"),
  });
  await openMarketClient(account, { journal }).buy(press.pressId);
  expect(signed).toHaveLength(2);
  expect(await readSpent()).toBe(price);
});

test("while a signed payment may still be charged, every failure of a later call says so, and the plan lists the payment", async () => {
  const { account, signed } = await makeReader();
  const journal = makeMemoryJournal();
  const cut = intercept((_, paid, answer) => (paid ? Promise.reject(new TypeError("cut")) : answer()));
  await failToBuy(account, { journal, fetch: cut });
  const failures = [
    intercept(() => Promise.reject(new TypeError("The service is down."))),
    intercept(async (path, _, answer) =>
      path.startsWith("/api/pay/") ? Response.json({ code: "busy" }, { status: 503 }) : answer(),
    ),
    changeTerms(changeEntries({ asset: thief })),
  ];
  for (const fetch of failures) {
    const market = openMarketClient(account, { journal, fetch });
    for (const name of [press.pressId, press.slug]) {
      expect(await readFailure(market.buy(name))).toMatchObject({ money: "unknown" });
      expect(await readFailure(market.plan(name))).toMatchObject({ money: "unknown" });
    }
  }
  const { due } = await openMarketClient(account, { journal }).plan(press.slug);
  expect(due.map(({ leg, amount, signed: isSigned }) => [leg, amount, isSigned])).toEqual([
    ["fee", price / 10n, true],
    ["publisher", price - price / 10n, false],
  ]);
  expect(signed).toHaveLength(1);
});

test("if the service takes a signed payment and then denies it, the purchase shows the payment as one that may still be charged", async () => {
  const { account } = await makeReader();
  const journal = makeMemoryJournal();
  const deny = intercept(async (path, paid, answer) => {
    const real = await answer();
    return paid && path === "/api/pay/publisher"
      ? Response.json({ code: "already_unlocked", error: "No." }, { status: 409 })
      : real;
  });
  const { receipts, spentUnits } = await openMarketClient(account, { journal, fetch: deny }).buy(press.slug);
  expect(receipts.map(({ name, settled }) => [name, settled !== undefined])).toEqual([
    ["fee", true],
    ["publisher", false],
  ]);
  expect(spentUnits).toBe(price / 10n);
  const wrongNumber = { pressId: press.pressId + 1 };
  expect(await readFailure(openMarketClient(account).buy(press.slug, wrongNumber))).toMatchObject({
    code: "wrong_terms",
  });
});

test("the client stops reading an answer that is too long, and a history without end", async () => {
  const { account } = await makeReader();
  let chunks = 0;
  const flood = () => {
    const pull = (stream: ReadableStreamDefaultController) => {
      chunks += 1;
      if (chunks > 1_000) stream.close();
      else stream.enqueue(new Uint8Array(65_536).fill(32));
    };
    return Promise.resolve(new Response(new ReadableStream({ pull })));
  };
  expect(await readFailure(openMarketClient(account, { fetch: flood }).list())).toMatchObject({
    code: "unexpected_answer",
  });
  expect(chunks).toBeLessThan(100);
  let pages = 0;
  const fetch = intercept(async (path, _, answer) => {
    if (path !== "/api/me/history") return answer();
    pages += 1;
    return Response.json({ votes: [], unlocks: [], ...(pages < 60 && { cursor: "more" }) });
  });
  await openMarketClient(account, { fetch }).readHistory();
  expect(pages).toBe(50);
});

test("if the gateway refuses a request without one of our codes, the client's error contains the gateway's text", async () => {
  const { account } = await makeReader();
  const fetch = async () => Response.json({ message: "Too Many Requests" }, { status: 429 });
  const { message } = await failToBuy(account, { fetch });
  expect(message).toContain("The service answered with 429 (Too Many Requests).");
});

test.each([429, 503])("the client sends a payment again if the answer is %i", async (status) => {
  const { account, signed, readSpent } = await makeReader();
  let refusals = 0;
  const busy = intercept(async (_, paid, answer) => {
    if (!paid || refusals > 1) return answer();
    refusals += 1;
    return Response.json({ code: "busy", error: "Later." }, { status, headers: { "retry-after": "0" } });
  });
  await openMarketClient(account, { fetch: busy, resendForMs: 120_000 }).buy(press.pressId);
  expect([refusals, signed.length]).toEqual([2, 2]);
  expect(await readSpent()).toBe(price);
});

test("a press that was taken off sale after the fee was paid is completed and read by its number", async () => {
  const { account, signed, readSpent } = await makeReader();
  const journal = makeMemoryJournal();
  const cut = intercept((path, paid, answer) =>
    paid && path === "/api/pay/publisher" ? Promise.reject(new TypeError("cut")) : answer(),
  );
  await failToBuy(account, { journal, fetch: cut });
  const changePress = await openDemoPress();
  await changePress("/api/press/unlist", { unlisted: true });
  try {
    const market = openMarketClient(account, { journal });
    expect((await market.buy(press.pressId)).text).toBe(press.text);
    expect((await market.read(press.pressId)).text).toBe(press.text);
    const stranger = await failToBuy((await makeReader()).account);
    expect(stranger).toMatchObject({ code: "unknown_press", money: "none" });
  } finally {
    await changePress("/api/press/unlist", { unlisted: false });
  }
  expect(signed).toHaveLength(2);
  expect(await readSpent()).toBe(price);
});

/** Signs in as the author of the demo press. Returns a function that changes this press through the given endpoint. */
async function openDemoPress() {
  const site = { origin: service.origin, signal: new AbortController().signal };
  const author = await signIn(site, getTestAccount(4));
  const { id } = (await openMarket(service).get(press.slug)).press;
  return (path: string, change: object) => author.post(path, { id, ...change }, z.unknown());
}

test("a wallet that has the press and no USDG left gets the text without its journal and signs no payment, and a bought press is read whatever the cap is", async () => {
  const { account, signed } = await makeReader(false, price);
  const market = openMarketClient(account);
  await market.buy(press.slug);
  expect(await readBalance(service, account.address)).toBe(0n);
  expect(await market.buy(press.slug, { maxPriceUsdg: "0.01" })).toMatchObject({
    text: press.text,
    spentUnits: 0n,
  });
  signed.length = 0;
  const elsewhere = openMarketClient(account);
  expect(await elsewhere.plan(press.slug)).toMatchObject({ due: [], balance: 0n });
  expect(await elsewhere.buy(press.slug)).toMatchObject({ text: press.text, spentUnits: 0n });
  expect(signed).toEqual([]);
});

test.each([
  { state: "was never signed" },
  { state: "has expired unused" },
  { state: "has expired unused at another service" },
])("a purchase whose fee $state begins anew at the present price", async ({ state }) => {
  const { account, readSpent } = await makeReader();
  const journal = makeMemoryJournal();
  const cut = intercept((_, paid, answer) => (paid ? Promise.reject(new TypeError("cut")) : answer()));
  await failToBuy(account, { journal, fetch: cut });
  const isSigned = state !== "was never signed";
  const isElsewhere = state !== "has expired unused";
  for (const { signature, message, ...record } of await journal.all()) {
    // A payment that can never be charged does not bind the wallet to the service where the purchase began.
    const origin = isElsewhere ? "http://other.test" : record.origin;
    const expired = { ...record, origin, message: { ...message, until: "1000000000" } };
    await journal.update(isSigned && signature !== undefined ? { ...expired, signature } : expired);
  }
  const dearer = price + 20_000n;
  const changePress = await openDemoPress();
  const setPrice = (units: bigint) =>
    changePress("/api/press/price", { priceUsdg: Number(formatUnits(units, 6)) });
  await setPrice(dearer);
  try {
    let sent = 0;
    const count = intercept((_, paid, answer) => {
      if (paid) sent += 1;
      return answer();
    });
    const market = openMarketClient(account, { journal, fetch: count });
    if (isSigned)
      expect(await readFailure(market.buy(press.slug))).toMatchObject({
        code: isElsewhere ? "other_service" : "wrong_terms",
      });
    expect((await market.buy(press.slug, { renew: isSigned })).text).toBe(press.text);
    // A signature for another service is not sent to this service.
    expect(sent).toBe(isElsewhere ? 2 : 3);
    expect((await journal.all()).map(({ name, attempt }) => [name, attempt])).toEqual([
      ["fee", 1],
      ["fee", 2],
      ["publisher", 1],
    ]);
    expect(await readSpent()).toBe(dearer);
  } finally {
    await setPrice(price);
  }
});

test("a mint whose report got no answer is reported again, a mint that the service did not confirm is confirmed by its transaction, and a mint whose transaction got no answer is not called unsent", async () => {
  const { account } = await makeReader(true);
  const prepareDraft = async () => {
    const { id } = await openMarketClient(account).save({ ...filings, publisherName: "A program" });
    await approveSaved(service, id);
    return { id, metaUrl: `${service.origin}/api/meta/${id}` };
  };
  const isReport = (path: string) => path === "/api/press/minted";
  let losses = 0;
  const lossy = intercept((path, _, answer) => {
    if (!isReport(path) || losses > 0) return answer();
    losses += 1;
    return Promise.reject(new TypeError("cut"));
  });
  const first = await prepareDraft();
  const live = await openMarketClient(account, { fetch: lossy }).mint(first.id, first.metaUrl);
  expect([losses, live.slug.length > 0]).toEqual([1, true]);
  expect(await service.client.getTransactionCount(account)).toBe(1);

  const refusing = intercept(async (path, _, answer) =>
    isReport(path) ? Response.json({ code: "defect", error: "No." }, { status: 400 }) : answer(),
  );
  const { id, metaUrl } = await prepareDraft();
  const refused = await readFailure(openMarketClient(account, { fetch: refusing }).mint(id, metaUrl));
  const [hash = ""] = /0x[0-9a-f]{64}/.exec(refused.message) ?? [];
  expect(refused.message).toContain(`presses confirm ${id} ${hash}`);
  // After a final refusal of its transaction, the wallet must mint again, so the refusal stays as the service has worded it.
  const final = intercept(async (path, _, answer) =>
    isReport(path)
      ? Response.json({ code: "transaction_failed", error: "It failed." }, { status: 400 })
      : answer(),
  );
  const failed = openMarketClient(account, { fetch: final });
  expect(await readFailure(failed.confirmMint(id, parseTransactionHash(hash)))).toMatchObject({
    message: "It failed.",
  });
  const { slug } = await openMarketClient(account).confirmMint(id, parseTransactionHash(hash));
  expect((await openMarket(service).get(slug)).press.id).toBe(id);
  expect(await service.client.getTransactionCount(account)).toBe(2);

  // The node takes the transaction of the mint, and its answer is lost.
  const node = await startFaultyNode(service.rpcUrl);
  try {
    const unanswered = openMarketClient(account, { rpcUrl: node.url });
    node.setFault({ kind: "hang up", forwarded: true, only: /eth_sendRawTransaction/ });
    const found = await prepareDraft();
    expect(await unanswered.mint(found.id, found.metaUrl)).toMatchObject({ slug: expect.any(String) });
    node.setFault({
      kind: "hang up",
      forwarded: true,
      only: /eth_(sendRawTransaction|getTransactionReceipt)/,
    });
    const lost = await prepareDraft();
    expect(await readFailure(unanswered.mint(lost.id, lost.metaUrl))).toMatchObject({
      code: "chain_unavailable",
      message: expect.stringMatching(
        `may have been sent: look for it.*fetch failed.*presses confirm ${lost.id} 0x`,
      ),
    });
  } finally {
    await node.stop();
  }
  expect(await service.client.getTransactionCount(account)).toBe(4);
});

/** Answers of a node that has taken a transaction, and whether the answer proves that the node has not taken it. */
const broadcasts = [
  { code: -32002, message: "request timed out", isRefusal: false },
  { code: -32000, message: "already known", isRefusal: false },
  { code: -32000, message: "max fee per gas less than block base fee", isRefusal: true },
  {
    code: -32603,
    message: "The transaction was not sent: the chain cannot be reached right now.",
    isRefusal: true,
  },
];

test("a transaction counts as refused only if the node's answer proves it, the error gives the node's reason, and two transactions at once get two nonces", async () => {
  const { account } = await makeReader(true);
  const node = await startFaultyNode(service.rpcUrl);
  const market = openMarketClient({ ...account, nonceManager }, { rpcUrl: node.url });
  try {
    await Promise.all([market.approve(), market.approve()]);
    expect(await service.client.getTransactionCount(account)).toBe(2);
    const { approve } = openMarketClient(account, { rpcUrl: node.url });
    for (const { isRefusal, ...error } of broadcasts) {
      const change = (_: unknown, { id }: { readonly id: number }) => ({ jsonrpc: "2.0", id, error });
      node.setFault({ kind: "calls", only: /eth_sendRawTransaction/, change });
      if (!isRefusal) expect(await approve()).toMatch(/^0x/);
      else
        expect(await readFailure(approve())).toMatchObject({
          code: "transaction_refused",
          message: expect.stringContaining(error.message),
        });
    }
  } finally {
    await node.stop();
  }
});

test("if the wallet's session has ended, the client signs in again, once", async () => {
  const { account } = await makeReader();
  let refusals = 1;
  const asked: string[] = [];
  const fetch = intercept(async (path, _, answer) => {
    asked.push(path);
    if (path !== "/api/me/dashboard" || refusals === 0) return answer();
    refusals -= 1;
    return Response.json({ code: "session_required", error: "Sign in." }, { status: 401 });
  });
  const market = openMarketClient(account, { fetch });
  expect(await market.fetchDashboard()).toMatchObject({ presses: [] });
  refusals = 5;
  expect(await readFailure(market.fetchDashboard())).toMatchObject({ code: "session_required" });
  expect(asked.filter((path) => path === "/api/auth/verify")).toHaveLength(3);
});

// This test comes last, because it moves the chain's clock.
test("the client signs anew only with `renew`, and only when the chain proves that the earlier signature is no longer valid", async () => {
  const { account, signed, readSpent } = await makeReader();
  const journal = makeMemoryJournal();
  const refused = intercept(async (_, paid, answer) =>
    paid ? Response.json({ code: "invalid_payment", error: "No." }, { status: 402 }) : answer(),
  );
  const market = openMarketClient(account, { journal, fetch: refused });
  await readFailure(market.buy(press.pressId, { renew: true }));
  expect(signed).toHaveLength(1);
  await service.client.increaseTime({ seconds: 400 });
  await service.client.mine({ blocks: 1 });
  await readFailure(market.buy(press.pressId));
  expect(signed).toHaveLength(1);
  await readFailure(market.buy(press.pressId, { renew: true }));
  expect(signed).toHaveLength(2);
  expect((await journal.all()).map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(await readSpent()).toBe(0n);
});
