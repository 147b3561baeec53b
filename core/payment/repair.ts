import { encodeEventTopics, numberToHex } from "viem/utils";
import { authorizationAbi, exactProxyAbi } from "../chain/abi.ts";
import { Bytes, getResult, makeChainError } from "../chain/call.ts";
import type { Address, Hex } from "../chain/hex.ts";
import { type Call, decodeCall, listCalls, type PayPurpose, readPurpose } from "../chain/order.ts";
import {
  type BlockRange,
  findBlocksSince,
  type MinedTransaction,
  type Receipt,
  readEvents,
  readTransactions,
} from "../chain/receipt.ts";
import { type GasSplit, limitToPlainGas } from "../gas/index.ts";
import type { Settings } from "../port/settings.ts";
import { feePercent, formerFeePercents, splitPrice } from "../press/schema.ts";
import {
  type Authorization,
  isSameNonce,
  type LegTransfer,
  listChargeableItems,
  type Settlement,
} from "../record/payment.ts";
import type { AgentItem } from "../record/press.ts";
import { makeOwnerCall, parseOwner } from "./decide.ts";
import { findPartCost, finishAsPaid } from "./end.ts";
import { readAuthorization } from "./method.ts";
import type { Leg } from "./schema.ts";
import { findProofs } from "./search.ts";
import { claimLeg, markLegFailed, type PaymentPorts, readLegs } from "./settlement.ts";
import { findCurrentPrice } from "./terms.ts";

/**
 * The maximum number of transactions that one request reads. The repair makes two calls for each transaction, and providers refuse requests
 * with more than 20 calls.
 */
const transactionsAtOnce = 10;

export type RepairPorts = Omit<PaymentPorts, "relayers"> & {
  /** The addresses of all keys that have sent payments since the given time, in lower case. */
  readonly keys: readonly Address[];
};

/** The possible reasons for not recording a payment that was found on the chain. */
export const leftBecause = {
  sent_by_another: "none of our keys sent it: it is credited when its payer asks again",
  no_purpose: "it does not say which press it pays for",
  unknown_press: "no live press has this id: its mint comes first",
  wrong_amount: "the press has another price",
  wrong_payee: "it paid neither the treasury nor the press's owner",
  nonce_bound: "what was signed was presented for another press or leg before",
  paid_before: "another transfer has paid this leg: refund this one",
  under_way: "a settlement of this leg is unfinished: reconcile, and repair again",
} as const;
export type SkipReason = keyof typeof leftBecause;

/**
 * A payment that was found on the chain, and its state in the table. `missing`: the table has no record of the payment, and a run with
 * `write` set adds the record.
 */
export type FoundPayment = {
  readonly txHash: Hex;
  readonly payer: Address | undefined;
  readonly purpose: PayPurpose | undefined;
  /** The paid amount, in USDG base units. */
  readonly amount: bigint | undefined;
  readonly state: "known" | "missing" | "recorded" | SkipReason;
};

/** Finds the payments in the given blocks. */
export type RepairRun = BlockRange & { readonly found: readonly FoundPayment[] };

/**
 * Records payments that are on the chain but missing in the table, for example after a restore. A transfer counts as a payment if one of
 * the service's keys sent it for a named press and leg. The transfer must also have moved exactly the due part of the price to the right
 * payee. The transfer must not have paid for anything else. The repair charges nobody, sends nothing, and can be repeated. `since` is in
 * milliseconds. The table is changed only if `write` is set. Throws `upstream` if the chain does not answer. Payments that the run has
 * recorded before an error stay recorded.
 */
export async function repair(
  ports: RepairPorts,
  { since, write }: { readonly since: number; readonly write: boolean },
): Promise<RepairRun> {
  const { exactProxy, usdg } = ports.settings.contracts;
  const blocks = await findBlocksSince(ports, since);
  const logs = await readEvents(ports, blocks, [
    { address: exactProxy, topics: encodeEventTopics({ abi: exactProxyAbi, eventName: "Settled" }) },
    { address: usdg, topics: encodeEventTopics({ abi: authorizationAbi, eventName: "AuthorizationUsed" }) },
  ]);
  const hashes = [...new Set(logs.map(({ transactionHash }) => transactionHash))];
  const found: FoundPayment[] = [];
  for (let first = 0; first < hashes.length; first += transactionsAtOnce) {
    for (const mined of await readTransactions(ports, hashes.slice(first, first + transactionsAtOnce))) {
      found.push(...(await repairCall(ports, mined, write)));
    }
  }
  return { ...blocks, found };
}

async function repairCall(
  ports: RepairPorts,
  mined: MinedTransaction,
  write: boolean,
): Promise<readonly FoundPayment[]> {
  const { sent, receipt } = mined;
  const { settings, keys } = ports;
  const calls = sent.to === null ? [] : listCalls({ to: sent.to, data: sent.input });
  if (!keys.includes(sent.from)) return findOthersPayment(ports, mined, calls);
  const found: FoundPayment[] = [];
  for (const call of calls) {
    const paid = decodePayment(settings, call);
    const proofs = paid === undefined ? [] : findProofs(paid.authorization, receipt);
    // A payment that failed inside a shared transaction has moved no money.
    if (paid === undefined || proofs.length === 0) continue;
    const purpose = readPurpose(call);
    const payment = { ...paid, proofs, receipt, parts: calls.length };
    const state =
      purpose === undefined ? "no_purpose" : await repairLeg(ports, { ...payment, purpose }, write);
    found.push(makeFoundPayment(receipt, paid.authorization, purpose, state));
  }
  return found;
}

/**
 * A transfer that somebody else has settled. The transfer may be meant for the service, because it pays the treasury or names one of our
 * presses. A transfer settled by somebody else is not recorded, because anybody can name one of our presses in a transfer. The repair
 * ignores payments to other payees, and sales of another stage on the same chain.
 */
async function findOthersPayment(
  { table, settings }: RepairPorts,
  { sent, receipt }: MinedTransaction,
  calls: readonly Call[],
): Promise<readonly FoundPayment[]> {
  if (settings.siblingRelayers?.includes(sent.from)) return [];
  const [call] = calls.filter((one) => readPurpose(one) !== undefined);
  const transfers = receipt.logs.filter(({ address }) => address === settings.contracts.usdg);
  const isForTreasury = transfers.some(({ topics }) => topics[2]?.endsWith(settings.treasury.slice(2)));
  if (transfers.length === 0 || (call === undefined && !isForTreasury)) return [];
  const logs = transfers.map(({ logIndex }) => ({ txHash: receipt.transactionHash, logIndex }));
  const { data: taken } = await table.entities.transfer.get(logs).go({ consistent: true });
  const paid = calls.length === 1 && calls[0] !== undefined ? decodePayment(settings, calls[0]) : undefined;
  const state = taken.length > 0 ? "known" : "sent_by_another";
  return [makeFoundPayment(receipt, paid?.authorization, call && readPurpose(call), state)];
}

function makeFoundPayment(
  { transactionHash: txHash }: Receipt,
  authorization: Authorization | undefined,
  purpose: PayPurpose | undefined,
  state: FoundPayment["state"],
): FoundPayment {
  return { txHash, payer: authorization?.from, purpose, amount: authorization?.amount, state };
}

type SignedTransfer = { readonly authorization: Authorization; readonly signature: Hex };

/** The authorization in a call; `undefined` if the call settles no payment through the stage's contracts. */
function decodePayment(settings: Settings, call: Call): SignedTransfer | undefined {
  const { exactProxy, usdg } = settings.contracts;
  const settlement = decodeCall(call);
  if (settlement === undefined) return undefined;
  const { signature } = settlement;
  const isPermit = settlement.method === "permit2";
  if (call.to !== (isPermit ? exactProxy : usdg)) return undefined;
  const authorization = readAuthorization(
    isPermit
      ? { signature, permit2Authorization: { ...settlement, spender: exactProxy } }
      : { signature, authorization: settlement.authorization },
    settings,
  );
  return authorization?.token === usdg ? { authorization, signature } : undefined;
}

type Payment = SignedTransfer & {
  readonly purpose: PayPurpose;
  readonly proofs: readonly LegTransfer[];
  readonly receipt: Receipt;
  /** The number of payments in the transaction. */
  readonly parts: number;
};

async function repairLeg(
  ports: RepairPorts,
  payment: Payment,
  write: boolean,
): Promise<FoundPayment["state"]> {
  const { authorization, purpose, proofs } = payment;
  const { pressId, leg } = purpose;
  const key = { wallet: authorization.from, pressId, leg };
  const [[last], [fee], { data: agent }, { data: taken }] = await Promise.all([
    readLegs(ports, [key]),
    readLegs(ports, [{ ...key, leg: "fee" }]),
    ports.table.entities.agent.get({ pressId }).go({ consistent: true }),
    ports.table.entities.transfer.get([...proofs]).go({ consistent: true }),
  ]);
  if (last?.state === "settled") {
    const isKnown = taken.some(
      (one) => one.wallet === key.wallet && one.pressId === pressId && one.leg === leg,
    );
    return isKnown ? "known" : "paid_before";
  }
  if (taken.length === proofs.length) return "nonce_bound";
  if (agent === null) return "unknown_press";
  const priceUnits = findPrice(leg, agent, fee, authorization.amount);
  if (priceUnits === undefined) return "wrong_amount";
  if (!(await isRightPayee(ports, payment))) return "wrong_payee";
  const { method, nonce } = authorization;
  const { data: bound } = await ports.table.entities.authorization
    .get({ wallet: key.wallet, method, nonce: String(nonce) })
    .go({ consistent: true });
  if (bound !== null && (bound.pressId !== pressId || bound.leg !== leg)) return "nonce_bound";
  const isFree = last === undefined || last.state === "failed" || hasClaimLapsed(ports, last);
  if (!isFree && !isSameNonce(last.signed, authorization)) return "under_way";
  if (!write) return "missing";
  const price = findCurrentPrice(priceUnits, leg === "fee" ? undefined : fee);
  const priced = { ...agent, priceUnits: String(price) };
  return (await recordLeg(ports, payment, priced, { last, fee })) ? "recorded" : "under_way";
}

/**
 * Finds the price for which the given amount is due, either as the fee or as the rest after the fee. The function tries the present price,
 * and after it the earlier prices from the latest to the oldest.
 */
export function findPrice(
  leg: Leg,
  { priceUnits, formerPrices = [] }: Pick<AgentItem, "priceUnits" | "formerPrices">,
  fee: Settlement | undefined,
  amount: bigint,
): string | undefined {
  return [priceUnits, ...formerPrices.toReversed()].find((price) =>
    listAmounts(leg, price, fee).includes(amount),
  );
}

/**
 * The possible amounts of a leg of a purchase. If the fee is settled, the payment to the publisher can only be the rest of the price. In
 * all other cases, each present or former fee percentage gives one possible amount of the leg.
 */
function listAmounts(leg: Leg, priceUnits: string, fee: Settlement | undefined): readonly bigint[] {
  const price = findCurrentPrice(priceUnits, fee);
  if (leg === "publisher" && fee?.state === "settled") return [price - BigInt(fee.signed.amount)];
  return [feePercent, ...formerFeePercents].map((percent) => splitPrice(price, percent)[leg]);
}

function hasClaimLapsed({ clock }: RepairPorts, { state, claimUntil }: Settlement): boolean {
  return state === "queued" && claimUntil < clock.now();
}

/**
 * Whether a transfer went to the right payee: the treasury, or the press's owner at the time of the transfer. The present owner is accepted
 * too, because the nodes may no longer know who owned the press at the time of the transfer.
 */
async function isRightPayee({ chain, settings }: RepairPorts, payment: Payment): Promise<boolean> {
  const { authorization, purpose, receipt } = payment;
  if (purpose.leg === "fee") return authorization.to === settings.treasury;
  const asked = makeOwnerCall(settings.contracts.identityRegistry, purpose.pressId);
  const owners = await chain.batch(
    [numberToHex(receipt.blockNumber - 1n), numberToHex(receipt.blockNumber), "latest"].map((at) => ({
      ...asked,
      params: [asked.params[0], at],
    })),
  );
  const known = owners.filter(({ status }) => status === "ok");
  if (known.length === 0) throw makeChainError("no node says who owns a press");
  return known.some((owner) => parseOwner(owner) === authorization.to);
}

/** Records a payment that was found on the chain. Returns `false` if another request is working on the same leg of the purchase. */
async function recordLeg(
  ports: RepairPorts,
  { authorization, signature, purpose: { leg }, proofs, receipt, parts }: Payment,
  agent: AgentItem,
  { last, fee }: { readonly last: Settlement | undefined; readonly fee: Settlement | undefined },
): Promise<boolean> {
  const finish = async (item: Parameters<typeof finishAsPaid>[1]) => {
    const cost = findPartCost(ports, item, receipt, parts);
    return (await finishAsPaid(ports, item, proofs, { cost })) !== undefined;
  };
  // This payment has a claim without a recorded outcome. The outcome is recorded as if the claiming request had found the transfer.
  const isUnfinished = last?.state === "queued" || last?.state === "submitted";
  if (isUnfinished && isSameNonce(last.signed, authorization)) return finish(last);
  // An expired claim of another payment still holds a reserve of gas. The reserve is released only when the claim's outcome is recorded.
  const ended =
    last?.state === "queued" ? await markLegFailed(ports, last, { code: "released", over: false }) : last;
  if (last !== undefined && ended === undefined) return false;
  // The fee may have left a reserve of gas on the wallet's gas account. The reserve is released when the outcome of the payment to the
  // publisher is recorded.
  const recorded = ended?.carry ?? (fee?.state === "settled" ? fee.carry : undefined);
  const carry =
    leg === "fee" || recorded === undefined
      ? undefined
      : await limitSplitForCode(ports, authorization.from, recorded);
  const claimed = await claimLeg(ports, {
    agent,
    leg,
    authorization,
    signature,
    identifier: undefined,
    ticket: undefined,
    lease: undefined,
    gasEstimate: undefined,
    gas: undefined,
    carry,
    last: ended,
    // Signatures of earlier attempts stay recorded, because they can still be used to charge the payer if this payment turns out to pay
    // another leg.
    earlier: ended?.pending === "watched" ? listChargeableItems(ended) : [],
    block: receipt.blockNumber,
  });
  return claimed.kind === "queued" && finish(claimed.settlement);
}

/**
 * Calculates who pays for a read's gas. If the payer's account got code after the fee was paid, the fee and the publisher do not pay for
 * this code's gas, because code can waste gas.
 */
async function limitSplitForCode({ chain }: RepairPorts, payer: Address, split: GasSplit): Promise<GasSplit> {
  const [code] = await chain.batch([{ method: "eth_getCode", params: [payer, "latest"] }]);
  return getResult(code, Bytes) === "0x" ? split : limitToPlainGas(split);
}
