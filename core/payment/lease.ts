import type { Address } from "../chain/hex.ts";
import { type FreeRelayer, free, inLine, lapsed } from "../relayer/index.ts";
import { type Claim, claim, type NewClaim } from "./claim.ts";
import type { SettlementItem } from "./entity.ts";
import { othersCameFirst, requireRoom } from "./gas-budget.ts";
import { type Relayer, relayerCalls, relayerIn } from "./inspect.ts";
import { type Asked, type Known, known } from "./known.ts";
import type { PaymentPorts } from "./ports.ts";
import { rebroadcast } from "./rebroadcast.ts";
import { resolve } from "./resolve.ts";
import { isSent } from "./sent.ts";
import { allSigned, isSameNonce, type SignedItem } from "./standing.ts";
import { busy, readState, type State, sentInVain } from "./state.ts";

/** A claim that is ours, with the relayer that it holds. */
export type Leased = Extract<Claim, { kind: "claimed" }> & { readonly relayer: FreeRelayer };

/** What came instead: it is settled already, or the permit belongs elsewhere. */
export type NotLeased = Extract<Known, { kind: "paid" }> | Extract<Claim, { kind: "permit_bound" }>;

/** What is to be claimed, and the relayer to try first. */
export type ToLease = Omit<NewClaim, "agent" | "relayer" | "last" | "earlier"> & {
  readonly asked: Asked;
  readonly preferred: Address;
  /** The claim on record when the order was judged, and what of its payer's signatures others could charge then. */
  readonly judged: string | undefined;
  readonly live: readonly SignedItem[];
};

/** Milliseconds between looks of one who waits for a relayer: about five seconds in all. */
const pauses = [100, 200, 400, 800, 1_600, 2_000] as const;

/** Times that other requests of the same payer may come first, each of them to no end, before this one gives up. */
const rounds = 6;

/** A relayer to ask the chain about, `undefined` when all are held. Any will do, as long as requests differ. */
export function pick(
  { ids }: Pick<PaymentPorts, "ids">,
  choices: readonly FreeRelayer[],
): FreeRelayer | undefined {
  return choices.length === 0 ? undefined : choices[ids.pick(choices.length)];
}

/**
 * Claims the settlement together with a relayer, `preferred` if it is free, never one of `dry`. Waits a while when all
 * are held. Throws `upstream` `payments_unavailable` when none comes free, and for a wallet with code what `admit`
 * throws: nothing is claimed then.
 */
export async function lease(
  ports: PaymentPorts,
  first: State,
  order: ToLease,
  dry: ReadonlySet<Address>,
): Promise<Leased | NotLeased> {
  const addresses = (await ports.relayers.addresses()).filter((address) => !dry.has(address));
  if (addresses.length === 0) throw busy(new Error("No relayer has gas left"), 30);
  let state = first;
  for (let round = 0; round < rounds; round += 1) {
    const outcome = await inLine(ports, async (waited) => {
      const newest = waited ? await readState(ports, state.key) : state;
      return waitFor(ports, { state: newest, late: waited || round > 0 }, order, addresses);
    });
    if (outcome === undefined) {
      ports.meter.count({ name: "RelayersBusy" });
      // A crowd that was sent away should not come back all at once.
      throw busy(new Error("All relayers are held"), 2 + ports.ids.pick(5));
    }
    if (outcome.kind !== "contended") return outcome;
    const newest = await known(ports, await readState(ports, state.key), order.asked);
    if (newest.kind === "paid") return newest;
    state = newest.state;
  }
  throw busy(new Error("Other requests of this payer keep coming first"));
}

/** A leased relayer as the chain knows it: from what was asked already, or asked now. */
export async function relayerNow(
  { chain }: Pick<PaymentPorts, "chain">,
  { address }: FreeRelayer,
  asked: Relayer,
): Promise<Relayer> {
  return asked.address === address ? asked : relayerIn(address, await chain.batch(relayerCalls(address)));
}

type Attempt = Leased | Extract<Claim, { kind: "contended" | "permit_bound" }>;

/** What is known when a relayer is tried for. `late`: others came first since the order was judged. */
type Look = { readonly state: State; readonly late: boolean };

/** One try; `undefined` when no relayer is to be had. */
async function attempt(
  ports: PaymentPorts,
  { state, late }: Look,
  order: ToLease,
  addresses: readonly Address[],
): Promise<Attempt | undefined> {
  const now = ports.clock.now();
  const last = state.legs[order.leg];
  if (last !== undefined && last.claim !== order.judged && claimable(last, now) && isAnother(last, order)) {
    // Two living permits for one leg could both be charged (invariant 1): the order has to be judged anew.
    throw busy(new Error("A permit for this leg was broadcast since this one was judged"));
  }
  const choices = free(addresses, state.relayers, now);
  const relayer = choices.find(({ address }) => address === order.preferred) ?? pick(ports, choices);
  if (relayer === undefined) {
    await endLapsed(ports, state);
    return undefined;
  }
  const seen = last === undefined || last.claim === order.judged;
  const earlier = seen ? order.live : allSigned(last);
  if (earlier.length > mostEarlier) {
    throw busy(new Error("Too many payments of this wallet for one leg are under way"), 30);
  }
  const { gas } = order;
  const room = async () =>
    gas === undefined
      ? undefined
      : requireRoom(ports, { wallet: order.authorization.from, leg: order.leg, hold: gas });
  if (late) await room();
  const outcome = await claim(ports, { ...order, agent: state.agent, relayer, last, earlier });
  if (outcome.kind === "relayer_taken") return undefined;
  if (outcome.kind === "gas_refused") {
    await room();
    throw othersCameFirst();
  }
  return outcome.kind === "claimed" ? { ...outcome, relayer } : outcome;
}

/** Signatures for one leg that were presented, came to nothing and may still be charged: a record has room for few. */
const mostEarlier = 8;

function claimable({ state, claimUntil }: SettlementItem, now: number): boolean {
  return state === "failed" || (state === "claimed" && claimUntil < now);
}

function isAnother(last: SettlementItem, { authorization }: ToLease): boolean {
  return sentInVain(last) && !isSameNonce(last.signed, authorization);
}

async function waitFor(
  ports: PaymentPorts,
  first: Look,
  order: ToLease,
  addresses: readonly Address[],
): Promise<Attempt | undefined> {
  let outcome = await attempt(ports, first, order, addresses);
  for (const pause of pauses) {
    if (outcome !== undefined) return outcome;
    // Half to one and a half of it: other processes wait, too, and should not look all at once.
    await ports.clock.sleep(pause / 2 + ports.ids.pick(pause));
    const newest = await readState(ports, first.state.key);
    outcome = await attempt(ports, { state: newest, late: true }, order, addresses);
  }
  return outcome;
}

/** All are held: bring what one that was left behind has in flight to its end, so that it comes free. */
async function endLapsed(ports: PaymentPorts, { relayers }: State): Promise<void> {
  const left = lapsed(relayers, ports.clock.now());
  const stale = left.length === 0 ? undefined : left[ports.ids.pick(left.length)];
  if (stale === undefined) return;
  const { data } = await ports.table.entities.settlement.get(stale).go({ consistent: true });
  if (data === null || !isSent(data)) return;
  const { kind } = await resolve(ports, data);
  if (kind === "pending") await rebroadcast(ports, data);
}
