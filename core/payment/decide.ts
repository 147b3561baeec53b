import { encodeFunctionData, numberToHex } from "viem/utils";
import { erc1271Abi, identityAbi } from "../chain/abi.ts";
import {
  Bytes,
  foreignGas,
  getResult,
  makeChainError,
  makeContractCall,
  Quantity,
  requireAnswer,
  Word,
} from "../chain/call.ts";
import { type Address, AddressInput, type Hex, lower, toAddress } from "../chain/hex.ts";
import { makeL1GasCall, parseL1Gas, usualL1GasCall } from "../chain/nitro.ts";
import { isSignedByKey } from "../chain/signature.ts";
import * as Gas from "../gas/index.ts";
import { findAwaitedBlock } from "../lag/index.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import {
  type AuthorizationItem,
  hasFailedOnChain,
  isSameNonce,
  type LegTransfer,
  readAuthorization,
  readSignature,
  type Settlement,
  type SignedItem,
} from "../record/payment.ts";
import { prepareGasQuote } from "../relayer/index.ts";
import {
  checkAsIfUnpaid,
  findEarlierSignature,
  findStaleReason,
  type Inspection,
  isSignatureRefused,
  type Judgement,
  judge,
  type PayFacts,
} from "./judge.ts";
import {
  findLack,
  findMethod,
  type Method,
  makeFundsCalls,
  type Payment,
  parseFunds,
  type SignedPayment,
  type TermsReason,
} from "./method.ts";
import type { LegStatus } from "./reconcile.ts";
import { type PayAttempt, type PayRecords, type PressLegs, storeUnpaidNonce } from "./request.ts";
import type { Leg } from "./schema.ts";
import { searchSettlement } from "./search.ts";
import { type PaymentPorts, readLegs } from "./settlement.ts";
import {
  type AmountDue,
  computeAmountDue,
  findLegAmount,
  makeBusyError,
  makeSettlementPendingError,
} from "./terms.ts";

/** The decision whether a payment is accepted, and the inputs from which the decision was made. */
export type PayDecision = {
  readonly state: PayRecords;
  /** The payer's earlier signatures for the same leg of the purchase. Somebody else can still use these signatures to charge the payer. */
  readonly chargeable: readonly SignedItem[];
  readonly payment: SignedPayment;
  readonly found: Inspection;
  readonly due: AmountDue;
  readonly verdict: Exclude<Judgement, { kind: "asks" | "later" }>;
};

/**
 * Asks the chain about a payment whose leg of the purchase is neither paid nor being settled, and decides whether the payment is accepted.
 * The result is `again` if the records have changed meanwhile. `codeSeen`: what the chain has answered earlier about the wallet's code.
 * Throws `upstream` if the chain does not answer.
 */
export async function decide(
  ports: PaymentPorts,
  attempt: PayAttempt,
  { state, chargeable }: Extract<LegStatus, { kind: "open" }>,
  codeSeen: Inspection | undefined,
): Promise<PayDecision | "again"> {
  const { leg, presented, first } = attempt;
  const retried = findRetry(ports, state, leg, chargeable);
  const payment = retried ?? presented;
  const isRetry = retried !== undefined;
  const needed = leg === "fee" ? findSignedPrice(state, leg, payment) : payment.authorization.amount;
  // If a settlement has ended since the chain gave its earlier answer, this answer is out of date.
  const stands = codeSeen !== undefined && state === first && !isRetry;
  const seen = stands ? codeSeen : await inspectPayment(ports, leg, state, payment);
  const shortOf = { wallet: state.key.wallet, method: findMethod(payment.authorization), needed };
  const found = await inspectIfOutdated(ports, shortOf, seen, (of) =>
    inspectPayment(of, leg, state, payment),
  );
  // If another request of this payer changed the records while this request asked the chain, the other request's outcome is read from the
  // table.
  if (found.nonceSpent && (await hasLegChanged(ports, state, leg))) return "again";
  const due = findAmountDue(ports, leg, state, found);
  const { pressId } = state.agent;
  const [last, named] = [state.legs[leg], state.identifier];
  let facts: PayFacts = {
    presented,
    payment,
    isRetry,
    pressId,
    due,
    needed,
    last,
    named,
    found,
    now: ports.clock.now(),
  };
  for (;;) {
    const verdict = judge(facts);
    switch (verdict.kind) {
      case "asks":
        facts = {
          ...facts,
          ...(await loadFacts(ports, attempt, facts, verdict.about)),
          now: ports.clock.now(),
        };
        continue;
      case "later":
        throw makeBusyError(new Error("A permit that was broadcast for this leg is still valid"), 6);
      default:
        // If another request has recorded the payment during the search, the search found a transfer that already counts for this leg.
        if (verdict.kind === "refused" && found.nonceSpent && (await hasLegChanged(ports, state, leg)))
          return "again";
        return { state, chargeable, payment, found, due, verdict };
    }
  }
}

async function loadFacts(
  ports: PaymentPorts,
  { leg, presented, first }: PayAttempt,
  { payment, isRetry, last }: PayFacts,
  about: Extract<Judgement, { kind: "asks" }>["about"],
): Promise<Partial<PayFacts>> {
  switch (about) {
    case "stale":
      return { stale: (await findRefusalReason(ports, first, leg, presented)) ?? null };
    case "bound":
      return { bound: await readBinding(ports, payment) };
    case "transfers": {
      const before = isRetry ? last?.signed : findEarlierSignature(last, presented);
      // The number of a block that is older than the payment's first presentation; `undefined` if the payment is presented for the first
      // time.
      const since = before === undefined || before === "otherwise" ? undefined : before.block;
      return { transfers: await findSettlements(ports, payment, since) };
    }
  }
}

/**
 * Asks the chain about a payment. For a payment of the fee, the function also asks the chain whether the press's owner could receive the
 * rest of the price.
 */
export async function inspectPayment(
  ports: PaymentPorts,
  leg: Leg,
  state: PayRecords,
  payment: SignedPayment,
): Promise<Inspection> {
  const price = findSignedPrice(state, leg, payment);
  const rest = { amount: findLegAmount("publisher", price), expected: toAddress(state.agent.publisher) };
  return inspectChain(ports, state, payment, leg === "fee" ? rest : undefined);
}

/** The price for which a fee was signed. A signature that was claimed before keeps the price of that claim (see `claimLeg`). */
function findSignedPrice({ agent, legs }: PayRecords, leg: Leg, { authorization }: SignedPayment): bigint {
  const last = legs[leg];
  return BigInt(last && isSameNonce(last.signed, authorization) ? last.priceUnits : agent.priceUnits);
}

/** Whether the record of the payment's leg has changed since the request read it. */
async function hasLegChanged(ports: PaymentPorts, { key, legs }: PayRecords, leg: Leg): Promise<boolean> {
  const [now] = await readLegs(ports, [{ wallet: key.wallet, pressId: key.pressId, leg }]);
  return now?.claim !== legs[leg]?.claim || now?.state !== legs[leg]?.state;
}

/**
 * A permit that was broadcast and reverted. Anybody who has seen the reverted permit can still settle it. As long as the reverted permit
 * can be settled, the service tries this permit again and accepts no newly signed permit. Two valid permits for one leg of the purchase
 * could both be charged (invariant 1).
 */
function findRetry(
  { settings }: PaymentPorts,
  { legs }: PayRecords,
  leg: Leg,
  chargeable: readonly SignedItem[],
): SignedPayment | undefined {
  const last = legs[leg];
  if (last === undefined || !hasFailedOnChain(last)) return undefined;
  if (!chargeable.some((signed) => isSameNonce(signed, last.signed))) return undefined;
  const authorization = readAuthorization(last);
  return {
    authorization,
    digest: findMethod(authorization).digest(settings, authorization),
    signature: readSignature(last.signed),
  };
}

/**
 * The maximum number of searches for the transfer that spent a permit, and the milliseconds between two of these searches. One search for a
 * transfer is not enough, because nodes show logs late.
 */
const mostSearches = 4;

const searchInterval = 300;

/**
 * Finds the transfers by which another party has settled a permit whose nonce is spent. Returns an empty list if the nonce was spent but
 * the permit moved no money. Throws `settlement_pending` (`upstream`) if the chain does not show how the nonce was spent.
 */
async function findSettlements(
  ports: PaymentPorts,
  { authorization }: SignedPayment,
  since: number | undefined,
): Promise<readonly LegTransfer[]> {
  for (let left = mostSearches; left > 0; left -= 1) {
    const from = since === undefined ? undefined : BigInt(since);
    const found = await searchSettlement(ports, authorization, from);
    if (found.kind === "paid") return found.proofs;
    if (found.kind === "unpaid") {
      await storeUnpaidNonce(ports, authorization);
      return [];
    }
    if (left > 1) await ports.clock.sleep(searchInterval);
  }
  throw makeSettlementPendingError(undefined);
}

/**
 * EIP-1271's magic value as a word of 32 bytes. The code compares all 32 bytes of the wallet's answer with the magic value. If only four
 * bytes were compared, an answer that repeats its input would also match.
 */
const magic = `0x1626ba7e${"0".repeat(56)}`;

const OwnerWord = Bytes.transform((word) => `0x${word.slice(26)}`).pipe(AddressInput);

const headCall = { method: "eth_blockNumber", params: [] } as const;

/** The call that asks the chain for the present owner of a press. */
export function makeOwnerCall(registry: Address, pressId: number): RpcCall {
  return makeContractCall(
    registry,
    encodeFunctionData({ abi: identityAbi, functionName: "ownerOf", args: [BigInt(pressId)] }),
  );
}

/**
 * Reads the owner of a press from the registry's answer. Throws `upstream` if the registry gives no owner, because a missing owner is not
 * the payer's fault.
 */
export function parseOwner(outcome: RpcOutcome | undefined): Address {
  return lower(getResult(outcome, OwnerWord));
}

/** The press's owner according to the table, and the part of the price that the owner will get, in USDG base units. */
export type OwnerShare = { readonly amount: bigint; readonly expected: Address };

/**
 * Reads from the chain all facts that are needed to check a payment. The function sends one JSON-RPC batch. A second JSON-RPC batch follows
 * if `ownerPart` is given and the press's NFT was sold. A second JSON-RPC batch also follows if the key of an account with code (EIP-7702)
 * has signed a permit and the settlement's simulation has reverted.
 */
async function inspectChain(
  ports: Pick<PaymentPorts, "chain" | "settings" | "clock" | "ids">,
  { agent: { pressId }, keys, legs }: Pick<PayRecords, "agent" | "keys" | "legs">,
  { authorization, signature, digest, ...known }: SignedPayment,
  ownerPart?: OwnerShare,
): Promise<Inspection> {
  const { chain, settings } = ports;
  const quote = prepareGasQuote(ports, keys);
  if (quote === undefined) throw makeBusyError(new Error("There are no relayers"));
  const method = findMethod(authorization);
  const { from } = authorization;
  const makePayoutCalls = (to: Address) =>
    ownerPart === undefined ? [] : [method.makePayoutCall(settings, from, to, ownerPart.amount)];
  const asksFunds = makeFundsCalls(settings, method, from);
  const settling = method.call(authorization, signature);
  const makeEstimate = (gas: Hex): RpcCall => ({
    method: "eth_estimateGas",
    params: [{ from: quote.sender, ...settling, gas }],
  });
  const byKey = known.byKey ?? (await isSignedByKey(from, digest, signature));
  const asksCode = makeSignatureCall(from, digest, signature);
  // If the fee was recorded by a repair (`repair.ts`), no gas was reserved with the fee.
  const paidFee = !byKey && ownerPart === undefined && legs.fee?.carry !== undefined ? legs.fee : undefined;
  const asksUsualL1 = paidFee === undefined ? usualL1GasCall : makeL1GasCall(makeSignedCall(paidFee));
  const [owner, code, nonces, gas, l1, block, ...others] = await chain.batch(
    [
      makeOwnerCall(settings.contracts.identityRegistry, pressId),
      { method: "eth_getCode", params: [from, "latest"] },
      method.spentCall(settings, authorization),
      makeEstimate(foreignGas),
      makeL1GasCall(settling),
      headCall,
      ...asksFunds,
      ...(ownerPart === undefined ? [] : makePayoutCalls(ownerPart.expected)),
      ...quote.calls,
      ...(byKey ? [] : [asksUsualL1, asksCode]),
    ],
    // A wallet's own code may use all gas and return megabytes of data, so a batch with a call to a wallet's code is not joined with the
    // calls of other requests.
    { joined: byKey },
  );
  const stands = byKey ? undefined : others.pop();
  const usualL1 = byKey ? undefined : others.pop();
  const quoted = others.splice(-quote.calls.length);
  const [payout] = others.splice(asksFunds.length);
  const rate = { ...quote.parseQuote(quoted), l1Gas: parseL1Gas(l1) };
  const usualL1Gas = byKey ? undefined : parseL1Gas(usualL1);
  // Other payments must not be refused because of the L1 gas of this payment's long signature.
  Gas.storeRate(ports, { ...rate, l1Gas: Gas.capL1Gas({ ...rate, usualL1Gas }) });
  // A Nitro node counts the gas units for L1 against the limit of an estimate. If L1 uses up most of the limit, the limit is raised.
  const isTight = 2n * rate.l1Gas > BigInt(foreignGas) && requireAnswer(gas).status === "reverted";
  const raised = makeEstimate(numberToHex(BigInt(foreignGas) + rate.l1Gas));
  const simulation = parseSimulation(method, isTight ? (await chain.batch([raised]))[0] : gas);
  const written = lower(getResult(code, Bytes));
  const isAsked = written !== "0x" && method.asksCode(byKey);
  const ownerNow = parseOwner(owner);
  const sold = ownerPart !== undefined && ownerPart.expected !== ownerNow;
  // If the simulation of the settlement has succeeded, the wallet's code has accepted the signature.
  const isAccepted = simulation.kind === "ok";
  const asksApart = byKey && isAsked && !isAccepted;
  const unasked = [...(sold ? makePayoutCalls(ownerNow) : []), ...(asksApart ? [asksCode] : [])];
  const later = unasked.length === 0 ? [] : await chain.batch(unasked);
  return {
    owner: ownerNow,
    code: isAsked ? written : "0x",
    signedByContract: byKey
      ? isAsked && (isAccepted || isSignatureConfirmed(later.at(-1)))
      : isSignatureConfirmed(stands),
    funds: parseFunds(others),
    ...rate,
    usualL1Gas,
    // A node may answer the calls of one batch at different blocks. If the answers to the calls of one batch differ, the answer from the
    // newest block counts.
    nonceSpent:
      method.isSpent(authorization, nonces) ||
      (simulation.kind === "reverts" && simulation.name === method.spentRevert),
    simulation,
    ownerPayable: ownerPart === undefined || isPayable(sold ? later[0] : payout),
    block: getResult(block, Quantity),
  };
}

/** The call that settles a recorded authorization. */
function makeSignedCall(leg: Settlement): ReturnType<Method["call"]> {
  const authorization = readAuthorization(leg);
  return findMethod(authorization).call(authorization, readSignature(leg.signed));
}

function isPayable(outcome: RpcOutcome | undefined): boolean {
  return requireAnswer(outcome).status === "ok" && getResult(outcome, Word) === 1n;
}

/** The call that asks a wallet's code about a signature (EIP-1271). */
function makeSignatureCall(to: Address, digest: Hex, signature: Hex): RpcCall {
  const args = [digest, signature] as const;
  const data = encodeFunctionData({ abi: erc1271Abi, functionName: "isValidSignature", args });
  return { method: "eth_call", params: [{ to, data, gas: foreignGas }, "latest"] };
}

/**
 * Whether a wallet's code confirms a signature. A plain account gives no answer, and a contract that refuses the signature may revert; in
 * both cases the signature is not confirmed.
 */
function isSignatureConfirmed(outcome: RpcOutcome | undefined): boolean {
  if (requireAnswer(outcome).status === "reverted") return false;
  return lower(getResult(outcome, Bytes)).startsWith(magic);
}

function parseSimulation({ revertName }: Method, outcome: RpcOutcome | undefined): Inspection["simulation"] {
  const answer = requireAnswer(outcome);
  if (answer.status === "reverted") return { kind: "reverts", name: revertName(answer.data) };
  const gas = Quantity.safeParse(answer.result);
  if (!gas.success) throw makeChainError("a gas estimate of unexpected form", gas.error);
  return { kind: "ok", gas: gas.data };
}

/** Milliseconds between two reads of a wallet that seems to lack funds or approval. */
const lookPause = 1_500;

/**
 * Asks another node at once if a payment seems to fail and a node's old answers may be the reason. If the wallet's funds or approval
 * changed in a block that the node has not shown yet, the function asks the nodes repeatedly. The function stops when a node shows the
 * awaited block, or when no node can lag behind the awaited block any more. If the service knows of no change of the wallet's funds or
 * approval after the block that the node has shown, the request does not wait. A waiting request would occupy a running function at no cost
 * to the caller.
 */
async function inspectIfOutdated(
  ports: PaymentPorts,
  needed: NeededFunds,
  seen: Inspection,
  look: (of: PaymentPorts) => Promise<Inspection>,
): Promise<Inspection> {
  if (!mayBeOutdated(needed, seen)) return seen;
  const { clock, settings } = ports;
  const until = clock.now() + (settings.stateLag ?? 0);
  let found = chooseNewer(seen, await look(makeOtherNodePorts(ports)));
  if (!mayBeOutdated(needed, found) || clock.now() >= until) return found;
  // If the funds suffice but the payment seems to fail, the answers of one request come from different blocks. If the answers come from
  // different blocks, the block's number does not show how old each answer is.
  const isMixed = findFundsLack(needed, found) === undefined;
  const awaited = await findAwaitedBlock(ports, needed.wallet, isMixed ? 0n : found.block);
  if (awaited === undefined) return found;
  for (let looks = 0; mayBeOutdated(needed, found) && clock.now() < until; looks += 1) {
    const isLate = found.block < awaited;
    if (isLate) await clock.sleep(Math.min(lookPause, until - clock.now()));
    found = chooseNewer(found, await look(looks % 2 === 0 ? ports : makeOtherNodePorts(ports)));
    // After a node has shown the awaited block, the function asks the nodes only one more time, without a pause.
    if (!isLate) break;
  }
  return found;
}

/** The base units that a wallet needs for a payment, and the payment method. */
type NeededFunds = { readonly wallet: Address; readonly method: Method; readonly needed: bigint };

const findFundsLack = ({ method, needed }: NeededFunds, { funds }: Inspection) =>
  findLack(method, needed, funds);

/**
 * Returns whether a node's old answers may be the reason why the payment seems to fail. A payment seems to fail if the wallet lacks funds
 * or approval, or if a transfer fails although the funds and the approval suffice. A node may show an old balance or approval for some
 * seconds after the receipt of an approval.
 */
function mayBeOutdated(needed: NeededFunds, found: Inspection): boolean {
  const { nonceSpent, simulation, ownerPayable } = found;
  if (nonceSpent || isSignatureRefused(found)) return false;
  const isUnexplained =
    simulation.kind === "reverts" && needed.method.reasons[simulation.name ?? ""] === undefined;
  return isUnexplained || !ownerPayable || findFundsLack(needed, found) !== undefined;
}

/**
 * Chooses between two reads of a wallet's funds: the read at the newer block, or the second read if both reads are at the same block. The
 * decision about the payment must not depend on an outdated balance.
 */
function chooseNewer(first: Inspection, second: Inspection): Inspection {
  return second.block >= first.block ? second : first;
}

function makeOtherNodePorts(ports: PaymentPorts): PaymentPorts {
  const { batch } = ports.chain;
  return { ...ports, chain: { batch: (calls, limits) => batch(calls, { ...limits, elsewhere: true }) } };
}

/** The amount that is due now, and its payee: for the publisher's leg, the press's owner according to the chain. */
export function findAmountDue(
  ports: PaymentPorts,
  leg: Leg,
  { agent, legs }: PressLegs,
  { owner }: Inspection,
): AmountDue {
  return computeAmountDue(ports.settings, leg, { priceUnits: agent.priceUnits, fee: legs.fee, owner });
}

/**
 * Checks whether the payment would be accepted now if this leg of the purchase were still unpaid. Returns the reason for refusing the
 * payment, or `undefined` if the payment would be accepted. The payment is accepted only if the service has never sent the payment to the
 * chain. As long as a payment is unsent, only the payer can know the signature.
 */
export async function findRefusalReason(
  ports: PaymentPorts,
  state: PayRecords,
  leg: Leg,
  presented: Payment,
): Promise<TermsReason | undefined> {
  const bound = await readBinding(ports, presented);
  const { pressId } = state.agent;
  const known = findStaleReason({ pressId, leg }, bound, presented);
  if (known !== undefined) return known;
  const found = await inspectChain(ports, state, presented);
  const due = findAmountDue(ports, leg, state, found);
  return checkAsIfUnpaid({ presented, due, found, now: ports.clock.now() });
}

/** The press and leg for which the payment was first presented, if the payment was presented before. */
async function readBinding(
  { table }: Pick<PaymentPorts, "table">,
  { authorization: { from: wallet, method, nonce } }: SignedPayment,
): Promise<AuthorizationItem | null> {
  const key = { wallet, method, nonce: String(nonce) };
  return (await table.entities.authorization.get(key).go({ consistent: true })).data;
}
