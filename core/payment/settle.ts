import type { Address, Hex } from "../chain/hex.ts";
import { type PaidFor, withPurpose } from "../chain/order.ts";
import { AppError } from "../error.ts";
import { dayOf } from "../quota/index.ts";
import {
  authorizationOf,
  type Claimed,
  type Proof,
  type Queued,
  type Settlement,
  type SettlementItem,
  type SignedItem,
  type Submitted,
  signatureIn,
  type Waiting,
} from "../record/payment.ts";
import type { TransactionItem } from "../record/relayer.ts";
import {
  announceEnd,
  broadcast,
  type Call,
  callOfAll,
  costOf,
  currentHash,
  type FreeRelayer,
  feeCap,
  fill,
  freeRelayer,
  type GasHold,
  gasLimit,
  gasLimitsOf,
  isLineWaiting,
  type Landing,
  mayShare,
  mostInBatch,
  nonceOf,
  othersCameFirst,
  passScout,
  pauseAbout,
  priceBelowGas,
  type Revert,
  readTransaction,
  rehearse,
  rehearseAndTrace,
  relayerNow,
  requireRoom,
  signAs,
  storedTransaction,
  type Turn,
  untilEnded,
  waitInLine,
  whileLoading,
} from "../relayer/index.ts";
import { type Carry, surplusOf } from "./carry.ts";
import { type Identifier, type Method, methodOf, type Payment, type Reason, reasonFor } from "./method.ts";
import { clearLapsed, conclude, type Ending, endShared, leftOut, recordFirst, resolve } from "./resolve.ts";
import type { Leg } from "./schema.ts";
import {
  type Answering,
  type Claim,
  claim,
  fail,
  hasPaid,
  isSubmitted,
  type PaymentPorts,
  type Place,
  readLegs,
  submit,
  submittedIn,
  takeKey,
} from "./settlement.ts";
import { type Inspection, readState, readTurn, type State } from "./state.ts";
import { busy, standingPrice } from "./terms.ts";

export type Order = {
  readonly leg: Leg;
  readonly payment: Payment;
  readonly found: Inspection;
  /** Transfers by which somebody else has settled this very authorization. */
  readonly proofs: readonly Proof[];
  /** What the payer signed for the leg before and others may still charge. */
  readonly live: readonly SignedItem[];
  /** What names the attempt, where this payment may bind it, and never goes on the chain. */
  readonly identifier: Identifier | undefined;
  readonly ticket: Hex | undefined;
  /** What this request answers with the text, where it is owed that. */
  readonly answer: Answering | undefined;
  /** What is kept for a wallet with code, whose payment the relayer in `found` has rehearsed. */
  readonly gas: GasHold | undefined;
  /** Who pays for the gas of the read. */
  readonly carry: Carry | undefined;
};

/** How a request's own settlement went. */
export type SettleOutcome =
  | Ending
  | Extract<Claim, { kind: "permit_bound" }>
  /** Nothing was sent for it, and what it was judged by has changed, or may have: it has to be judged anew. */
  | { readonly kind: "again" };

/** A claim of ours. `relayer`: the key that came with it; the others wait in the line. */
type Entered = {
  readonly kind: "queued";
  readonly settlement: Queued;
  readonly relayer: FreeRelayer | undefined;
};

/** What is as it is for one try. */
type Try = {
  readonly order: Order;
  /** The claim on record when the order was judged, or our own that came to nothing since. */
  readonly judged: string | undefined;
  /** Keys without gas. */
  readonly withoutGas: Set<Address>;
  /** Whether it has to go alone: the code of a wallet decides on the chain what it burns, and what a batch has failed fails no other. */
  readonly alone: boolean;
};

/** How a try ended. `no_gas`: its key had none, and nothing was sent. */
type Tried = SettleOutcome | { readonly kind: "no_gas" };

/**
 * The machine of design §4 from claim to finish: claim, with a key where one is free and else with a place in the line;
 * sign, store, broadcast, finish. Throws `upstream` `payments_unavailable` when no key with gas comes free, with nothing
 * broadcast, and for a wallet with code what `admit` throws.
 */
export async function settle(ports: PaymentPorts, state: State, order: Order): Promise<SettleOutcome> {
  const judged = state.legs[order.leg]?.claim;
  let attempt: Try = { order, judged, withoutGas: new Set(), alone: order.gas !== undefined };
  let newest = state;
  // It ends: keys without gas are not tried again, and what goes alone depends on nobody else's payment.
  for (;;) {
    const entered = await enter(ports, newest, attempt);
    if (entered.kind !== "queued") return entered;
    const ending = await sendOrWait(ports, entered, attempt);
    if (ending.kind === "failed" && ending.unlucky) attempt = { ...attempt, alone: true };
    else if (ending.kind !== "no_gas") return ending;
    attempt = { ...attempt, judged: entered.settlement.claim };
    newest = await readState(ports, state.key);
  }
}

function sendOrWait(ports: PaymentPorts, { settlement, relayer }: Entered, attempt: Try): Promise<Tried> {
  if (attempt.order.proofs.length > 0) return credit(ports, settlement, attempt.order);
  if (settlement.pending === "waiting") return waitForTurn(ports, settlement, attempt);
  if (relayer === undefined) throw new TypeError("A claim without a key is being sent");
  const crowded = !attempt.alone && relayer.crowdUntil > ports.clock.now();
  return crowded ? lead(ports, settlement, relayer, attempt) : goAlone(ports, settlement, relayer, attempt);
}

/** Milliseconds between looks of one who waits for a relayer: about five seconds in all. */
const pauses = [100, 200, 400, 800, 1_600, 2_000] as const;

/** Claims the settlement: with a key, or in the line, or, where it has to go alone and all keys are held, after a while. */
async function enter(
  ports: PaymentPorts,
  first: State,
  attempt: Try,
): Promise<Entered | Exclude<SettleOutcome, Ending>> {
  const outcome = await tryToEnter(ports, first, attempt);
  if (outcome !== undefined) return outcome;
  for (const pause of pauses) {
    await pauseAbout(ports, pause);
    const state = await readState(ports, first.key);
    await requireRoomFor(ports, attempt.order);
    const later = await tryToEnter(ports, state, attempt);
    if (later !== undefined) return later;
  }
  throw allHeld(ports);
}

function allHeld({ meter, ids }: PaymentPorts): AppError {
  meter.count({ name: "RelayersBusy" });
  // A crowd that was sent away should not come back all at once.
  return busy(new Error("All relayers are held"), 2 + ids.pick(5));
}

/** One try; `undefined` when it has to go alone and no key is to be had. */
async function tryToEnter(
  ports: PaymentPorts,
  state: State,
  attempt: Try,
): Promise<Entered | Exclude<SettleOutcome, Ending> | undefined> {
  const { order, judged, alone } = attempt;
  const last = state.legs[order.leg];
  // Another request of this payer came first. Two living permits for one leg could both be charged (invariant 1).
  if (last?.claim !== judged) return { kind: "again" };
  if (order.live.length > mostEarlier) {
    throw busy(new Error("Too many payments of this wallet for one leg are under way"), 30);
  }
  // Behind those who wait already: whoever looks for a key for them takes this one along.
  const queue = !alone && isLineWaiting(ports);
  const relayer = queue ? undefined : await freeKeyWithGas(ports, state.relayers, attempt);
  const place = placeOf(order, relayer, alone);
  if (place === undefined) return undefined;
  const first = await claimAt(ports, state, order, place);
  const line = first.kind === "relayer_taken" ? placeOf(order, undefined, alone) : undefined;
  const outcome = line === undefined ? first : await claimAt(ports, state, order, line);
  switch (outcome.kind) {
    case "queued":
      return { ...outcome, relayer: line === undefined ? relayer : undefined };
    case "relayer_taken":
      return undefined;
    case "contended":
      return { kind: "again" };
    case "gas_refused":
      await requireRoomFor(ports, order);
      throw othersCameFirst();
    case "price_refused":
      throw priceBelowGas(ports.clock.now());
    case "permit_bound":
      return outcome;
  }
}

function placeOf(
  { proofs, found }: Order,
  relayer: FreeRelayer | undefined,
  alone: boolean,
): Place | undefined {
  if (proofs.length > 0) return { kind: "record" };
  if (relayer !== undefined) return { kind: "key", relayer, mayWait: !alone };
  return alone ? undefined : { kind: "line", gasEstimate: gasOf(found) };
}

/** What a leg may cost at most, in USDG base units. */
function mostOf(found: Inspection): number {
  return costOf(gasLimit(gasOf(found)), found);
}

/** Gas units that it was estimated to take. */
function gasOf({ simulation }: Inspection): bigint {
  if (simulation.kind !== "ok") throw new TypeError("A payment that reverts is being sent");
  return simulation.gas;
}

function claimAt(ports: PaymentPorts, { agent, legs }: State, order: Order, place: Place): Promise<Claim> {
  const { leg, payment, identifier, ticket, gas, live, found, carry } = order;
  const { authorization, signature } = payment;
  const price = standingPrice(agent.priceUnits, leg === "fee" ? undefined : legs.fee);
  const priced = { ...agent, priceUnits: String(price) };
  const about = { agent: priced, leg, authorization, signature, identifier, ticket, gas, carry, place };
  return claim(ports, { ...about, last: legs[leg], earlier: live, block: found.block });
}

/** Signatures for one leg that were presented, came to nothing and may still be charged: a record has room for few. */
const mostEarlier = 8;

/** A free key that is not known to lack gas; where all are held, one that was left behind is cleared meanwhile. */
async function freeKeyWithGas(
  ports: PaymentPorts,
  items: State["relayers"],
  { withoutGas, order: { found } }: Try,
): Promise<FreeRelayer | undefined> {
  const addresses = (await ports.relayers.addresses()).filter((address) => !withoutGas.has(address));
  if (addresses.length === 0) throw busy(new Error("No relayer has gas left"), 30);
  const preferred = found.relayer.address;
  return freeRelayer(ports, items, { addresses, preferred, clear: (id) => clearLapsed(ports, id) });
}

/** Asks the gas budgets again on behalf of a payment that has waited for a relayer. */
async function requireRoomFor(ports: PaymentPorts, { payment, leg, gas: hold, found }: Order): Promise<void> {
  if (hold === undefined) return;
  const wallet = payment.authorization.from;
  const most = mostOf(found);
  await requireRoom(ports, { wallet, hold, most, hasPaid: () => hasPaid(ports, { wallet, leg }) });
}

/** Somebody else has settled the authorization: the claim ends in the transfer that did (invariant 1). */
async function credit(
  ports: PaymentPorts,
  settlement: Queued,
  { payment, proofs, answer }: Order,
): Promise<SettleOutcome> {
  const credited = await recordFirst(ports, settlement, proofs, { answer });
  if (credited !== undefined) {
    return { kind: "settled", settlement: credited, answered: answer !== undefined };
  }
  await fail(ports, settlement, { code: methodOf(payment.authorization).codes.nonce, over: true });
  return { kind: "permit_bound" };
}

/** Sends a claim with a key in a transaction of its own. Whatever goes wrong before it is stored gives the claim back. */
async function goAlone(
  ports: PaymentPorts,
  settlement: Queued,
  relayer: FreeRelayer,
  attempt: Try,
): Promise<Tried> {
  const signed = await signAlone(ports, settlement, relayer, attempt.order).catch(async (cause: unknown) => {
    await giveUp(ports, settlement);
    throw busy(cause);
  });
  if (signed === "no_gas") return withoutGas(ports, settlement, relayer, attempt);
  const about = { id: settlement.claim, relayer: relayer.address, legs: [keyOf(settlement)] };
  const transaction = storedTransaction(ports, about, signed);
  const stored = await submit(ports, transaction, [settlement]);
  const [own] = stored.kind === "stored" ? stored.legs : [];
  if (own === undefined) {
    await giveUp(ports, settlement);
    throw busy(new Error("The claim has lapsed, or others keep changing what is to be sent"));
  }
  const ending = await send(ports, transaction, own, attempt.order.answer);
  announceEnd(ports, []);
  return ending;
}

async function signAlone(
  ports: PaymentPorts,
  settlement: Queued,
  relayer: FreeRelayer,
  { payment, found, gas: hold }: Order,
) {
  const { gasPrice, block } = found;
  const gas = gasOf(found);
  const { address, nonce, balance } = await relayerNow(ports, relayer, found.relayer);
  if (balance < feeCap({ gas, gasPrice, maxPrice: gasLimitsOf(ports.settings).maxPrice })) return "no_gas";
  const call = callOf(payment, settlement);
  // A contract may know its sender, too.
  const foreign = hold !== undefined && address !== found.relayer.address;
  const revert = foreign
    ? await rehearse(ports, call, { relayer: address, gas, gasPrice, block })
    : undefined;
  if (revert !== undefined) throw new Error(`Refused from another relayer: ${revert.data}`);
  return signAs(ports, address, { ...call, nonce: nonceOf(relayer, nonce), gas, gasPrice });
}

/** The call that settles what was signed, with the press and the leg that it pays for. */
function callOf(
  { authorization, signature }: Pick<Payment, "authorization" | "signature">,
  purpose: PaidFor,
): Call {
  return withPurpose(methodOf(authorization).call(authorization, signature), purpose);
}

function keyOf({ wallet, pressId, leg }: SettlementItem) {
  return { wallet, pressId, leg };
}

async function giveUp(ports: PaymentPorts, settlement: Queued): Promise<void> {
  await fail(ports, settlement, { code: "released", over: false });
}

async function withoutGas(
  ports: PaymentPorts,
  settlement: Queued,
  { address }: FreeRelayer,
  attempt: Try,
): Promise<Tried> {
  await giveUp(ports, settlement);
  attempt.withoutGas.add(address);
  return { kind: "no_gas" };
}

/**
 * Broadcasts a stored transaction, and ends the request's own leg by its receipt. Those of this process whom it carries too hear
 * how it has landed as soon as its key is free.
 */
async function send(
  ports: PaymentPorts,
  stored: TransactionItem,
  own: Submitted,
  answer: Answering | undefined,
  others: ReadonlySet<string> = new Set(),
): Promise<Ending> {
  const { receipt, transaction } = await broadcast(ports, stored);
  if (receipt === undefined) return pendingAs(own);
  const ending = await unlessUnknown(own, async () => {
    if (receipt === "rejected") return leftOut(ports, own, transaction);
    const shared = transaction.legs.length > 1;
    const news = {
      transaction: shared ? await endShared(ports, transaction, receipt) : transaction,
      receipt,
    };
    if (shared) announceEnd(ports, others, news);
    return conclude(ports, own, receipt, { transaction: news.transaction, answer });
  });
  const refused = receipt === "rejected" && ending.kind === "failed" && !ending.unlucky;
  if (refused) throw busy(new Error("The sequencer has rejected the transaction"), 30);
  return ending;
}

const pendingAs = ({ txHash }: Submitted) => ({ kind: "pending", txHash }) as const;

/** After a broadcast a node's trouble only means that the outcome is not known yet (invariant 2). */
async function unlessUnknown(own: Submitted, end: () => Promise<Ending>): Promise<Ending> {
  try {
    return await end();
  } catch (error) {
    if (error instanceof AppError && error.kind === "upstream") return pendingAs(own);
    throw error;
  }
}

/**
 * Waits until somebody takes the leg into a transaction, or until a key is free: then this request takes it, and whoever
 * else waits along (group commit).
 */
async function waitForTurn(ports: PaymentPorts, settlement: Waiting, attempt: Try): Promise<Tried> {
  const { answer } = attempt.order;
  const look = async (): Promise<Turn<Tried>> => {
    const { item, relayers } = await readTurn(ports, settlement);
    if (item?.claim !== settlement.claim || item.state !== "queued") {
      return { kind: "taken", follow: () => follow(ports, settlement, item, attempt.order) };
    }
    const takeKeyOf = async () => {
      const relayer = await freeKeyWithGas(ports, relayers, attempt);
      const led = relayer === undefined ? undefined : await takeKey(ports, settlement, relayer);
      return relayer === undefined || led === undefined
        ? undefined
        : () => lead(ports, led, relayer, attempt);
    };
    return { kind: "waits", takeKey: takeKeyOf };
  };
  const ended = await waitInLine(ports, settlement.claim, look, (news) => {
    const { transaction } = news;
    const about = {
      transaction: transaction.id,
      txHash: currentHash(transaction),
      changedAt: settlement.changedAt,
    };
    return endBy(ports, submittedIn(settlement, about), news, answer);
  });
  if (ended !== undefined) return ended;
  if ((await fail(ports, settlement, { code: "released", over: false })) !== undefined) throw allHeld(ports);
  const { item } = await readTurn(ports, settlement);
  return follow(ports, settlement, item, attempt.order);
}

/** What others have made of a leg that waited. */
async function follow(
  ports: PaymentPorts,
  { claim: own }: Queued,
  item: Settlement | undefined,
  { answer }: Order,
): Promise<SettleOutcome> {
  if (item === undefined || item.claim !== own) return { kind: "again" };
  if (item.state === "settled") return { kind: "settled", settlement: item, answered: false };
  return isSubmitted(item) ? followSubmitted(ports, item, answer) : { kind: "again" };
}

/** Milliseconds between looks at a transaction that somebody else has sent, unless woken, and how many looks one spends. */
const followPause = 300;
const followLooks = 25;

/** Learns from the table that the leg's transaction has ended, and ends the leg itself. */
async function followSubmitted(
  ports: PaymentPorts,
  item: Submitted,
  answer: Answering | undefined,
): Promise<Ending> {
  for (let look = 1; ; look += 1) {
    const late = look >= followLooks;
    const transaction = await readTransaction(ports, item.transaction);
    if (late || transaction?.state !== "stored") {
      try {
        const ending = await resolve(ports, item, answer);
        if (late || ending.kind !== "pending") return ending;
      } catch (error) {
        if (!(error instanceof AppError && error.kind === "upstream")) throw error;
        if (late) return { kind: "pending", txHash: item.txHash };
      }
    }
    const news = await untilEnded(ports, item.claim, followPause / 2 + ports.ids.pick(followPause));
    if (news !== undefined) return endBy(ports, item, news, answer);
  }
}

/** Ends a leg by what the request says that has sent its transaction. */
function endBy(
  ports: PaymentPorts,
  item: Submitted,
  { transaction, receipt }: Landing,
  answer: Answering | undefined,
): Promise<Ending> {
  return unlessUnknown(item, () => conclude(ports, item, receipt, { transaction, answer }));
}

/** Times that a transaction is signed anew because legs have gone elsewhere meanwhile. The last carries its own leg only. */
const signings = 3;

/**
 * Sends a claim with a key, and as many as fit of the plain accounts' legs that wait (design §4). What would fail, and
 * what has gained code since it was judged (EIP-7702), is given back to its own request.
 */
async function lead(ports: PaymentPorts, own: Claimed, relayer: FreeRelayer, attempt: Try): Promise<Tried> {
  const { order } = attempt;
  const elsewhere = new Set<string>();
  for (let signing = 1; signing <= signings; signing += 1) {
    const waiting = signing === signings ? [] : await waitingBeside(ports, own, elsewhere);
    const loaded = await whileLoading(
      ports,
      waiting,
      (free) => windowOf(ports, free),
      (taken) => loadAndStore(ports, own, relayer, order, taken),
    );
    switch (loaded.kind) {
      case "no_gas":
        return withoutGas(ports, own, relayer, attempt);
      case "unfit":
        await giveUp(ports, own);
        return { kind: "again" };
      case "lapsed":
        throw busy(new Error("The claim has lapsed before anything was sent"));
      case "refused":
        for (const claim of loaded.elsewhere) elsewhere.add(claim);
        continue;
      case "stored": {
        passScout(ports, own.claim, loaded.taken);
        const ending = await send(ports, loaded.transaction, loaded.own, order.answer, loaded.taken);
        announceEnd(ports, loaded.taken);
        return ending;
      }
    }
  }
  await giveUp(ports, own);
  throw busy(new Error("Others keep changing what is to be sent"));
}

/** How a transaction was loaded, signed and stored. */
type Loaded =
  | {
      readonly kind: "stored";
      readonly transaction: TransactionItem;
      readonly own: Submitted;
      readonly taken: ReadonlySet<string>;
    }
  /** Some of the legs were taken by others meanwhile. Nothing is stored. */
  | { readonly kind: "refused"; readonly elsewhere: readonly string[] }
  /** The key has gas for nothing, the chain would not let the own leg through, or its claim has lapsed. */
  | { readonly kind: "no_gas" | "unfit" | "lapsed" };

async function loadAndStore(
  ports: PaymentPorts,
  own: Claimed,
  relayer: FreeRelayer,
  order: Order,
  waiting: readonly WaitingKey[],
): Promise<Loaded> {
  const signed = await loadAndSign(
    ports,
    relayer,
    [own, ...(await stillWaiting(ports, waiting))],
    order,
  ).catch(async (cause: unknown) => {
    await giveUp(ports, own);
    throw busy(cause);
  });
  if (signed === "no_gas" || signed === "unfit") return { kind: signed };
  const { transaction, legs } = signed;
  const stored = await submit(ports, transaction, legs);
  if (stored.kind === "refused") {
    if (stored.key || stored.legs.has(own)) return { kind: "lapsed" };
    return { kind: "refused", elsewhere: [...stored.legs].map(({ claim }) => claim) };
  }
  const first = stored.legs.find(({ claim }) => claim === own.claim);
  if (first === undefined) throw new TypeError("A transaction without legs was stored");
  return { kind: "stored", transaction, own: first, taken: new Set(legs.map(({ claim }) => claim)) };
}

function isPermit({ leg }: { readonly leg: Queued }): boolean {
  return leg.signed.method === "permit2";
}

type Signing = { readonly transaction: TransactionItem; readonly legs: readonly Queued[] };

/** Signs for these legs, the first of which leads. `unfit`: the chain would not let that through any more. */
async function loadAndSign(
  ports: PaymentPorts,
  relayer: FreeRelayer,
  legs: readonly Queued[],
  order: Order,
): Promise<"no_gas" | "unfit" | Signing> {
  const [own] = legs;
  const loads = legs.map((leg) => ({
    leg,
    call: callOfLeg(leg),
    gas: estimateOf(leg, order),
    payer: methodOf(authorizationOf(leg)).asksCode(leg.gas === undefined) ? leg.wallet : undefined,
  }));
  const { fit, unfit, gasPrice, nonce } = await fill(ports, relayer, loads);
  refuseDearGas(ports, gasPrice);
  for (const { leg } of unfit) if (leg !== own) await giveUp(ports, leg);
  if (own === undefined || unfit.some(({ leg }) => leg === own)) return "unfit";
  if (fit[0]?.leg !== own) return "no_gas";
  // What runs no code of its payer comes first: nobody behind it can burn its gas.
  const inOrder = fit.toSorted((one, other) => Number(isPermit(one)) - Number(isPermit(other)));
  const call = callOfAll(inOrder.map((load) => load.call));
  const gas = fit.reduce((sum, load) => sum + load.gas, 0n);
  const signed = await signAs(ports, relayer.address, { ...call, nonce, gas, gasPrice });
  const about = { id: own.claim, relayer: relayer.address, legs: inOrder.map(({ leg }) => keyOf(leg)) };
  return { transaction: storedTransaction(ports, about, signed), legs: inOrder.map(({ leg }) => leg) };
}

/** Gas units that settling a leg takes: one that waits says so, and the one that leads was just estimated. */
function estimateOf({ gasEstimate }: Queued, { found }: Order): bigint {
  return gasEstimate === undefined ? gasOf(found) : BigInt(gasEstimate);
}

function callOfLeg(leg: Queued): Call {
  return callOf({ authorization: authorizationOf(leg), signature: signatureIn(leg.signed) }, leg);
}

/** Gas has a ceiling: what is above it is not sent, whoever pays (invariant 8). */
export function refuseDearGas({ settings }: Pick<PaymentPorts, "settings">, gasPrice: bigint): void {
  const { maxPrice } = gasLimitsOf(settings);
  if (gasPrice > maxPrice) throw busy(new Error(`Gas costs ${gasPrice} wei, more than ${maxPrice}`), 30);
}

/** A leg that waits, as the index shows it. */
type WaitingKey = Pick<SettlementItem, "wallet" | "pressId" | "leg" | "claim">;

/** Legs that wait which one leader looks at, in transactions' worth. */
const mostLooked = 4 * mostInBatch;

/**
 * The legs that wait, the oldest first: one of each wallet, so that a transfer in the transaction's logs can only be of one leg
 * (invariant 9). `elsewhere`: those that others have taken.
 */
async function waitingBeside(
  ports: PaymentPorts,
  own: Claimed,
  elsewhere: ReadonlySet<string>,
): Promise<readonly WaitingKey[]> {
  const permitsShare = await mayShare(ports);
  const shares = ({ signed }: Pick<SettlementItem, "signed">) => permitsShare || signed.method !== "permit2";
  if (!shares(own)) return [];
  const { data } = await ports.table.entities.settlement.query
    .inFlight({ pending: "waiting" })
    .go({ limit: mostLooked, order: "asc", attributes: ["wallet", "pressId", "leg", "claim", "signed"] });
  const wallets = new Set([own.wallet]);
  return data
    .filter(shares)
    .filter(({ wallet, claim }) => !elsewhere.has(claim) && !wallets.has(wallet) && wallets.add(wallet));
}

function isWaiting(item: Settlement): item is Waiting {
  return item.state === "queued" && item.pending === "waiting";
}

/** A transaction's worth of them. Leaders of other processes see the same ones, and should not all take the oldest. */
function windowOf({ ids }: PaymentPorts, waiting: readonly WaitingKey[]): readonly WaitingKey[] {
  const room = mostInBatch - 1;
  const windows = Math.ceil(waiting.length / room);
  const start = windows > 1 ? room * ids.pick(windows) : 0;
  return waiting.slice(start, start + room);
}

/** Those that still wait. The index lags behind the table: what counts is read from the table itself. */
async function stillWaiting(
  ports: PaymentPorts,
  waiting: readonly WaitingKey[],
): Promise<readonly Waiting[]> {
  const legs = await readLegs(ports, waiting);
  const now = ports.clock.now();
  return legs.filter(isWaiting).filter(({ claimUntil }) => claimUntil >= now);
}

/** Whether a payment may go on the chain at our cost, and who pays for its gas. */
export type Admission =
  | { readonly kind: "admitted"; readonly hold: GasHold | undefined; readonly carry: Carry | undefined }
  /** It would fail there. */
  | { readonly kind: "refused"; readonly reason: Reason };

/**
 * Rehearses the payment of a wallet with code, and asks the budgets for room, for a fee's leg for both. Throws `limit` `wallet_gas_limit` and
 * `upstream` `payments_unavailable` as `requireRoom` does.
 */
export async function admit(
  ports: PaymentPorts,
  purpose: PaidFor,
  payment: Payment,
  found: Inspection,
  carry: Carry | undefined,
): Promise<Admission> {
  const { gasPrice, block, code, relayer } = found;
  const { from: wallet } = payment.authorization;
  const contract = { wallet, code, call: callOf(payment, purpose) };
  const { revert, subjects } = await rehearseAndTrace(ports, contract, {
    relayer,
    gas: gasOf(found),
    gasPrice,
    block,
  });
  if (revert !== undefined)
    return { kind: "refused", reason: refusalFor(methodOf(payment.authorization), revert) };
  const most = mostOf(found);
  const today = dayOf(ports.clock.now()).name;
  const kept = carry?.kept ?? 0;
  // A fee that fails costs its own limit, and one that is settled brings what pays for a part of the other's.
  const rest = purpose.leg === "fee" ? Math.max(0, most - (carry === undefined ? 0 : surplusOf(carry))) : 0;
  const reserved = isReserved(purpose.leg, carry);
  const hold =
    purpose.leg === "fee"
      ? { day: today, limit: most + rest, subjects }
      : {
          day: kept > 0 ? (carry?.day ?? today) : today,
          limit: Math.max(most, kept),
          ahead: kept,
          ...(reserved && { reserved }),
          subjects,
        };
  const contractPayment = { wallet, hold, most, hasPaid: () => hasPaid(ports, { wallet, leg: purpose.leg }) };
  await requireRoom(ports, contractPayment);
  return {
    kind: "admitted",
    hold,
    carry: carry === undefined || purpose.leg === "publisher" ? carry : { ...carry, kept: rest },
  };
}

/**
 * Whether the fee has reserved the gas of a leg, and the leg has not burned that. A fee that a repair has found on the chain names
 * no reserve, and counts as one that has.
 */
export function isReserved(leg: Leg, carry: Carry | undefined): boolean {
  return leg === "publisher" && carry?.burned !== true;
}

function refusalFor(method: Method, { data }: Revert): Reason {
  const name = method.revertName(data);
  // It was unspent a moment ago: another request, or somebody else, has settled it since. The next look will tell.
  if (name === method.spentRevert) throw busy(new Error("The permit was spent since it was looked at"));
  if (name !== undefined) return reasonFor(method, name);
  return {
    code: method.codes.simulation,
    error:
      "The payment would fail on the chain, where the wallet's contract or the token refuses it. Nothing was charged.",
  };
}
