import { numberToHex } from "viem/utils";
import {
  Block,
  Bytes,
  foreignGas,
  getResult,
  lateness,
  latestBlock,
  makeChainError,
  requireAnswer,
} from "../chain/call.ts";
import type { Receipt } from "../chain/receipt.ts";
import * as Gas from "../gas/index.ts";
import {
  type Authorization,
  type FailedLeg,
  isSameNonce,
  type LegTransfer,
  listChargeableItems,
  parseLegName,
  type QueuedLeg,
  readAuthorization,
  readSignature,
  type SettledLeg,
  type SettlementItem,
  type SignedItem,
  type SubmittedLeg,
} from "../record/payment.ts";
import type { TransactionItem } from "../record/relayer.ts";
import { isErrandDue } from "../record/wallet.ts";
import { endTransaction, findTx } from "../relayer/index.ts";
import { findLack, findMethod, findReason, makeFundsCalls, parseFunds, type TermsReason } from "./method.ts";
import { findProofs, searchSettlement } from "./search.ts";
import {
  type AnswerRecord,
  type EndRecords,
  finishLeg,
  isSubmittedLeg,
  type LegFailure,
  markLegFailed,
  type PaymentPorts,
  readLegs,
} from "./settlement.ts";

/** The present state of a settlement whose transaction was stored. */
export type LegOutcome =
  /** `answered`: whether the table records that this request's answer delivers the text. */
  | { readonly kind: "settled"; readonly settlement: SettledLeg; readonly answered: boolean }
  /**
   * The service has moved no money for the leg of the purchase, and can no longer move any. `txHash`: the hash of the broadcast
   * transaction. `byOthers`: another payment in the same transaction made this payment fail, and this payment may be tried again in a
   * separate transaction.
   */
  | {
      readonly kind: "failed";
      readonly reason: TermsReason;
      readonly txHash: string;
      readonly byOthers: boolean;
    }
  /** The outcome of the settlement is not known yet. The settlement may still move money, so no other payment may begin. */
  | { readonly kind: "pending"; readonly txHash: string };

export type SettlementPorts = Omit<PaymentPorts, "relayers">;

/**
 * Ends a payment whose transaction is stored, according to the chain's present state. The payment fails only when its money can no longer
 * move: if the transaction is on the chain without the transfer, if the authorization is spent, or if the authorization's deadline has
 * passed on the chain. `answer`: the record which states that this request's answer delivers the text. Throws `upstream` if the chain does
 * not answer.
 */
export async function endByChain(
  ports: SettlementPorts,
  sent: SubmittedLeg,
  answer?: AnswerRecord,
): Promise<LegOutcome> {
  const authorization = readAuthorization(sent);
  const method = findMethod(authorization);
  const asked = [method.spentCall(ports.settings, authorization), latestBlock];
  const { transaction, receipt, answers } = await findTx(ports, sent.transaction, asked);
  const [word, latest] = answers;
  if (receipt !== undefined) return endByReceipt(ports, sent, receipt, { transaction, answer });
  const block = getResult(latest, Block);
  const spent = method.isSpent(authorization, word);
  const { credited, unclear = false } = spent
    ? await creditLegIfSpent(ports, sent, { transaction, answer })
    : {};
  if (credited !== undefined) return credited;
  if (transaction.state === "over" && !spent) return releaseLeg(ports, sent, transaction);
  // If an authorization is unspent after its deadline, it stays unspent. Until the deadline, the outcome of the settlement counts as not
  // yet known.
  if (block.timestamp <= authorization.deadline + lateness) {
    return { kind: "pending", txHash: transaction.hashes[0] ?? sent.txHash };
  }
  const expired = { code: method.codes.expired, error: "The signed payment has expired." };
  return endLegAsFailed(ports, sent, expired, { transaction, unclear, over: !unclear, byOthers: false });
}

/**
 * Ends a payment whose transaction was rejected by the sequencer, or is no longer sent for another reason. The payment's
 * authorization was sent out, so the service continues to check whether somebody else charges the authorization. A payment that shared the
 * transaction with other payments may be sent again in a separate transaction, because another payment may have caused the failure.
 */
export async function releaseLeg(
  ports: SettlementPorts,
  sent: SubmittedLeg,
  transaction: TransactionItem,
): Promise<LegOutcome> {
  await endTransaction(ports, transaction, undefined);
  const reason = {
    code: "released",
    error:
      "The chain did not include the payment's transaction, and the service no longer sends it. Nothing was charged: sign the fresh terms.",
  };
  const byOthers = transaction.intents.length > 1;
  return endLegAsFailed(ports, sent, reason, { transaction, unclear: false, over: false, byOthers });
}

/** The known facts about the transaction of a payment, and the record of this request's answer. */
type EndFacts = Omit<EndRecords, "transaction"> & { readonly transaction: TransactionItem };

/**
 * The gas cost of a payment's transaction, divided by `parts`, in USDG base units. If a node leaves out the gas price, the expected gas
 * price is used.
 */
export function findPartCost(
  { settings }: Pick<SettlementPorts, "settings">,
  { carry }: Pick<SettlementItem, "carry">,
  { gasUsed, effectiveGasPrice }: Receipt,
  parts: number,
): number {
  if (effectiveGasPrice === undefined) return carry?.rest ?? 0;
  const ethPrice = carry?.ethPrice ?? Gas.readGasLimits(settings).ethPrice;
  return Gas.convertWei((gasUsed * effectiveGasPrice) / BigInt(parts), ethPrice);
}

/** A transaction that contains only one payment ends together with this payment. */
function findLoneTransaction({ transaction }: EndFacts): TransactionItem | undefined {
  return transaction.intents.length === 1 && transaction.state === "stored" ? transaction : undefined;
}

/**
 * Ends a payment according to the receipt of its transaction, which contains the log of the payment's own transfer if the payment has
 * succeeded. No two payments of a transaction share logs, because a transaction contains at most one payment per wallet (invariant 9).
 */
export async function endByReceipt(
  ports: SettlementPorts,
  sent: SubmittedLeg,
  receipt: Receipt,
  circumstances: EndFacts,
): Promise<LegOutcome> {
  const { settings } = ports;
  const { transaction } = circumstances;
  const shared = transaction.intents.length > 1;
  if (shared && transaction.state === "stored") await endTransaction(ports, transaction, receipt);
  const authorization = readAuthorization(sent);
  const method = findMethod(authorization);
  const [proof] = findProofs(authorization, receipt);
  const cost = findPartCost(ports, sent, receipt, transaction.intents.length);
  if (proof !== undefined) {
    const ending = await endLegAsSettled(ports, sent, proof, { ...circumstances, cost });
    // If the transfer already counts for another purchase of this wallet, this payment has failed, as if another party had spent the
    // payment's nonce.
    if (ending !== undefined) return ending;
  }
  // The call is repeated at the block of the revert or at a later block, because an earlier block does not show the cause of the revert.
  const at = numberToHex(await readNewestBlock(ports, receipt.blockNumber));
  const run = { ...method.call(authorization, readSignature(sent.signed)), gas: foreignGas };
  const [again, wordThen, wordNow, code, ...funds] = await ports.chain.batch([
    { method: "eth_call", params: [run, at] },
    method.spentCall(settings, authorization, at),
    // The node that chose the block may have lagged, so another party may have settled the authorization after this block.
    method.spentCall(settings, authorization),
    { method: "eth_getCode", params: [authorization.from, at] },
    ...makeFundsCalls(settings, method, authorization.from, at),
  ]);
  const spent = [wordThen, wordNow].some((word) => method.isSpent(authorization, word));
  const { credited, unclear = false } = spent
    ? await creditLegIfSpent(ports, sent, { ...circumstances, cost, landed: receipt.transactionHash })
    : {};
  if (credited !== undefined) return credited;
  const rerun = requireAnswer(again);
  // With EIP-3009, a call whose nonce is already spent does not revert.
  const silent = spent ? method.spentRevert : undefined;
  const name = rerun.status === "reverted" ? method.revertName(rerun.data) : silent;
  const reason = findLack(method, authorization.amount, parseFunds(funds)) ?? findReason(method, name);
  // After the permit was checked, the payer's account got code (EIP-7702), which burned the gas of the whole transaction.
  const isCulprit = shared && sent.signed.method === "permit2" && getResult(code, Bytes) !== "0x";
  const parts = isCulprit ? 1 : transaction.intents.length;
  const burned = receipt.gasUsed / BigInt(parts);
  return endLegAsFailed(ports, sent, reason, {
    landed: { txHash: receipt.transactionHash, burned, cost: findPartCost(ports, sent, receipt, parts) },
    transaction,
    unclear,
    over: spent && !unclear,
    byOthers: shared && !isCulprit && !spent && rerun.status === "ok",
  });
}

/** Reads the number of the newest block. Throws `upstream` if the node has not reached `block`. */
async function readNewestBlock({ chain }: SettlementPorts, block: bigint): Promise<bigint> {
  const [latest] = await chain.batch([latestBlock]);
  const { number } = getResult(latest, Block);
  if (number < block) throw makeChainError("a node that is behind the receipt");
  return number;
}

/**
 * If an authorization's nonce is spent, finds out whether another party has settled the authorization, and if so records the payment as
 * settled.
 */
async function creditLegIfSpent(
  ports: SettlementPorts,
  sent: SubmittedLeg,
  circumstances: EndFacts,
): Promise<{ readonly credited?: LegOutcome | undefined; readonly unclear?: boolean }> {
  const authorization = readAuthorization(sent);
  const found = await searchSettlement(ports, authorization, BigInt(sent.signed.block));
  if (found.kind !== "paid") return { unclear: found.kind === "unclear" };
  const { answer, cost, landed } = circumstances;
  const along = { transaction: findLoneTransaction(circumstances), answer, cost, landed };
  const settlement =
    (await finishAsPaid(ports, sent, found.proofs, along)) ??
    (await finishFailedLeg(ports, sent, found.proofs, answer));
  if (settlement === undefined) return { credited: await readOutcome(ports, sent), unclear: true };
  await freeUnusedKey(ports, circumstances.transaction);
  return { credited: { kind: "settled", settlement, answered: answer !== undefined } };
}

/** Ends the payment as settled, even if another request has asked a lagging node and recorded the payment as failed. */
async function finishFailedLeg(
  ports: SettlementPorts,
  sent: SubmittedLeg,
  proofs: readonly LegTransfer[],
  answer: AnswerRecord | undefined,
): Promise<SettledLeg | undefined> {
  const [item] = await readLegs(ports, [sent]);
  if (item?.state !== "failed" || !isSameNonce(item.signed, sent.signed)) return undefined;
  return finishAsPaid(ports, item, proofs, { answer });
}

/** Records the transfer, or finds out how another request has ended the settlement; `undefined` if the transfer has paid another leg. */
async function endLegAsSettled(
  ports: SettlementPorts,
  sent: SubmittedLeg,
  proof: LegTransfer,
  circumstances: EndFacts,
): Promise<LegOutcome | undefined> {
  const { answer, cost } = circumstances;
  const along = { transaction: findLoneTransaction(circumstances), answer, cost };
  const settlement = await finishLeg(ports, sent, proof, along);
  if (settlement !== undefined) return { kind: "settled", settlement, answered: answer !== undefined };
  return readOutcome(ports, sent);
}

async function readOutcome(
  ports: SettlementPorts,
  { wallet, pressId, leg, claim, txHash, signed }: SubmittedLeg,
): Promise<LegOutcome | undefined> {
  const [data] = await readLegs(ports, [{ wallet, pressId, leg }]);
  if (data?.state === "settled") return { kind: "settled", settlement: data, answered: false };
  if (data?.claim === claim && data.state === "submitted") return undefined;
  // Another request is trying the payment again.
  if (data?.state === "queued" || data?.state === "submitted") return { kind: "pending", txHash };
  return { kind: "failed", reason: findReason(findMethod(signed), undefined), txHash, byOthers: false };
}

type FailureFacts = Omit<LegFailure, "code"> & {
  readonly transaction: TransactionItem;
  readonly unclear: boolean;
  readonly byOthers: boolean;
};

/**
 * Releases the claim of a payment and the claim's key. `unclear`: the authorization's nonce was spent, but the chain does not show for
 * which payment. Therefore no answer may say yet that the payer still has the money.
 */
async function endLegAsFailed(
  ports: SettlementPorts,
  sent: SubmittedLeg,
  reason: TermsReason,
  { unclear, byOthers, transaction, ...how }: FailureFacts,
): Promise<LegOutcome> {
  const code = byOthers ? "released" : reason.code;
  if (
    (await markLegFailed(ports, sent, { code, byOthers, ...how }, findLoneTransaction({ transaction }))) ===
    undefined
  ) {
    const ending = await readOutcome(ports, sent);
    if (ending?.kind === "settled") return ending;
  }
  await freeUnusedKey(ports, transaction);
  if (unclear) return { kind: "pending", txHash: sent.txHash };
  return { kind: "failed", reason, txHash: sent.txHash, byOthers };
}

/** Frees the key of a shared transaction that is not on the chain, if no payment waits for this transaction any more. */
async function freeUnusedKey(ports: SettlementPorts, transaction: TransactionItem): Promise<void> {
  if (transaction.intents.length === 1 || transaction.state !== "stored") return;
  if ((await listLegs(ports, transaction)).length === 0) await endTransaction(ports, transaction, undefined);
}

/** Lists the payments that still wait for the outcome of a transaction. */
export async function listLegs(
  ports: SettlementPorts,
  { id, intents }: TransactionItem,
): Promise<readonly SubmittedLeg[]> {
  return (await readLegs(ports, intents.map(parseLegName)))
    .filter(isSubmittedLeg)
    .filter(({ transaction }) => transaction === id);
}

/**
 * Whether a payment or an errand (another task of the same keys) still waits for the transaction's outcome. If the transaction contains
 * only one payment, the function tries to end this payment before it answers. Throws `upstream` if the chain does not answer.
 */
export async function isTransactionAwaited(
  ports: SettlementPorts,
  transaction: TransactionItem,
): Promise<boolean> {
  const [name = ""] = transaction.intents;
  const isDue = isErrandDue(name, ports.clock.now());
  if (isDue !== undefined) return isDue;
  const legs = await listLegs(ports, transaction);
  const [only] = legs;
  if (transaction.intents.length > 1 || only === undefined) return legs.length > 0;
  return (await endByChain(ports, only)).kind === "pending";
}

/** The state of the signatures that could pay a leg of the purchase, when the service has no pending transaction for this leg. */
export type Credit =
  /** Another party has settled one of the signatures, so the leg is paid. */
  | { readonly kind: "settled"; readonly settlement: SettledLeg }
  /** The nonce of one of the signatures was spent, and the chain does not show for what. */
  | { readonly kind: "unclear" }
  /**
   * None of the payments that were signed for this leg of the purchase has been settled. Anybody who has a chargeable signature can still
   * charge it.
   */
  | { readonly kind: "unpaid"; readonly chargeable: readonly SignedItem[] };

/**
 * Credits a payment that the wallet has signed for this leg of the purchase and that another party has charged. The payment is credited
 * even if it was charged late or through another contract (invariant 1). Throws `upstream` if the chain does not answer.
 */
export async function creditLeg(ports: SettlementPorts, item: QueuedLeg | FailedLeg): Promise<Credit> {
  const { paid, unclear, chargeable } = await readSignatures(ports, item);
  if (paid === undefined) return unclear ? { kind: "unclear" } : { kind: "unpaid", chargeable };
  const settlement = await finishAsPaid(ports, { ...item, signed: paid.signed }, paid.proofs);
  if (settlement !== undefined) return { kind: "settled", settlement };
  const [now] = await readLegs(ports, [item]);
  // Every transfer that was found is already recorded as the payment of another purchase. When the service reads the chain for this
  // purchase again, it finds the transfer that belongs to the purchase.
  return now?.state === "settled" ? { kind: "settled", settlement: now } : { kind: "unclear" };
}

/**
 * Ends a settlement as paid. The first of the given transfers that has not paid for something else counts as the payment of this
 * settlement. Returns `undefined` if every transfer has paid for something else, or if the settlement has ended meanwhile.
 */
export async function finishAsPaid(
  ports: SettlementPorts,
  item: QueuedLeg | SubmittedLeg | FailedLeg,
  proofs: readonly LegTransfer[],
  along?: Parameters<typeof finishLeg>[3],
): Promise<SettledLeg | undefined> {
  for (const proof of proofs) {
    const settlement = await finishLeg(ports, item, proof, along);
    if (settlement !== undefined) return settlement;
  }
  return undefined;
}

/** The outcome of an expired claim. `gone`: another request has ended the claim meanwhile. */
export type ClaimEnd =
  | Extract<LegOutcome, { kind: "settled" }>
  | { readonly kind: "released" }
  | { readonly kind: "gone" };

/**
 * Ends an expired claim of a payment that is in no transaction. If another party has settled the authorization, the payment is recorded as
 * settled; otherwise the claim is released (invariants 1 and 3). Throws `upstream` if the chain does not answer.
 */
export async function endClaim(ports: SettlementPorts, claimed: QueuedLeg): Promise<ClaimEnd> {
  const credit = await creditLeg(ports, claimed);
  if (credit.kind === "settled") return { ...credit, answered: false };
  const chargeable = credit.kind === "unpaid" ? credit.chargeable : listChargeableItems(claimed);
  const [own, earlier] = [
    chargeable.filter((signed) => isSameNonce(signed, claimed.signed)),
    chargeable.filter((signed) => !isSameNonce(signed, claimed.signed)),
  ];
  const from = { ...claimed, earlier: [...earlier] };
  const failed = await markLegFailed(ports, from, { code: "released", over: own.length === 0 });
  return { kind: failed === undefined ? "gone" : "released" };
}

/**
 * Whether anybody who has the authorization can still charge it in a block with the given time in seconds. An authorization can still be
 * charged during the whole second of its deadline.
 */
export function isChargeable(
  { deadline }: Pick<Authorization, "deadline">,
  { spent, timestamp }: { readonly spent: boolean; readonly timestamp: bigint },
): boolean {
  return !spent && timestamp <= deadline;
}

/** What the chain shows about the signatures that could pay a leg. */
export type SignatureState = {
  /** A settled signature, with the transfers that may belong to it. */
  readonly paid: { readonly signed: SignedItem; readonly proofs: readonly LegTransfer[] } | undefined;
  /** True if a signature's nonce was spent and the chain does not show for which payment. */
  readonly unclear: boolean;
  /** The signatures that anybody with a copy can still settle. */
  readonly chargeable: readonly SignedItem[];
};

/**
 * Reads the state of the signatures that could pay a leg. The signatures' nonces are read at one block, which is given by its number, so
 * that a node without this block cannot answer. If a nonce is unspent in a block after the authorization's deadline, the authorization can
 * never be charged (invariant 1). Throws `upstream` if the chain does not answer.
 */
async function readSignatures(
  ports: Pick<PaymentPorts, "chain" | "settings" | "table">,
  item: SettlementItem,
): Promise<SignatureState> {
  const { chain, settings } = ports;
  const all = listChargeableItems(item).map((signed) => ({
    signed,
    authorization: readAuthorization({ wallet: item.wallet, signed }),
  }));
  const [latest] = await chain.batch([latestBlock]);
  const { number, timestamp } = getResult(latest, Block);
  const words = await chain.batch(
    all.map(({ authorization }) =>
      findMethod(authorization).spentCall(settings, authorization, numberToHex(number)),
    ),
  );
  const chargeable: SignedItem[] = [];
  let unclear = false;
  for (const [index, { signed, authorization }] of all.entries()) {
    const method = findMethod(authorization);
    const spent = method.isSpent(authorization, words[index]);
    if (isChargeable(authorization, { spent, timestamp })) chargeable.push(signed);
    if (!spent) continue;
    const found = await searchSettlement(ports, authorization, BigInt(signed.block));
    if (found.kind === "paid") return { paid: { signed, proofs: found.proofs }, unclear: false, chargeable };
    unclear ||= found.kind === "unclear";
  }
  return { paid: undefined, unclear, chargeable };
}
