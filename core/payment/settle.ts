import { answered, Bytes, Quantity, result } from "../chain/call.ts";
import type { Address } from "../chain/hex.ts";
import { withPurpose } from "../chain/order.ts";
import { AppError } from "../error.ts";
import type { RelayerItem, TransactionItem } from "../relayer/entity.ts";
import {
  batchOf,
  broadcast,
  endTransaction,
  type FreeRelayer,
  feeCap,
  free,
  gasLimitsOf,
  lapsed,
  lineOf,
  mostInBatch,
  readTransaction,
  signAs,
  storedTransaction,
  succeededIn,
  untilWoken,
  wakeAll,
  wakeNext,
} from "../relayer/index.ts";
import type { Answering } from "./answer.ts";
import type { Proof } from "./authorization.ts";
import type { SettlementItem } from "./entity.ts";
import { type GasHold, mayShare, othersCameFirst, requireRoom } from "./gas-budget.ts";
import type { Payment } from "./header.ts";
import { type Inspection, type Relayer, relayerCalls, relayerIn } from "./inspect.ts";
import { type Asked, type Known, known } from "./known.ts";
import { methodOf } from "./method.ts";
import type { PaymentPorts } from "./ports.ts";
import { rehearse } from "./rehearse.ts";
import { clearLapsed, conclude, type Ending, recordFirst, resolve } from "./resolve.ts";
import {
  type Claim,
  claim,
  fail,
  isSubmitted,
  type Place,
  type Submitted,
  submit,
  takeKey,
} from "./settlement.ts";
import { allSigned, authorizationOf, isSameNonce, type SignedItem, signatureIn } from "./standing.ts";
import { busy, readLegs, readState, readTurn, type State, sentInVain } from "./state.ts";

export type Order = {
  readonly asked: Asked;
  readonly payment: Payment;
  readonly found: Inspection;
  /** Transfers by which somebody else has settled this very authorization. */
  readonly proofs: readonly Proof[];
  /** What the payer signed for the leg before and others may still charge. */
  readonly live: readonly SignedItem[];
  /** What this request answers with the text, where it is owed that. */
  readonly answer: Answering | undefined;
  /** What is kept for a wallet with code, whose payment the relayer in `found` has rehearsed. */
  readonly gas: GasHold | undefined;
};

/** How a request's own settlement went. */
export type Settled =
  | Ending
  | Extract<Known, { kind: "paid" }>
  | Extract<Claim, { kind: "permit_bound" }>
  /** Nothing was sent for it, and what it was judged by may have changed: it has to be judged anew. */
  | { readonly kind: "again" };

/** A claim of ours. `relayer`: the key that came with it; the others wait in the line. */
type Entered = {
  readonly kind: "queued";
  readonly settlement: SettlementItem;
  readonly relayer: FreeRelayer | undefined;
};

/** What is as it is for one try. */
type Try = {
  readonly order: Order;
  /** The claim on record when the order was judged. */
  readonly judged: string | undefined;
  /** Keys without gas. */
  readonly withoutGas: Set<Address>;
  /** Whether it has to go alone: the code of a wallet decides on the chain what it burns, and what a batch has failed fails no other. */
  readonly alone: boolean;
};

/** Times that other requests of the same payer may claim first, and fail, before this one gives up. */
const rounds = 6;

/**
 * The machine of design §4 from claim to finish: claim, with a key where one is free and else with a place in the line;
 * sign, store, broadcast, finish. Throws `upstream` `payments_unavailable` when no key with gas comes free, with nothing
 * broadcast, and for a wallet with code what `admit` throws.
 */
export async function settle(ports: PaymentPorts, state: State, order: Order): Promise<Settled> {
  const judged = state.legs[order.asked.leg]?.claim;
  let attempt: Try = { order, judged, withoutGas: new Set(), alone: order.gas !== undefined };
  let newest = state;
  // It ends: keys without gas are not tried again, and what goes alone depends on nobody else's payment.
  for (;;) {
    const entered = await enter(ports, newest, attempt);
    if (entered.kind !== "queued") return entered;
    const ending = await sendOrWait(ports, entered, attempt);
    if (ending.kind === "failed" && ending.unlucky) attempt = { ...attempt, alone: true };
    else if (ending.kind !== "no_gas") return ending;
    newest = await readState(ports, state.key);
  }
}

function sendOrWait(ports: PaymentPorts, { settlement, relayer }: Entered, attempt: Try) {
  if (attempt.order.proofs.length > 0) return credit(ports, settlement, attempt.order);
  if (relayer === undefined) return waitForTurn(ports, settlement, attempt);
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
): Promise<Entered | Exclude<Settled, Ending>> {
  let state = first;
  let late = false;
  for (let round = 0; round < rounds; round += 1) {
    let outcome = await tryToEnter(ports, { state, late }, attempt);
    for (const pause of pauses) {
      if (outcome !== undefined) break;
      await pauseAbout(ports, pause);
      state = await readState(ports, state.key);
      outcome = await tryToEnter(ports, { state, late: true }, attempt);
    }
    if (outcome === undefined) throw allHeld(ports);
    if (outcome.kind !== "contended") return outcome;
    const newest = await known(ports, await readState(ports, state.key), attempt.order.asked);
    if (newest.kind === "paid") return newest;
    state = newest.state;
    late = true;
  }
  throw busy(new Error("Other requests of this payer keep coming first"));
}

/** Half to one and a half of it: others wait, too, and should not look all at once. */
function pauseAbout({ clock, ids }: PaymentPorts, milliseconds: number): Promise<void> {
  return clock.sleep(Math.ceil(milliseconds / 2) + ids.pick(milliseconds));
}

function allHeld({ meter, ids }: PaymentPorts): AppError {
  meter.count({ name: "RelayersBusy" });
  // A crowd that was sent away should not come back all at once.
  return busy(new Error("All relayers are held"), 2 + ids.pick(5));
}

/** What is known when a claim is tried. `late`: others came first since the order was judged. */
type Look = { readonly state: State; readonly late: boolean };

/** One try; `undefined` when it has to go alone and no key is to be had. */
async function tryToEnter(
  ports: PaymentPorts,
  { state, late }: Look,
  { order, judged, withoutGas, alone }: Try,
): Promise<Entered | Extract<Claim, { kind: "contended" | "permit_bound" }> | undefined> {
  const { asked, payment, found, gas } = order;
  const now = ports.clock.now();
  const last = state.legs[asked.leg];
  if (last !== undefined && last.claim !== judged && claimable(last, now) && isAnother(last, payment)) {
    // Two living permits for one leg could both be charged (invariant 1): the order has to be judged anew.
    throw busy(new Error("A permit for this leg was broadcast since this one was judged"));
  }
  const seen = last === undefined || last.claim === judged;
  const earlier = seen ? order.live : allSigned(last);
  if (earlier.length > mostEarlier) {
    throw busy(new Error("Too many payments of this wallet for one leg are under way"), 30);
  }
  // Behind those who wait already: whoever looks for a key for them takes this one along.
  const queue = !alone && lineOf(ports.relayers).waiting.size > 0;
  const relayer = queue
    ? undefined
    : await freeRelayer(ports, state.relayers, withoutGas, found.relayer.address);
  const place = placeOf(order, relayer, alone);
  if (place === undefined) return undefined;
  const room = async () =>
    gas === undefined
      ? undefined
      : requireRoom(ports, { wallet: payment.authorization.from, leg: asked.leg, hold: gas });
  if (late) await room();
  const { authorization, signature } = payment;
  const claimAt = (at: Place) =>
    claim(ports, {
      agent: state.agent,
      leg: asked.leg,
      authorization,
      signature,
      identifier: asked.identifier,
      ticket: asked.ticket,
      place: at,
      gas,
      last,
      earlier,
      block: found.block,
    });
  const first = await claimAt(place);
  const line = first.kind === "relayer_taken" ? placeOf(order, undefined, alone) : undefined;
  const outcome = line === undefined ? first : await claimAt(line);
  const key = line === undefined && place.kind === "key" ? place.relayer : undefined;
  switch (outcome.kind) {
    case "queued":
      return { ...outcome, relayer: key };
    case "relayer_taken":
      return undefined;
    case "gas_refused":
      await room();
      throw othersCameFirst();
    default:
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
  if (alone) return undefined;
  if (found.simulation.kind !== "ok") throw new TypeError("A payment that reverts reached the line");
  return { kind: "line", gasEstimate: found.simulation.gas };
}

/** Signatures for one leg that were presented, came to nothing and may still be charged: a record has room for few. */
const mostEarlier = 8;

function claimable({ state, claimUntil }: SettlementItem, now: number): boolean {
  return state === "failed" || (state === "queued" && claimUntil < now);
}

function isAnother(last: SettlementItem, { authorization }: Payment): boolean {
  return sentInVain(last) && !isSameNonce(last.signed, authorization);
}

/** A relayer to ask the chain about, `undefined` when all are held. Any will do, as long as requests differ. */
export function pick(
  { ids }: Pick<PaymentPorts, "ids">,
  choices: readonly FreeRelayer[],
): FreeRelayer | undefined {
  return choices.length === 0 ? undefined : choices[ids.pick(choices.length)];
}

/** A free key with gas, `preferred` if it is one; where all are held, one that was left behind is cleared meanwhile. */
async function freeRelayer(
  ports: PaymentPorts,
  items: readonly RelayerItem[],
  withoutGas: ReadonlySet<Address>,
  preferred: Address | undefined,
): Promise<FreeRelayer | undefined> {
  const now = ports.clock.now();
  const addresses = (await ports.relayers.addresses()).filter((address) => !withoutGas.has(address));
  if (addresses.length === 0) throw busy(new Error("No relayer has gas left"), 30);
  const choices = free(addresses, items, now);
  const choice = choices.find(({ address }) => address === preferred) ?? pick(ports, choices);
  if (choice !== undefined) return choice;
  const left = lapsed(items, now);
  const stale = left.length === 0 ? undefined : left[ports.ids.pick(left.length)];
  if (stale !== undefined) await clearLapsed(ports, stale);
  return undefined;
}

/** Somebody else has settled the authorization: the claim ends in the transfer that did (invariant 1). */
async function credit(
  ports: PaymentPorts,
  settlement: SettlementItem,
  { payment, proofs, answer }: Order,
): Promise<Settled> {
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
  settlement: SettlementItem,
  relayer: FreeRelayer,
  { order, withoutGas }: Try,
): Promise<Settled | { readonly kind: "no_gas" }> {
  const { payment, found, gas: hold } = order;
  const sign = async () => {
    if (found.simulation.kind !== "ok") throw new TypeError("A payment that reverts reached signing");
    const { gas } = found.simulation;
    const { gasPrice, block } = found;
    const { address, nonce, balance } = await relayerNow(ports, relayer, found.relayer);
    if (balance < feeCap({ gas, gasPrice, maxPrice: gasLimitsOf(ports.settings).maxPrice })) return "no_gas";
    // A contract may know its sender, too.
    const foreign = hold !== undefined && address !== found.relayer.address;
    const refusal = foreign
      ? await rehearse(ports, payment, { relayer: address, gas, gasPrice, block })
      : undefined;
    if (refusal !== undefined) throw new Error(`Refused from another relayer: ${refusal.error}`);
    const call = callOf(settlement);
    return signAs(ports, address, { ...call, nonce: nonceOf(relayer, nonce), gas, gasPrice });
  };
  const signed = await sign().catch(async (cause: unknown) => {
    await giveUp(ports, settlement);
    throw busy(cause);
  });
  if (signed === "no_gas") {
    await giveUp(ports, settlement);
    withoutGas.add(relayer.address);
    return { kind: "no_gas" };
  }
  const about = { id: settlement.claim, relayer: relayer.address, legs: [keyOf(settlement)] };
  const transaction = storedTransaction(ports, about, signed);
  const stored = await submit(ports, transaction, [settlement]);
  const [own] = stored.kind === "stored" ? stored.legs : [];
  if (own === undefined) throw busy(new Error("The claim has lapsed before anything was sent"));
  return send(ports, transaction, own, order.answer);
}

function keyOf({ wallet, pressId, leg }: SettlementItem) {
  return { wallet, pressId, leg };
}

/** A node may lag behind what we know, and we may not know of what was sent elsewhere: the higher one is right. */
function nonceOf({ nextNonce }: FreeRelayer, nonce: number): number {
  return Math.max(nextNonce, nonce);
}

async function giveUp(ports: PaymentPorts, settlement: SettlementItem): Promise<void> {
  await fail(ports, settlement, { code: "released", over: false });
}

/** A leased relayer as the chain knows it: from what was asked already, or asked now. */
async function relayerNow(
  { chain }: PaymentPorts,
  { address }: FreeRelayer,
  asked: Relayer,
): Promise<Relayer> {
  return asked.address === address ? asked : relayerIn(address, await chain.batch(relayerCalls(address)));
}

/** Broadcasts a stored transaction, and ends the request's own leg by its receipt. */
async function send(
  ports: PaymentPorts,
  transaction: TransactionItem,
  own: Submitted,
  answer: Answering | undefined,
): Promise<Ending> {
  const pending = { kind: "pending", txHash: own.txHash } as const;
  const receipt = await broadcast(ports, { rawTx: transaction.rawTx, txHash: own.txHash });
  if (receipt === undefined) return pending;
  try {
    if (receipt === "rejected") {
      // The chain will never take it: the key is free at once, and what was signed stays watched.
      await endTransaction(ports, transaction, undefined);
      await fail(ports, own, { code: "released", over: false });
    } else return await conclude(ports, own, receipt, { transaction, answer });
  } catch (error) {
    // After a broadcast a node's trouble only means that the outcome is not known yet (invariant 2).
    if (error instanceof AppError && error.kind === "upstream") return pending;
    throw error;
  }
  throw busy(new Error("The sequencer has rejected the transaction"), 30);
}

/** Milliseconds that one waits in the line, and between looks: of who looks for a key, and of the others unless woken. */
const longestWait = 7_000;
const scoutPause = 100;
const longestScoutPause = 600;
const sleeperPause = 1_500;

/**
 * Waits until somebody takes the leg into a transaction, or until a key is free: then this request takes it, and whoever
 * else waits along (group commit).
 */
async function waitForTurn(
  ports: PaymentPorts,
  settlement: SettlementItem,
  attempt: Try,
): Promise<Settled | { readonly kind: "no_gas" }> {
  const line = lineOf(ports.relayers);
  const { claim: own } = settlement;
  line.waiting.set(own, () => undefined);
  let pause: number = scoutPause;
  const leaveLine = () => {
    line.waiting.delete(own);
    if (line.scout === own) resign(ports);
  };
  try {
    for (let waited = 0; waited < longestWait; ) {
      line.scout ??= own;
      const scouts = line.scout === own;
      const time = scouts ? pause : sleeperPause;
      const woken = scouts ? await pauseAbout(ports, time) : await untilWoken(ports, line.waiting, own, time);
      if (woken !== true) waited += time;
      if (scouts) pause = Math.min(longestScoutPause, 2 * pause);
      const { item, relayers } = await readTurn(ports, settlement);
      if (item?.state !== "queued") leaveLine();
      const elsewhere = await followed(ports, settlement, item, attempt);
      if (elsewhere !== undefined) return elsewhere;
      if (line.scout !== undefined && line.scout !== own) continue;
      const relayer = await freeRelayer(ports, relayers, attempt.withoutGas, undefined);
      if (relayer === undefined) continue;
      const led = await takeKey(ports, settlement, relayer);
      if (led === undefined) continue;
      line.waiting.delete(own);
      return await lead(ports, led, relayer, attempt);
    }
  } finally {
    leaveLine();
  }
  if ((await fail(ports, settlement, { code: "released", over: false })) !== undefined) throw allHeld(ports);
  const { item } = await readTurn(ports, settlement);
  return (await followed(ports, settlement, item, attempt)) ?? { kind: "again" };
}

/** Leaves the looking for a key to the next who waits. `taken`: those who need none any more. */
function resign({ relayers }: PaymentPorts, taken: ReadonlySet<string> = new Set()): void {
  const line = lineOf(relayers);
  line.scout = undefined;
  wakeNext(line, taken);
}

/** What others have made of a leg that waited; `undefined` while it waits. */
async function followed(
  ports: PaymentPorts,
  settlement: SettlementItem,
  item: SettlementItem | undefined,
  { order }: Try,
): Promise<Settled | undefined> {
  if (item === undefined || item.claim !== settlement.claim) return { kind: "again" };
  if (item.state === "settled") return { kind: "settled", settlement: item, answered: false };
  if (isSubmitted(item)) return follow(ports, item, order.answer);
  return item.state === "queued" ? undefined : { kind: "again" };
}

/** Milliseconds between looks at a transaction that somebody else has sent, unless woken, and how many looks one spends. */
const followPause = 300;
const followLooks = 25;

/** Learns from the table that the leg's transaction has ended, and ends the leg itself. */
async function follow(ports: PaymentPorts, item: Submitted, answer: Answering | undefined): Promise<Ending> {
  const { following } = lineOf(ports.relayers);
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
    const pause = followPause / 2 + ports.ids.pick(followPause);
    await untilWoken(ports, following, item.claim, pause).finally(() => following.delete(item.claim));
  }
}

/** Times that a transaction is signed anew because one of its legs has gone elsewhere meanwhile. */
const signings = 3;

/**
 * Sends a claim with a key, and as many as fit of the plain accounts' legs that wait (design §4). What would fail, and
 * what has gained code since it was judged (EIP-7702), is given back to its own request.
 */
async function lead(
  ports: PaymentPorts,
  own: SettlementItem,
  relayer: FreeRelayer,
  attempt: Try,
): Promise<Settled | { readonly kind: "no_gas" }> {
  const { order, withoutGas } = attempt;
  for (let signing = 0; signing < signings; signing += 1) {
    const loaded = await loadAndSign(ports, own, relayer, order).catch(async (cause: unknown) => {
      await giveUp(ports, own);
      throw busy(cause);
    });
    if (loaded === "no_gas" || loaded === "unfit") {
      await giveUp(ports, own);
      if (loaded === "unfit") return { kind: "again" };
      withoutGas.add(relayer.address);
      return { kind: "no_gas" };
    }
    const { transaction, legs } = loaded;
    const stored = await submit(ports, transaction, legs);
    const [first] = stored.kind === "stored" ? stored.legs : [];
    if (first !== undefined) {
      const taken = new Set(legs.map(({ claim }) => claim));
      if (lineOf(ports.relayers).scout === own.claim) resign(ports, taken);
      const ending = await send(ports, transaction, first, order.answer);
      wakeAll(lineOf(ports.relayers), taken);
      return ending;
    }
    if (stored.kind === "refused" && (stored.key || stored.legs.has(own))) {
      throw busy(new Error("The claim has lapsed before anything was sent"));
    }
  }
  await giveUp(ports, own);
  throw busy(new Error("The legs that wait keep going elsewhere"));
}

/** Signs for a leg and for those that wait. `unfit`: the chain would not let the leg itself through any more. */
async function loadAndSign(
  ports: PaymentPorts,
  own: SettlementItem,
  relayer: FreeRelayer,
  order: Order,
): Promise<
  "no_gas" | "unfit" | { readonly transaction: TransactionItem; readonly legs: readonly SettlementItem[] }
> {
  const legs = [own, ...((await mayShare(ports)) ? await gather(ports, own) : [])];
  const { fit, unfit, gasPrice, nonce } = await look(ports, relayer, legs, order);
  for (const leg of unfit) if (leg !== own) await giveUp(ports, leg);
  if (unfit.includes(own)) return "unfit";
  if (!fit.includes(own)) return "no_gas";
  const calls = fit.map(callOf);
  const [only] = calls;
  const call = only !== undefined && calls.length === 1 ? only : batchOf(calls);
  const gas = fit.reduce((sum, leg) => sum + estimateOf(leg, order), 0n);
  const signed = await signAs(ports, relayer.address, { ...call, nonce, gas, gasPrice });
  const about = { id: own.claim, relayer: relayer.address, legs: fit.map(keyOf) };
  return { transaction: storedTransaction(ports, about, signed), legs: fit };
}

/** Gas units that settling a leg takes: one that waits says so, and the one that leads was just estimated. */
function estimateOf({ gasEstimate }: SettlementItem, { found }: Order): bigint {
  if (gasEstimate !== undefined) return BigInt(gasEstimate);
  return found.simulation.kind === "ok" ? found.simulation.gas : 0n;
}

function callOf(leg: SettlementItem) {
  const authorization = authorizationOf(leg);
  return withPurpose(methodOf(authorization).call(authorization, signatureIn(leg.signed)), leg);
}

/**
 * The legs that wait, the oldest first, as they are now: one of each wallet, so that a transfer in the transaction's logs
 * can only be of one leg (invariant 9).
 */
async function gather(ports: PaymentPorts, own: SettlementItem): Promise<readonly SettlementItem[]> {
  const { data } = await ports.table.entities.settlement.query
    .inFlight({ pending: "waiting" })
    .go({ limit: 2 * mostInBatch, order: "asc" });
  const wallets = new Set([own.wallet]);
  const chosen = data.filter(({ wallet }) => !wallets.has(wallet) && wallets.add(wallet));
  // The index lags behind the table: what counts is read from the table itself.
  const legs = await readLegs(ports, chosen.slice(0, mostInBatch - 1));
  const now = ports.clock.now();
  return legs.filter(({ pending, claimUntil }) => pending === "waiting" && claimUntil >= now);
}

/** Gas units that legs which share a transaction may take in all: about half of what a block has. */
const mostGas = 16_000_000n;

type Loaded = {
  readonly fit: readonly SettlementItem[];
  readonly unfit: readonly SettlementItem[];
  /** Wei a gas unit, and the key's next nonce. */
  readonly gasPrice: bigint;
  readonly nonce: number;
};

/** What the chain says of a key and of the legs that it would carry, right before they are signed for. */
async function look(
  ports: PaymentPorts,
  relayer: FreeRelayer,
  legs: readonly SettlementItem[],
  order: Order,
): Promise<Loaded> {
  const batch = batchOf(legs.map(callOf));
  const [count, balance, price, simulated, ...codes] = await ports.chain.batch([
    ...relayerCalls(relayer.address),
    { method: "eth_gasPrice", params: [] },
    { method: "eth_call", params: [{ from: relayer.address, ...batch }, "latest"] },
    ...legs.map(({ wallet }) => ({ method: "eth_getCode", params: [wallet, "latest"] })),
  ]);
  const { maxPrice } = gasLimitsOf(ports.settings);
  const gasPrice = result(price, Quantity);
  if (gasPrice > maxPrice) throw busy(new Error(`Gas costs ${gasPrice} wei, more than ${maxPrice}`), 30);
  const paid = answered(simulated).status === "ok" ? succeededIn(result(simulated, Bytes)) : [];
  const isFit = (index: number) => paid[index] === true && result(codes[index], Bytes) === "0x";
  const fit = legs.filter((_, index) => isFit(index));
  const known = relayerIn(relayer.address, [count, balance]);
  let cost = 0n;
  let gas = 0n;
  // The first leads: without gas for it there is none for anybody.
  const affordable = fit.filter((leg, index) => {
    const need = estimateOf(leg, order);
    cost += feeCap({ gas: need, gasPrice, maxPrice });
    gas += need;
    return cost <= known.balance && (index === 0 || gas <= mostGas);
  });
  return {
    fit: affordable,
    unfit: legs.filter((_, index) => !isFit(index)),
    gasPrice,
    nonce: nonceOf(relayer, known.nonce),
  };
}
