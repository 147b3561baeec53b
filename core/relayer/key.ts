import { getResult, Quantity } from "../chain/call.ts";
import type { Address } from "../chain/hex.ts";
import { type GasRate, listEthPriceCalls, parseEthPrice } from "../gas/index.ts";
import type { RpcCall, RpcOutcome } from "../port/chain.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import type { RelayerItem, TransactionItem } from "../record/relayer.ts";
import type { Table } from "../table.ts";
import type { Action, WriteEntities } from "../transact.ts";

/** For this number of milliseconds after a shared transaction, the next sender with the same key looks for waiting intents. */
const crowdTime = 2_000;

/** A free key. `nextNonce` is the nonce of the key's next transaction, unless the chain shows a higher nonce. */
export type FreeKey = {
  readonly address: Address;
  readonly nextNonce: number;
  readonly crowdUntil: number;
};

/**
 * The states of a pool's keys as they were read from the table. `read`: the number of reads of keys since the start of the process,
 * including this read.
 */
export type Keys = {
  readonly addresses: readonly Address[];
  readonly items: readonly RelayerItem[];
  readonly read: number;
};

let reads = 0;

/** The number of reads of keys that this process has begun. */
export function countKeyReads(): number {
  return reads;
}

/** Reads the given items of the table and the keys of a pool in one request. Each item is given as the `get` call that reads it. */
export async function readItemsWithKeys(
  { table, relayers }: Pick<AllPorts, "table" | "relayers">,
  gets: readonly unknown[],
  read = table.together,
): Promise<{ readonly items: Awaited<ReturnType<Table["together"]>>; readonly keys: Keys }> {
  reads += 1;
  const which = reads;
  const addresses = await relayers.addresses();
  const { relayer } = table.entities;
  const found = await read([...gets, ...addresses.map((address) => table.gets.relayer({ address }))]);
  const items = found
    .slice(gets.length)
    .flatMap((item) => (item === undefined ? [] : (relayer.parse(item).data ?? [])));
  return { items: found.slice(0, gets.length), keys: { addresses, items, read: which } };
}

/**
 * The keys that can be leased now: keys that were never used, were given back, or were leased by an expired claim that stored no
 * transaction. A key with a transaction in flight is not free until this transaction is resolved (design §4: no nonce pipelining).
 */
export function listFreeKeys({ addresses, items }: Keys, now: number): readonly FreeKey[] {
  return addresses.flatMap((address) => {
    const item = items.find((relayer) => relayer.address === address);
    if (item === undefined) return [{ address, nextNonce: 0, crowdUntil: 0 }];
    const { nextNonce, crowdUntil = 0, leaseUntil = 0, inFlight } = item;
    const isHeld = inFlight !== undefined || leaseUntil >= now;
    return isHeld ? [] : [{ address, nextNonce, crowdUntil }];
  });
}

/**
 * Lists the unfinished transactions of keys whose leases have expired. An unfinished transaction is resolved before its key is used again.
 */
export function listExpiredTransactions({ items }: Keys, now: number): readonly string[] {
  return items.flatMap(({ inFlight, leaseUntil = 0 }) =>
    inFlight !== undefined && leaseUntil < now ? [inFlight] : [],
  );
}

/** The lease of a key, written in the same table transaction as the record that claims the key. */
export type KeyLease = {
  readonly address: Address;
  /** The end of the lease in milliseconds. The write is refused if another request has leased the key in the meantime. */
  write(
    entities: Pick<WriteEntities, "relayer">,
    record: { readonly claim: string; readonly claimUntil: number },
    now: number,
  ): Action;
};

export function makeLease({ address, nextNonce, crowdUntil }: FreeKey): KeyLease {
  return {
    address,
    write: ({ relayer }, { claim: lease, claimUntil: leaseUntil }, now) =>
      relayer
        .put({ address, nextNonce, lease, leaseUntil, ...(crowdUntil > now && { crowdUntil }) })
        .where(
          (item, { notExists, eq, lt }) =>
            `${notExists(item.address)} OR (${eq(item.nextNonce, nextNonce)} AND (${notExists(item.lease)} OR (${lt(item.leaseUntil, now)} AND ${notExists(item.inFlight)})))`,
        )
        .commit(),
  };
}

/** A leased key, with the hashes of the key's transaction in flight if there is such a transaction. */
export type LeasedKey = Pick<TransactionItem, "id" | "relayer"> & Partial<Pick<TransactionItem, "hashes">>;

/**
 * Releases a key within a table transaction. The write is refused if the key no longer has this lease, or if a transaction of the lease was
 * stored without its sender's knowledge. `landed`: the hash under which the transaction is on the chain.
 */
export function makeKeyReleaseWrite(
  { relayer }: Pick<WriteEntities, "relayer">,
  { id: lease, relayer: address, hashes }: LeasedKey,
  landed: string | undefined,
): Action {
  const hasSent = hashes !== undefined;
  // The key's record shows the nonce of the newest version of the transaction. An older version may have another nonce.
  const used = landed !== undefined && landed === hashes?.[0];
  return (
    relayer
      .patch({ address })
      .remove(["lease", "leaseUntil", "inFlight"])
      // If a nonce that the chain has not seen were counted as used, the nonces would have a gap, and every later transaction would wait
      // until the gap is filled.
      .add({ nextNonce: used ? 1 : 0 })
      .where((item, { eq, notExists }) => {
        const isHeld = eq(item.lease, lease);
        return hasSent ? isHeld : `${isHeld} AND ${notExists(item.inFlight)}`;
      })
      .commit()
  );
}

/**
 * Makes the write that records which transaction of a leased key is in flight. The write is part of a table transaction. The write is
 * refused if the key no longer has this lease.
 */
export function makeFlightWrite(
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

/** A key's nonce and balance (wei) on the chain. */
export type Relayer = { readonly address: Address; readonly nonce: number; readonly balance: bigint };

/** The calls that ask for a relayer's next nonce and balance. */
export function makeRelayerCalls(address: Address): readonly RpcCall[] {
  return [
    { method: "eth_getTransactionCount", params: [address, "latest"] },
    { method: "eth_getBalance", params: [address, "latest"] },
  ];
}

/** Reads the relayer's state from the answers to `makeRelayerCalls`. */
export function parseRelayer(
  address: Address,
  [count, balance]: readonly (RpcOutcome | undefined)[],
): Relayer {
  return { address, nonce: Number(getResult(count, Quantity)), balance: getResult(balance, Quantity) };
}

/**
 * The node and the record may show different nonces; the higher nonce is correct. A node may lag behind the record, and the record may lack
 * transactions of other programs.
 */
export function chooseNonce({ nextNonce }: FreeKey, nonce: number): number {
  return Math.max(nextNonce, nonce);
}

/** Returns a relayer's nonce and balance, which are read from the chain if they are not known yet. */
export async function readRelayer(
  { chain }: Pick<AllPorts, "chain">,
  address: Address,
  knownRelayer: Relayer | undefined,
): Promise<Relayer> {
  return knownRelayer?.address === address
    ? knownRelayer
    : parseRelayer(address, await chain.batch(makeRelayerCalls(address)));
}

/** The current gas price, and the onchain state of the key that would send a transaction. */
export type GasQuote = Omit<GasRate, "l1Gas"> & { readonly relayer: Relayer };

/**
 * The calls that ask for the gas price and a key's state, and the function that reads both from the answers. The calls can be sent in one
 * JSON-RPC batch with other calls.
 */
export type QuoteRequest = {
  readonly sender: Address;
  readonly calls: readonly RpcCall[];
  /** Throws `upstream` if the node gave no answer. */
  parseQuote(answers: readonly (RpcOutcome | undefined)[]): GasQuote;
};

type QuotePorts = Pick<AllPorts, "clock" | "ids"> & { readonly settings: Pick<Settings, "gas"> };

/**
 * Prepares a request for the gas price and the state of one of the pool's keys, if possible a free key; `undefined` for an empty pool.
 */
export function prepareGasQuote({ clock, ids, settings }: QuotePorts, keys: Keys): QuoteRequest | undefined {
  const choices = listFreeKeys(keys, clock.now());
  const choice = choices.length === 0 ? undefined : choices[ids.pick(choices.length)];
  const [any] = keys.addresses;
  const sender = choice?.address ?? any;
  if (sender === undefined) return undefined;
  return {
    sender,
    calls: [
      { method: "eth_gasPrice", params: [] },
      ...makeRelayerCalls(sender),
      ...listEthPriceCalls(settings),
    ],
    parseQuote([price, count, balance, ...ethPrice]) {
      return {
        gasPrice: getResult(price, Quantity),
        ethPrice: parseEthPrice(settings, ethPrice, clock.now()),
        relayer: parseRelayer(sender, [count, balance]),
      };
    },
  };
}
