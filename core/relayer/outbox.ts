import { keccak256, parseTransaction } from "viem/utils";
import { answered, Quantity, result } from "../chain/call.ts";
import { type Hex, toAddress } from "../chain/hex.ts";
import { receiptIn } from "../chain/receipt.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { RelayTransaction, Signer } from "../port/signer.ts";
import type { Table } from "../table.ts";
import { type Action, commit, type WriteEntities } from "../transact.ts";
import type { TransactionItem } from "./entity.ts";
import { feeLimits, gasLimitsOf, mayBeRaised } from "./fee.ts";
import { freeKey, keyInFlight } from "./key.ts";

/** What the outbox needs of the outside. */
export type OutboxPorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly chain: Chain;
  readonly relayers: Signer;
};

type TablePorts = Pick<OutboxPorts, "table" | "clock">;

/** A transaction that was signed and is to be stored before anything is sent. */
export type Signed = { readonly txHash: Hex; readonly rawTx: Hex; readonly nonce: number };

/** What a transaction carries, in gas units and wei a gas unit. `gas`: what it is estimated to take. */
export type Carried = {
  readonly to: RelayTransaction["to"];
  readonly data: Hex;
  readonly nonce: number;
  readonly gas: bigint;
  readonly gasPrice: bigint;
};

/** Seconds for which an ended transaction is kept, for those that still ask what has become of it. */
const keptFor = 2 * 24 * 60 * 60;

/** Signs a transaction by a leased key. The gas gets a quarter of room. */
export async function signAs(
  { relayers, settings }: Pick<OutboxPorts, "relayers" | "settings">,
  relayer: Hex,
  { to, data, nonce, ...need }: Carried,
): Promise<Signed> {
  const { maxPrice } = gasLimitsOf(settings);
  const limits = feeLimits({ ...need, maxPrice });
  const rawTx = await relayers.sign(relayer, { chainId: settings.chainId, nonce, to, data, ...limits });
  return { rawTx, txHash: keccak256(rawTx), nonce };
}

/** A stored transaction as its record has it. */
export function storedTransaction(
  { clock }: Pick<OutboxPorts, "clock">,
  { id, relayer, legs }: Pick<TransactionItem, "id" | "relayer" | "legs">,
  { rawTx, txHash, nonce }: Signed,
): TransactionItem {
  const expiresAt = Math.floor(clock.now() / 1000) + keptFor;
  return { id, relayer, legs, rawTx, nonce, hashes: [txHash], state: "stored", expiresAt };
}

/** The writes that store a transaction before it is broadcast (invariant 2): refused where the key's lease has passed on. */
export function storeWrites(
  entities: Pick<WriteEntities, "relayer" | "transaction">,
  { clock }: Pick<OutboxPorts, "clock">,
  item: TransactionItem,
): { readonly transaction: Action; readonly key: Action } {
  const { relayer: address, id: lease, nonce, legs } = item;
  const crowd = legs.length > 1 ? { now: clock.now() } : undefined;
  return {
    transaction: entities.transaction.create(item).commit(),
    key: keyInFlight(entities, { address, lease, nonce }, crowd),
  };
}

/** The writes that end a transaction and free its key. `landed`: the hash that the chain has, if any. */
export function endWrites(
  entities: Pick<WriteEntities, "relayer" | "transaction">,
  { id, relayer, hashes }: TransactionItem,
  landed: string | undefined,
): { readonly transaction: Action; readonly key: Action } {
  return {
    transaction: entities.transaction
      .patch({ id })
      .set({ state: landed === undefined ? "over" : "landed" })
      .where(({ state }, { eq }) => eq(state, "stored"))
      .commit(),
    key: freeKey(entities, {
      address: relayer,
      lease: id,
      used: landed !== undefined && landed === hashes[0],
    }),
  };
}

/** Ends a transaction and frees its key, where nobody else has. */
export async function endTransaction(
  ports: TablePorts,
  item: TransactionItem,
  landed: string | undefined,
): Promise<void> {
  await commit(ports, (entities) => endWrites(entities, item, landed));
}

export async function readTransaction(
  { table }: Pick<OutboxPorts, "table">,
  id: string,
): Promise<TransactionItem | undefined> {
  const { data } = await table.entities.transaction.get({ id }).go({ consistent: true });
  return data ?? undefined;
}

/**
 * Brings a transaction that has not landed to the chain once more. One that pays too little, or whose nonce is not the
 * key's next one, is replaced by one that can land; what its intents spend keeps all of them to one transfer, and each is
 * stored before it is sent (invariants 1 and 2). Throws `upstream` when the chain cannot be asked.
 */
export async function rebroadcast(ports: OutboxPorts, item: TransactionItem): Promise<void> {
  const relayer = toAddress(item.relayer);
  const [count, price, ...mined] = await ports.chain.batch([
    { method: "eth_getTransactionCount", params: [relayer, "latest"] },
    { method: "eth_gasPrice", params: [] },
    ...item.hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
  ]);
  const receipts = mined.map((outcome) => receiptIn(answered(outcome)));
  // It has landed since it was looked for: that is what has used its nonce.
  if (receipts[0] !== undefined || receipts.some((receipt) => receipt?.status === "0x1")) return;
  const rawTx = await landing(ports, item, {
    nonce: Number(result(count, Quantity)),
    gasPrice: result(price, Quantity),
  });
  // Its answer does not matter: the transaction is known already, or the next look will tell.
  await ports.chain.batch([{ method: "eth_sendRawTransaction", params: [rawTx] }]);
}

/** The stored transaction, or its stored replacement where it cannot land any more. */
async function landing(
  ports: OutboxPorts,
  item: TransactionItem,
  now: { readonly nonce: number; readonly gasPrice: bigint },
): Promise<string> {
  const stored = parseTransaction(hex(item.rawTx));
  const { nonce = 0, gas = 0n, maxFeePerGas = 0n, to, data = "0x" } = stored;
  // Used by something else, or ahead of a nonce that nothing will fill: neither can land.
  const misplaced = now.nonce !== nonce;
  const { maxPrice } = gasLimitsOf(ports.settings);
  // Above the ceiling it waits, for the price to fall or for its intents' deadlines.
  const best = maxFeePerGas >= now.gasPrice || !mayBeRaised(maxFeePerGas, maxPrice);
  if ((!misplaced && best) || to == null) return item.rawTx;
  // A key that was taken out of the pool signs nothing more: what it signed lands, or its intents run out.
  if (!(await ports.relayers.addresses()).includes(toAddress(item.relayer))) return item.rawTx;
  // Nodes replace a transaction for a tenth more; half as much again leaves no doubt.
  const raised = (maxFeePerGas * 3n) / 2n;
  const signed = await signAs(ports, toAddress(item.relayer), {
    to: toAddress(to),
    data,
    nonce: now.nonce,
    // The stored limit has its quarter of room already.
    gas: (gas * 4n) / 5n + 1n,
    gasPrice: misplaced || now.gasPrice * 2n >= raised ? now.gasPrice : raised / 2n + 1n,
  });
  return (await replace(ports, item, signed)) ? signed.rawTx : item.rawTx;
}

/** Stores a replacement before it is sent. Answers whether it did: not when the transaction has ended or was replaced. */
async function replace(ports: TablePorts, item: TransactionItem, signed: Signed): Promise<boolean> {
  const { id, relayer: address, hashes } = item;
  const { rawTx, txHash, nonce } = signed;
  const { done } = await commit(ports, (entities) => ({
    transaction: entities.transaction
      .put({ ...item, rawTx, nonce, hashes: [txHash, ...hashes] })
      .where(({ state, rawTx: last }, { eq }) => `${eq(state, "stored")} AND ${eq(last, item.rawTx)}`)
      .commit(),
    key: keyInFlight(entities, { address, lease: id, nonce }, undefined),
  }));
  return done;
}

function hex(text: string): Hex {
  return `0x${text.slice(2)}`;
}
