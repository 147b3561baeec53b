import * as z from "zod";
import { Quantity, result } from "../chain/call.ts";
import { type Address, AddressInput, lower } from "../chain/hex.ts";
import { l1GasIn, usualL1GasCall } from "../chain/nitro.ts";
import type { AddressBook, Chain, RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Clock, Ids } from "../port/clock.ts";
import type { GasLimits, Settings } from "../port/settings.ts";
import type { RelayerItem } from "../record/relayer.ts";
import type { Table } from "../table.ts";
import type { Action, WriteEntities } from "../transact.ts";

/** For a chain whose gas costs a small part of a gwei: what is burned in a day stays within a few dollars. */
const usual: GasLimits = {
  maxPrice: 10_000_000_000n,
  allowance: 1_000_000,
  failuresPerDay: 12_000_000,
  ethPrice: 3_000_000_000,
  ethFeed: undefined,
};

/** What gas may cost in a stage. */
export function gasLimitsOf({ gas = {} }: Pick<Settings, "gas">): GasLimits {
  return {
    maxPrice: gas.maxPrice ?? usual.maxPrice,
    allowance: gas.allowance ?? usual.allowance,
    failuresPerDay: gas.failuresPerDay ?? usual.failuresPerDay,
    ethPrice: gas.ethPrice ?? usual.ethPrice,
    ethFeed: gas.ethFeed,
  };
}

/** What a transaction is estimated to take, in gas units, and the price then. `maxPrice` is the ceiling. Wei a gas unit. */
type GasNeed = { readonly gas: bigint; readonly gasPrice: bigint; readonly maxPrice: bigint };

/** Whether a stored transaction can be offered at a better price: nodes want a tenth more, and the ceiling stays. */
export function mayBeRaised(maxFeePerGas: bigint, maxPrice: bigint): boolean {
  return (maxFeePerGas * 11n) / 10n <= maxPrice;
}

/** Wei that a transaction may cost at most. */
export function feeCap(need: GasNeed): bigint {
  const { gas, maxFeePerGas } = feeLimits(need);
  return gas * maxFeePerGas;
}

/** Gas units that a transaction may use: the estimate and a quarter. */
export function gasLimit(estimate: bigint): bigint {
  return (estimate * 5n) / 4n;
}

/** What a transaction may use and pay: gas units and wei. */
export function feeLimits({ gas, gasPrice, maxPrice }: GasNeed) {
  const doubled = gasPrice * 2n;
  return {
    gas: gasLimit(gas),
    // The base fee may double on its way; a tip buys nothing where the first come is the first served (Nitro).
    maxFeePerGas: doubled < maxPrice ? doubled : maxPrice,
    maxPriorityFeePerGas: 0n,
  };
}

/**
 * Gas units of what our keys send: a plain account's leg, and a verdict. Rounded up from what the deployed contracts take
 * (`tests/local/contracts-gas.test.ts`), before the L1's part.
 */
export const usualGas = { leg: 125_000n, verdict: 225_000n } as const;

/** A key of ours, and what it sends. */
type GasKey = { readonly address: Address; readonly sends: keyof typeof usualGas };

/** How far a key's gas goes. */
export type Runway = { readonly address: Address; readonly transactions: number };

/**
 * How many legs or verdicts each key can pay for at the prices of now, L1's with them, each at the most that it may cost: at 0 a
 * relayer is passed over. In the given order. Throws `upstream` when the chain cannot be asked.
 */
export async function runway({
  chain,
  keys,
  settings,
}: {
  readonly chain: Chain;
  readonly settings: Pick<Settings, "gas">;
  readonly keys: readonly GasKey[];
}): Promise<readonly Runway[]> {
  const [price, l1, ...balances] = await chain.batch([
    { method: "eth_gasPrice", params: [] },
    usualL1GasCall,
    ...keys.map(({ address }) => ({ method: "eth_getBalance", params: [address, "latest"] })),
  ]);
  const gasPrice = result(price, Quantity);
  const l1Gas = l1GasIn(l1);
  const { maxPrice } = gasLimitsOf(settings);
  return keys.map(({ address, sends }, index) => {
    const cost = feeCap({ gas: usualGas[sends] + l1Gas, gasPrice, maxPrice });
    return { address, transactions: Number(result(balances[index], Quantity) / (cost === 0n ? 1n : cost)) };
  });
}

/** Milliseconds that a key is held for one settlement: longer than any function may run. */
export const leaseTime = 30_000;

/** Milliseconds after a crowd's transaction in which whoever finds the key free looks for others that wait. */
const crowdTime = 2_000;

/** A relayer that nobody holds, with the nonce that its next transaction takes unless the chain says more. */
export type FreeRelayer = {
  readonly address: Address;
  readonly nextNonce: number;
  readonly crowdUntil: number;
};

/** What a key's record says: whoever leases it names an end, and only under a lease is something in flight. */
type KeyState =
  | { readonly state: "free" }
  | { readonly state: "leased"; readonly until: number }
  | { readonly state: "sending"; readonly until: number; readonly transaction: string };

/** Throws an Error for a lease without an end: a defect. */
function stateOf({ address, lease, leaseUntil: until, inFlight: transaction }: RelayerItem): KeyState {
  if (lease === undefined) return { state: "free" };
  if (until === undefined) throw new Error(`The lease of relayer ${address} has no end`);
  return transaction === undefined ? { state: "leased", until } : { state: "sending", until, transaction };
}

/**
 * The relayers that may be leased now: never used, given back, or left behind by a claim that stored no transaction.
 * One with a transaction in flight is not free until that is resolved (design §4: no nonce pipelining).
 */
export function free(
  addresses: readonly Address[],
  items: readonly RelayerItem[],
  now: number,
): readonly FreeRelayer[] {
  return addresses.flatMap((address) => {
    const item = items.find((relayer) => relayer.address === address);
    if (item === undefined) return [{ address, nextNonce: 0, crowdUntil: 0 }];
    const key = stateOf(item);
    const held = key.state === "sending" || (key.state === "leased" && key.until >= now);
    return held ? [] : [{ address, nextNonce: item.nextNonce, crowdUntil: item.crowdUntil ?? 0 }];
  });
}

/** The transactions that lapsed leases still have in flight: whoever finds one resolves it first. */
export function lapsed(items: readonly RelayerItem[], now: number): readonly string[] {
  return items
    .map(stateOf)
    .flatMap((key) => (key.state === "sending" && key.until < now ? [key.transaction] : []));
}

/** Leases a free key, as a part of a transaction: refused where somebody else was first. Milliseconds. */
export function leaseKey(
  { relayer }: Pick<WriteEntities, "relayer">,
  { address, nextNonce, crowdUntil }: FreeRelayer,
  { lease, until, now }: { readonly lease: string; readonly until: number; readonly now: number },
): Action {
  return relayer
    .put({ address, nextNonce, lease, leaseUntil: until, ...(crowdUntil > now && { crowdUntil }) })
    .where(
      (item, { notExists, eq, lt }) =>
        `${notExists(item.address)} OR (${eq(item.nextNonce, nextNonce)} AND (${notExists(item.lease)} OR (${lt(item.leaseUntil, now)} AND ${notExists(item.inFlight)})))`,
    )
    .commit();
}

/** Gives a key back, as a part of a transaction: refused where it has passed to another lease. */
export function freeKey(
  { relayer }: Pick<WriteEntities, "relayer">,
  { address, lease, used }: { readonly address: string; readonly lease: string; readonly used: boolean },
): Action {
  return (
    relayer
      .patch({ address })
      .remove(["lease", "leaseUntil", "inFlight"])
      // Counting a nonce that the chain has not seen would leave a gap that every later one waits behind.
      .add({ nextNonce: used ? 1 : 0 })
      .where((item, { eq }) => eq(item.lease, lease))
      .commit()
  );
}

/** Notes what a leased key has in flight, as a part of a transaction: refused where it has passed to another lease. */
export function keyInFlight(
  { relayer }: Pick<WriteEntities, "relayer">,
  { address, lease, nonce }: { readonly address: string; readonly lease: string; readonly nonce: number },
  crowd: { readonly now: number } | undefined,
): Action {
  return relayer
    .patch({ address })
    .set({
      inFlight: lease,
      nextNonce: nonce,
      ...(crowd !== undefined && { crowdUntil: crowd.now + crowdTime }),
    })
    .where((item, { eq }) => eq(item.lease, lease))
    .commit();
}

/** An account that pays gas, as the chain knows it. Wei. */
export type Relayer = { readonly address: Address; readonly nonce: number; readonly balance: bigint };

/** The calls that ask for a relayer's next nonce and gas. */
export function relayerCalls(address: Address): readonly RpcCall[] {
  return [
    { method: "eth_getTransactionCount", params: [address, "latest"] },
    { method: "eth_getBalance", params: [address, "latest"] },
  ];
}

/** The relayer in their answers. */
export function relayerIn(address: Address, [count, balance]: readonly (RpcOutcome | undefined)[]): Relayer {
  return { address, nonce: Number(result(count, Quantity)), balance: result(balance, Quantity) };
}

/** A relayer to ask the chain about, `undefined` when all are held. Any will do, as long as requests differ. */
export function pick(
  { ids }: { readonly ids: Ids },
  choices: readonly FreeRelayer[],
): FreeRelayer | undefined {
  return choices.length === 0 ? undefined : choices[ids.pick(choices.length)];
}

/** Which of these keys is wanted, and how one that was left behind is cleared. */
type Wanted = {
  readonly addresses: readonly Address[];
  readonly preferred: Address | undefined;
  /** Brings the transaction of a lapsed lease, given by its id, to its end. */
  clear(id: string): Promise<void>;
};

/** A free key, `preferred` if it is one; where all are held, one that was left behind is cleared meanwhile. */
export async function freeRelayer(
  ports: { readonly clock: Clock; readonly ids: Ids },
  items: readonly RelayerItem[],
  { addresses, preferred, clear }: Wanted,
): Promise<FreeRelayer | undefined> {
  const now = ports.clock.now();
  const choices = free(addresses, items, now);
  const choice = choices.find(({ address }) => address === preferred) ?? pick(ports, choices);
  if (choice !== undefined) return choice;
  const left = lapsed(items, now);
  const stale = left.length === 0 ? undefined : left[ports.ids.pick(left.length)];
  if (stale !== undefined) await clear(stale);
  return undefined;
}

/** A node may lag behind what we know, and we may not know of what was sent elsewhere: the higher one is right. */
export function nonceOf({ nextNonce }: FreeRelayer, nonce: number): number {
  return Math.max(nextNonce, nonce);
}

/** A leased relayer as the chain knows it: from what was asked already, or asked now. */
export async function relayerNow(
  { chain }: { readonly chain: Chain },
  { address }: FreeRelayer,
  asked: Relayer | undefined,
): Promise<Relayer> {
  return asked?.address === address ? asked : relayerIn(address, await chain.batch(relayerCalls(address)));
}

/** Milliseconds for which the addresses are believed: a wrong one of a wallet without gas would never come to sign. */
const freshFor = 24 * 60 * 60_000;

const Addresses = z.record(z.string(), AddressInput.transform(lower));

/** The relayers' addresses by key id in one item of the table. A key that the item does not name is unknown. */
export function keyring({ table, clock }: { readonly table: Table; readonly clock: Clock }): AddressBook {
  const { keyring: item } = table.entities;
  return {
    async read() {
      const { data } = await item.get({ name: "relayers" }).go();
      if (data === null || data.writtenAt < clock.now() - freshFor) return new Map();
      return new Map(Object.entries(Addresses.safeParse(data.addresses).data ?? {}));
    },
    async write(addresses) {
      const writtenAt = clock.now();
      await item.put({ name: "relayers", addresses: Object.fromEntries(addresses), writtenAt }).go();
    },
  };
}
