import { type Hex, type LocalAccount, toHex } from "viem";
import { formatUnits, parseUnits } from "viem/utils";
import { awaitNodeAnswer, type Chain, isExpiredUnspent, readFunds, readOwner } from "./chain.ts";
import { MarketError, type Money } from "./error.ts";
import { makeRefusal, readMember, readText, type ServiceAnswer, type ServiceConnection } from "./http.ts";
import type { Journal, LegRecord } from "./journal.ts";
import {
  checkTerms,
  type Leg,
  type Method,
  makeHeader,
  sign,
  type ValidTerms,
  type WantedTerms,
} from "./terms.ts";
import type { Place } from "./typed-data.ts";
import type { Press } from "./types.ts";

/** The ports that a purchase uses. */
export type Buyer = ServiceConnection & {
  readonly origin: string;
  readonly chain: Chain;
  readonly place: Place;
  readonly account: LocalAccount;
  readonly journal: Journal;
  /** Milliseconds during which the client repeats an unanswered payment before the call fails. */
  readonly resendForMs: number;
  readonly sleep: (milliseconds: number) => Promise<void>;
};

/** A step in the progress of a purchase; the caller can show the step to the user who waits. */
export type Step =
  | { readonly kind: "checked"; readonly price: string; readonly fee: string; readonly publisher: string }
  | { readonly kind: "sending"; readonly leg: Leg; readonly amount: string; readonly resumed: boolean }
  | { readonly kind: "waiting"; readonly leg: Leg; readonly seconds: number; readonly because: string }
  | { readonly kind: "paid"; readonly leg: Leg; readonly transaction: string }
  | { readonly kind: "unsaved"; readonly leg: Leg; readonly because: string };

export type BuyOptions = {
  /** The maximum price of the press in USDG, for both payments together; 1 by default. */
  readonly maxPriceUsdg?: string | number;
  /** The platform's maximum share of the price, in percent; 10 by default. */
  readonly maxFeePercent?: number;
  /** The payment method; the default is `eip3009`, for which the wallet needs USDG only. */
  readonly method?: Method;
  /**
   * Whether to sign again after an earlier signature has expired. Before the client signs again, the chain must show that the earlier
   * signature was not used and can no longer be used.
   */
  readonly renew?: boolean;
  /** The press's number on the chain. If it is set and the service gives the press another number, nothing is signed. */
  readonly pressId?: number;
  readonly onStep?: (step: Step) => void;
};

/** The cost of a purchase according to payment terms that were checked. Amounts of USDG are in base units. */
export type Plan = {
  readonly press: Press;
  readonly price: bigint;
  /** The payments that the purchase still needs. If none is due, the wallet already has the press. */
  readonly due: readonly DuePayment[];
  /** The payments that were made. */
  readonly paid: readonly LegRecord[];
  readonly balance: bigint;
};

/** `signed`: an earlier call has signed the payment, so it may have been charged already. `buy` sends the same signature again. */
type DuePayment = {
  readonly leg: Leg;
  readonly amount: bigint;
  readonly payTo: string;
  readonly signed: boolean;
};

/** The paths of the service that take the two payments of a purchase. */
export const paths: Readonly<Record<Leg, string>> = {
  fee: "/api/pay/treasury",
  publisher: "/api/pay/publisher",
};

/** The seconds that the client waits between two tries of a payment: `usual` if the service gives no time, and at most `longest`. */
const pauseSeconds = { usual: 2, longest: 20 };

const formatUsdg = (units: bigint) => `${formatUnits(units, 6)} USDG`;

/** Converts the buyer's maximum price to base units. Throws `invalid_cap` if the value is not a valid amount of USDG. */
export function parsePriceCap(maxPriceUsdg: string | number = "1"): bigint {
  const amount = String(maxPriceUsdg);
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(amount)) {
    const message = `The highest price must be an amount of USDG such as 0.5, not ${amount}. Nothing was charged.`;
    throw new MarketError("invalid_cap", message);
  }
  return parseUnits(amount, 6);
}

/** The platform's share of the price, in percent, as the specification sets it. */
export const usualFeePercent = 10;

/** The platform's maximum share of a price, in base units. Throws `invalid_cap` for an invalid percentage. */
function computeFeeCap(price: bigint, { maxFeePercent = usualFeePercent }: BuyOptions): bigint {
  if (!Number.isInteger(maxFeePercent) || maxFeePercent < 0 || maxFeePercent > 99) {
    const message = `The highest fee must be a share of 0 to 99 percent, not ${maxFeePercent}. Nothing was charged.`;
    throw new MarketError("invalid_cap", message);
  }
  return (price * BigInt(maxFeePercent)) / 100n;
}

type PurchaseState = {
  /**
   * The sum of both payments. If a purchase has begun, the sum is the price at which the purchase began; otherwise the sum is the current
   * price.
   */
  readonly price: bigint;
  readonly records: Readonly<Record<Leg, readonly LegRecord[]>>;
  /** The amount of the fee that the wallet has signed; `undefined` if nothing is signed, or what is signed can never be charged. */
  readonly signedFee: string | undefined;
};

const getLastRecord = (records: readonly LegRecord[]) => records.at(-1);

function formatLegKey({ place, account }: Buyer, pressId: number, leg: Leg): string {
  return `${place.chainId}-${place.usdg}-${account.address}-${pressId}-${leg}`.toLowerCase();
}

/**
 * Loads the purchase's records from the journal. Throws an error if the price is above the buyer's limit or the purchase is unfinished at
 * another service.
 */
async function loadPurchaseState(
  buyer: Buyer,
  press: Press,
  { maxPriceUsdg, renew = false, pressId = press.pressId }: BuyOptions,
): Promise<PurchaseState> {
  const cap = parsePriceCap(maxPriceUsdg);
  if (
    !/^[1-9]\d{0,17}$/.test(press.priceUnits) ||
    !Number.isSafeInteger(press.pressId) ||
    press.pressId < 0 ||
    press.pressId !== pressId
  ) {
    throw new MarketError(
      "wrong_terms",
      "The press's price or number is missing or wrong in the service's answer. Nothing was charged now.",
    );
  }
  const records = {
    fee: await buyer.journal.attempts(formatLegKey(buyer, press.pressId, "fee")),
    publisher: await buyer.journal.attempts(formatLegKey(buyer, press.pressId, "publisher")),
  };
  const known = [...records.fee, ...records.publisher];
  const lastFee = getLastRecord(records.fee);
  // If only the fee was signed and its signature can never be charged, the purchase begins anew at the present price. Any other purchase
  // that has begun keeps its price, even if the press's price has changed since then.
  const isOver =
    records.publisher.length === 0 && lastFee !== undefined && (await hasLapsed(buyer, lastFee, renew));
  const price = BigInt((isOver ? undefined : getLastRecord(known))?.priceUnits ?? press.priceUnits);
  if (price > cap && !isSettled(records.publisher)) {
    const message = `The press costs ${formatUsdg(price)}, which is more than the allowed ${formatUsdg(cap)}. Nothing was signed now.`;
    throw new MarketError("price_above_cap", message);
  }
  const last = isOver || isSettled(records.publisher) ? undefined : getLastRecord(known);
  const elsewhere = last?.origin === buyer.origin ? undefined : last;
  if (elsewhere !== undefined) {
    const message = `This purchase began at ${elsewhere.origin}. Nothing was signed now: finish the purchase there.`;
    throw new MarketError("other_service", message);
  }
  return { price, records, signedFee: isOver ? undefined : lastFee?.message.amount };
}

/** Whether a payment was not made and never can be: it was never signed in time, or (with `renew`) the chain shows that it expired unused. */
async function hasLapsed(buyer: Buyer, record: LegRecord, renew: boolean): Promise<boolean> {
  const { settled, signature, message } = record;
  if (settled !== undefined || Number(message.until) * 1000 >= buyer.now()) return false;
  return signature === undefined || (renew && (await isUnchargeable(buyer, { ...record, signature })));
}

/** Requests the terms of one payment for this wallet and checks them, without signing anything. */
async function fetchTerms(
  buyer: Buyer,
  press: Press,
  leg: Leg,
  { amount, method }: { readonly amount: WantedTerms["amount"]; readonly method: Method },
): Promise<ValidTerms> {
  const query = `?method=${method}&payer=${buyer.account.address}`;
  const [answer, payTo] = await Promise.all([
    buyer.send(`${paths[leg]}${query}`, { body: { pressId: press.pressId } }),
    leg === "fee" ? undefined : awaitNodeAnswer(readOwner(buyer.chain, buyer.place, press.pressId)),
  ]);
  if (answer.status !== 402) throw makeRefusal(answer);
  // If a request names its payer, the terms of the payment to the publisher contain a sign-in only if the payer already has the text.
  if (
    leg === "publisher" &&
    readMember(readMember(answer.body, "extensions"), "sign-in-with-x") !== undefined
  )
    throw new MarketError("already_unlocked", "The wallet has this press already. Nothing was charged.");
  return checkTerms(answer.body, method, { amount, payTo }, buyer.place);
}

const isSettled = (records: readonly LegRecord[]) => getLastRecord(records)?.settled !== undefined;

/** The amount of each of the two payments, in base units. */
type LegAmounts = Readonly<Record<Leg, bigint>>;

/**
 * Requests the terms of both payments of a purchase without signing anything, and reads the wallet's funds. The service sets the fee, but
 * the fee must not exceed the buyer's limit for fees, and the two payments must add up to the price.
 */
async function readTerms(
  buyer: Buyer,
  press: Press,
  { price, records, signedFee }: PurchaseState,
  options: BuyOptions,
) {
  const { method = "eip3009" } = options;
  const atMost = computeFeeCap(price, options);
  const rest =
    records.publisher.length === 0
      ? fetchTerms(buyer, press, "publisher", { amount: { atMost: price }, method })
      : undefined;
  const [fee, publisher, funds] = await Promise.all([
    signedFee === undefined
      ? fetchTerms(buyer, press, "fee", { amount: { atMost }, method }).catch(async (error: unknown) => {
          // If the wallet already has the press, a refusal of the fee does not matter.
          await rest;
          throw error;
        })
      : undefined,
    rest,
    awaitNodeAnswer(readFunds(buyer.chain, buyer.place, buyer.account.address)),
  ]);
  const feeAmount = BigInt(signedFee ?? fee?.amount ?? 0);
  const amounts: LegAmounts = { fee: feeAmount, publisher: price - feeAmount };
  if (publisher !== undefined && publisher.amount !== amounts.publisher) {
    const both = `${publisher.amount} and a fee of ${feeAmount}, which are not the price of ${price}`;
    throw new MarketError(
      "wrong_terms",
      `The service's terms name ${both}. Nothing was signed or charged now.`,
    );
  }
  const terms = { fee, publisher };
  const due = (["fee", "publisher"] as const).flatMap((leg): readonly DuePayment[] => {
    const checked = terms[leg];
    const record = getLastRecord(records[leg]);
    const signed = record?.signature !== undefined;
    if (checked !== undefined) return [{ leg, amount: checked.amount, payTo: checked.payTo, signed }];
    if (record === undefined || record.settled !== undefined) return [];
    return [{ leg, amount: BigInt(record.message.amount), payTo: record.message.to, signed }];
  });
  // A signed payment may have been charged already, so the balance need not cover it. With new terms, the payment is signed again.
  const needed = due.reduce(
    (sum, { leg, amount, signed }) => (signed && terms[leg] === undefined ? sum : sum + amount),
    0n,
  );
  return { due, terms, amounts, funds, needed };
}

/**
 * Returns the price, the payments that are still due and the wallet's balance, and signs nothing. Throws the errors that `buy` throws
 * before its first signature.
 */
export async function makePlan(buyer: Buyer, press: Press, options: BuyOptions): Promise<Plan> {
  const state = await loadPurchaseState(buyer, press, options);
  const terms = await readTerms(buyer, press, state, options).catch(ignoreUnlocked);
  const { balance } =
    terms?.funds ?? (await awaitNodeAnswer(readFunds(buyer.chain, buyer.place, buyer.account.address)));
  return { press, price: state.price, due: terms?.due ?? [], paid: listSettledLegs(state.records), balance };
}

/** A wallet that has unlocked the press owes nothing. */
function ignoreUnlocked(error: unknown): undefined {
  if (!(error instanceof MarketError) || error.code !== "already_unlocked") throw error;
}

/** The result of a purchase. `text` is `undefined` if the service or the journal says that the wallet already has the press. */
export type PurchaseOutcome = {
  readonly text: string | undefined;
  readonly legs: readonly LegRecord[];
  readonly spentUnits: bigint;
};

/**
 * Makes the outstanding payments for a press. Each payment is signed at most once: the journal stores the payment's message before the
 * wallet signs it, and the signature before the client sends it. If the same purchase is started again, the client sends the signature that
 * the journal has stored. Throws a MarketError; `money` in the error says what was charged.
 */
export async function pay(buyer: Buyer, press: Press, options: BuyOptions): Promise<PurchaseOutcome> {
  const { method = "eip3009", onStep = () => undefined } = options;
  const state = await loadPurchaseState(buyer, press, options);
  const owned = { text: undefined, legs: listSettledLegs(state.records), spentUnits: 0n };
  if (isSettled(state.records.publisher)) return owned;
  const read = await readTerms(buyer, press, state, options).catch(ignoreUnlocked);
  if (read === undefined) return owned;
  const { terms, amounts, funds, needed } = read;
  if (funds.balance < needed) {
    const message = `The wallet has ${formatUsdg(funds.balance)} and needs ${formatUsdg(needed)}. Nothing was signed now.`;
    throw new MarketError("insufficient_balance", message);
  }
  if (method === "permit2" && needed > 0n && funds.allowance < needed) {
    const message =
      "Permit2 may not move this wallet's USDG yet. Nothing was signed now: run `presses approve` first, or pay by eip3009.";
    throw new MarketError("allowance_required", message);
  }
  onStep({
    kind: "checked",
    price: formatUsdg(state.price),
    fee: formatUsdg(amounts.fee),
    publisher: formatUsdg(amounts.publisher),
  });
  const work = { buyer, press, price: state.price, amounts, method, onStep, renew: options.renew === true };

  const paidFee = isSettled(state.records.fee) ? getLastRecord(state.records.fee) : undefined;
  const fee = paidFee ?? (await payLeg(work, "fee", state.records.fee, terms.fee)).record;
  const rest = await payLeg(work, "publisher", state.records.publisher, terms.publisher);
  const legs = [fee, rest.record];
  const spentUnits = legs
    .filter((leg) => leg !== paidFee && leg.settled?.already === false)
    .reduce((sum, { message }) => sum + BigInt(message.amount), 0n);
  const text = rest.record.settled === undefined ? undefined : readText(rest.answer.body, "body");
  return { text, legs, spentUnits };
}

/**
 * Plans or makes a purchase. If `work` fails and its error says that nothing was charged, the thrown error says what earlier payments of
 * the purchase mean for the money, because the failure says nothing about these payments.
 */
export async function runWithMoneyReport<Result>(
  buyer: Buyer,
  press: number | string,
  find: () => Promise<Press>,
  work: (found: Press) => Promise<Result>,
): Promise<Result> {
  let found: Press | undefined;
  try {
    found = await find();
    return await work(found);
  } catch (error) {
    if (!(error instanceof MarketError) || error.money !== "none") throw error;
    let failure = "";
    const money = await readPurchase(buyer, press, found).then(findMoney, (cause: unknown) => {
      if (cause instanceof MarketError && cause.message !== error.message) failure = ` ${cause.message}`;
      return "unknown" as const;
    });
    if (money === "none") throw error;
    const { code, message, status, retryAfter } = error;
    throw new MarketError(code, `${message} ${moneyAdvice[money]}${failure}`, {
      money,
      status,
      retryAfter,
      cause: error,
    });
  }
}

/**
 * The journal's records of one purchase. A broken record of another purchase does not matter if the press's number is known. The
 * service's number for a slug may be a lie, so it is used only if some record of the journal cannot be read.
 */
async function readPurchase(
  buyer: Buyer,
  press: number | string,
  found: Press | undefined,
): Promise<readonly LegRecord[]> {
  async function readLegs(pressId: number) {
    const keys = (["fee", "publisher"] as const).map((leg) => formatLegKey(buyer, pressId, leg));
    return (await Promise.all(keys.map((key) => buyer.journal.attempts(key)))).flat();
  }
  if (typeof press === "number") return readLegs(press);
  try {
    return (await buyer.journal.all()).filter(
      ({ leg, name, pressId, slug }) => slug === press && leg === formatLegKey(buyer, pressId, name),
    );
  } catch (error) {
    if (found === undefined) throw error;
    return readLegs(found.pressId);
  }
}

const moneyAdvice: Readonly<Record<Exclude<Money, "none">, string>> = {
  fee: "The fee is paid: buying again pays the rest only.",
  unknown:
    "A payment that was signed earlier may still be charged, but only once: buying again sends it again.",
};

/** What the journal's records of one purchase show. Only the last attempt of each payment can still be charged. */
function findMoney(records: readonly LegRecord[]): Money {
  const fee = records.findLast(({ name }) => name === "fee");
  const publisher = records.findLast(({ name }) => name === "publisher");
  if (publisher?.settled !== undefined) return "none";
  const isOpen = (record: LegRecord | undefined) =>
    record?.signature !== undefined && record.settled === undefined;
  if (isOpen(fee) || isOpen(publisher)) return "unknown";
  return fee?.settled === undefined ? "none" : "fee";
}

function listSettledLegs(records: PurchaseState["records"]): readonly LegRecord[] {
  return [...records.fee, ...records.publisher].filter(({ settled }) => settled !== undefined);
}

type PurchaseWork = {
  readonly buyer: Buyer;
  readonly press: Press;
  readonly price: bigint;
  readonly amounts: LegAmounts;
  readonly method: Method;
  readonly renew: boolean;
  readonly onStep: (step: Step) => void;
};

/**
 * Sends the payment's signature again and again until the service answers. Only one signature is ever made for the payment. If the
 * signature does not exist yet, it is made before anything is sent.
 */
async function payLeg(
  work: PurchaseWork,
  leg: Leg,
  records: readonly LegRecord[],
  checkedTerms: ValidTerms | undefined,
): Promise<{ readonly record: LegRecord; readonly answer: ServiceAnswer }> {
  const { buyer, press } = work;
  const kept = getLastRecord(records);
  const begun = kept ?? (await beginPayment(work, leg, 1, checkedTerms));
  const isUnsigned = begun.signature === undefined && Number(begun.message.until) * 1000 < buyer.now();
  // Nobody can charge a message that was never signed, or an earlier payment at another service: `loadPurchaseState` has checked this.
  const isOver = isUnsigned || (kept !== undefined && kept.origin !== buyer.origin);
  const first = isOver ? await beginPayment(work, leg, begun.attempt + 1, undefined) : begun;
  let record = await signRecord(buyer, first);
  let answer = await sendPayment(work, leg, record, kept !== undefined);
  // A signature of this call is never renewed: the service's own node may say falsely that the signature can no longer be charged.
  const isEarlier = first.signature !== undefined;
  if (answer.status === 402 && isEarlier && work.renew && (await isUnchargeable(buyer, record))) {
    record = await signRecord(buyer, await beginPayment(work, leg, record.attempt + 1, undefined));
    answer = await sendPayment(work, leg, record, false);
  }
  if (answer.status === 409 && leg === "publisher" && readText(answer.body, "code") === "already_unlocked") {
    return { record, answer };
  }
  const transaction = readText(answer.body, "tx") ?? "";
  const isPaid = answer.status === 200 && readMember(answer.body, "paid") === true;
  const hasText = leg === "fee" || (readText(answer.body, "body") ?? "") !== "";
  if (!isPaid || !hasText || !/^0x[0-9a-fA-F]{64}$/.test(transaction))
    throw makeRefusalError(leg, record, answer);
  const settled = {
    transaction,
    at: new Date().toISOString(),
    // The service says `already` only of the fee, so it does not count for the second payment.
    already: leg === "fee" && readMember(answer.body, "already") === true,
  };
  const paid = { ...record, settled };
  work.onStep({ kind: "paid", leg, transaction });
  try {
    await buyer.journal.update(paid);
  } catch (error) {
    // The text is paid for, so the buyer gets the text even if its receipt cannot be stored.
    if (leg === "fee" || !(error instanceof MarketError)) throw error;
    work.onStep({ kind: "unsaved", leg, because: error.message });
  }
  return { record: paid, answer };

  function makeRefusalError(leg: Leg, { message }: LegRecord, answer: ServiceAnswer): MarketError {
    const { code, message: said, status, retryAfter } = makeRefusal(answer);
    const until = new Date(Number(message.until) * 1000);
    const life =
      until.getTime() > buyer.now()
        ? `The signature is valid until ${until.toISOString()}: buying again sends the same signature and signs nothing new.`
        : "The signature has expired: buy again with the option renew, which signs again if the chain shows that the old signature was not used.";
    const sentence = `The ${leg === "fee" ? "platform's fee" : "publisher's part"} of ${press.slug} was refused: ${said} ${life}`;
    return new MarketError(code, sentence, { money: "unknown", status, retryAfter, cause: answer.body });
  }
}

/** Stores a new payment message in the journal. If two calls begin at once, the journal keeps one message, and both calls use it. */
async function beginPayment(
  { buyer, press, price, amounts, method }: PurchaseWork,
  leg: Leg,
  attempt: number,
  checkedTerms: ValidTerms | undefined,
): Promise<LegRecord> {
  const exactly = amounts[leg];
  const { entry, payTo, seconds } =
    checkedTerms ?? (await fetchTerms(buyer, press, leg, { amount: { exactly }, method }));
  return buyer.journal.add({
    leg: formatLegKey(buyer, press.pressId, leg),
    attempt,
    origin: buyer.origin,
    name: leg,
    wallet: buyer.account.address,
    pressId: press.pressId,
    slug: press.slug,
    headline: press.headline,
    priceUnits: String(price),
    method,
    accepted: entry,
    identifier: makeRandomHex(16).slice(2),
    message: {
      to: payTo,
      amount: String(exactly),
      nonce: makeRandomHex(32),
      until: String(Math.floor(buyer.now() / 1000) + seconds),
    },
  });
}

function makeRandomHex(bytes: number): Hex {
  return toHex(crypto.getRandomValues(new Uint8Array(bytes)));
}

type SignedRecord = LegRecord & { readonly signature: Hex };

/** Signs the recorded payment and stores the signature in the journal, before the caller sends the signature. */
async function signRecord({ account, place, journal }: Buyer, record: LegRecord): Promise<SignedRecord> {
  if (record.signature !== undefined) return { ...record, signature: record.signature };
  const signed = { ...record, signature: await sign(account, place, record.method, record.message) };
  await journal.update(signed);
  return signed;
}

/** Sends a payment, and repeats the same request while the service does not know the payment's outcome. */
async function sendPayment(
  { buyer, press, onStep }: PurchaseWork,
  leg: Leg,
  record: SignedRecord,
  resumed: boolean,
): Promise<ServiceAnswer> {
  const { send, place, account, resendForMs, sleep, origin } = buyer;
  const { signature, method, accepted, message, identifier } = record;
  const signed = { method, accepted, message, identifier, url: `${origin}${paths[leg]}` };
  const headers = { "payment-signature": makeHeader(place, account.address, signed, signature) };
  onStep({ kind: "sending", leg, amount: formatUsdg(BigInt(message.amount)), resumed });
  const end = Date.now() + resendForMs;
  for (;;) {
    const found = await send(`${paths[leg]}?method=${method}`, {
      body: { pressId: press.pressId },
      headers,
    }).catch((error: unknown) => {
      if (error instanceof MarketError) return error;
      throw error;
    });
    const isAnswer = !(found instanceof MarketError);
    if (isAnswer && found.status !== 429 && found.status < 500) return found;
    const failure = isAnswer ? makeRefusal(found) : found;
    const seconds = Math.min(failure.retryAfter ?? pauseSeconds.usual, pauseSeconds.longest);
    if (Date.now() + seconds * 1000 > end) {
      const advice =
        "The signed payment may be charged, but only once. To send the same payment again, buy again.";
      throw new MarketError(failure.code, `${failure.message} ${advice}`, {
        money: "unknown",
        status: failure.status,
        retryAfter: failure.retryAfter,
        cause: failure,
      });
    }
    onStep({ kind: "waiting", leg, seconds, because: failure.code });
    await sleep(seconds * 1000);
  }
}

/** Whether the chain shows that the signed payment can never be charged. If the chain does not answer, the result is `false`. */
function isUnchargeable({ chain, place }: Buyer, record: SignedRecord): Promise<boolean> {
  return isExpiredUnspent(chain, place, record).catch(() => false);
}
