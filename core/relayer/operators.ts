import { keccak256, numberToHex, recoverMessageAddress } from "viem/utils";
import * as z from "zod";
import { getResult, Quantity, requireAnswer } from "../chain/call.ts";
import { type Address, AddressInput, type Hex, lower } from "../chain/hex.ts";
import { parseL1Gas, usualL1GasCall } from "../chain/nitro.ts";
import { Receipt } from "../chain/receipt.ts";
import { findFeeCap, findFeeLimits, readGasLimits, usualGas } from "../gas/index.ts";
import type { AddressBook } from "../port/chain.ts";
import { poll } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import type { OutboxPorts } from "./intent.ts";
import { makeRelayerCalls, parseRelayer } from "./key.ts";

/**
 * The milliseconds for which stored addresses are trusted. The account at a wrong address has no ETH, so the key is never chosen to sign,
 * and no signature can show the error. Only a new read from KMS shows that the address is wrong.
 */
const freshFor = 24 * 60 * 60_000;

const Addresses = z.record(z.string(), AddressInput.transform(lower));

/** Opens the table item that maps each key id to a relayer's address. For a key that the item does not name, no address is known. */
export function openKeyAddresses({ table, clock }: Pick<AllPorts, "table" | "clock">): AddressBook {
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

/** A key of the service, and the kind of transactions that the key sends. */
type GasKey = { readonly address: Address; readonly sends: keyof typeof usualGas };

/** The number of transactions that a key can pay for with its ETH. */
export type Runway = { readonly address: Address; readonly transactions: number };

/**
 * For each key, the number of payments or verdicts that the key's ETH can pay for at current prices. Each transaction is counted with its
 * maximum cost, including the cost of L1. The numbers are in the order of the given keys. A relayer that can pay for no transaction is not
 * used. Throws `upstream` if the chain does not answer.
 */
export async function readTxCapacity({
  chain,
  keys,
  settings,
}: Pick<AllPorts, "chain"> & {
  readonly settings: Pick<Settings, "gas">;
  readonly keys: readonly GasKey[];
}): Promise<readonly Runway[]> {
  const [price, l1, ...balances] = await chain.batch([
    { method: "eth_gasPrice", params: [] },
    usualL1GasCall,
    ...keys.map(({ address }) => ({ method: "eth_getBalance", params: [address, "latest"] })),
  ]);
  const gasPrice = getResult(price, Quantity);
  const l1Gas = parseL1Gas(l1);
  const { maxPrice } = readGasLimits(settings);
  return keys.map(({ address, sends }, index) => {
    const cost = findFeeCap({ gas: usualGas[sends] + l1Gas, gasPrice, maxPrice });
    return {
      address,
      transactions: Number(getResult(balances[index], Quantity) / (cost === 0n ? 1n : cost)),
    };
  });
}

/**
 * The stage's reviewed settings for sweeps: the address that gets the ETH, and the approvers. The request for a sweep cannot change the
 * settings for sweeps.
 */
export type SweepTerms = {
  readonly to: Address;
  readonly approvers: readonly Address[];
  /** The number of approvers who have to sign. */
  readonly needed: number;
};

export type SweepOrder = {
  readonly relayer: Address;
  /** The time in milliseconds after which the approvals are invalid, as stated in the text that the approvers sign. */
  readonly until: number;
  /** The approvers' signatures of the statement, made by their wallets (personal_sign, EIP-191). */
  readonly approvals: readonly Hex[];
};

export type SweepResult = {
  /** The message that approvers sign. */
  readonly statement: string;
  /** The key's balance in wei, and the amount in wei that the sweep would move or has moved. */
  readonly balance: bigint;
  readonly amount: bigint;
  readonly approvedBy: readonly Address[];
  /** The reason why no ETH was moved; `undefined` if the ETH was moved. */
  readonly left: string | undefined;
  readonly txHash: Hex | undefined;
};

/** The maximum number of milliseconds for which an approval may be valid. */
const longest = 24 * 60 * 60_000;

/** The message that approvers sign, written as a text that wallets show to people. */
function writeStatement(chainId: number, to: Address, { relayer, until }: SweepOrder): string {
  const end = new Date(until).toISOString();
  return `Sweep all ETH of the key ${relayer} on chain ${chainId} to ${to}. Valid until ${end}.`;
}

/**
 * Moves all ETH of a retired key to the address in the settings. KMS must still be able to sign with the retired key. Only the keys in
 * `relayers` can be swept: these are the keys that the settings list as retired. If too few approvers have signed, or if a
 * transaction of the key is unfinished, the function moves nothing and returns the reason. A sweep would use the same nonce as the
 * unfinished transaction, which the reconciler ends. It is safe to repeat the call.
 *
 * Throws `chain_unavailable` (`upstream`) when the chain cannot be asked, and `signer_unavailable` when KMS does not sign.
 */
export async function sweepKey(
  { table, chain, clock, relayers, settings }: OutboxPorts,
  terms: SweepTerms,
  order: SweepOrder,
): Promise<SweepResult> {
  const { relayer } = order;
  const statement = writeStatement(settings.chainId, terms.to, order);
  const approvedBy = await listApprovers(statement, terms, order);
  const nothing = { statement, balance: 0n, amount: 0n, approvedBy, txHash: undefined };
  if (!(await relayers.addresses()).includes(relayer))
    return { ...nothing, left: "it is no retired key of this stage: name its number in retiredRelayers" };

  const [count, balanced, price, estimate] = await chain.batch([
    ...makeRelayerCalls(relayer),
    { method: "eth_gasPrice", params: [] },
    // Nitro adds the cost of L1 to the gas units. Therefore, the gas of a simple transfer of ETH must be estimated, too.
    {
      method: "eth_estimateGas",
      params: [{ from: relayer, to: terms.to, value: numberToHex(1) }],
    },
  ]);
  const { nonce, balance } = parseRelayer(relayer, [count, balanced]);
  if (balance === 0n) return { ...nothing, left: "it has no ETH" };
  if (requireAnswer(estimate).status === "reverted")
    return { ...nothing, balance, left: `${terms.to} refuses ETH` };
  const { maxPrice } = readGasLimits(settings);
  const need = { gas: getResult(estimate, Quantity), gasPrice: getResult(price, Quantity), maxPrice };
  const amount = balance - findFeeCap(need);
  const found = { ...nothing, balance, amount };
  if (amount <= 0n) return { ...found, left: "its ETH does not pay for its own transfer" };
  const now = clock.now();
  if (order.until <= now) return { ...found, left: "the moment until which it may be swept has passed" };
  if (order.until > now + longest) return { ...found, left: "approvals may be valid for a day at most" };
  if (approvedBy.length < terms.needed)
    return { ...found, left: `${approvedBy.length} of ${terms.needed} approvers have signed the statement` };
  const { data } = await table.entities.relayer.get({ address: relayer }).go({ consistent: true });
  if (data?.inFlight !== undefined)
    return { ...found, left: "a transaction of it is in flight: run payment-reconcile, and repeat" };

  const { chainId } = settings;
  const transfer = {
    chainId,
    nonce,
    to: terms.to,
    data: "0x",
    value: amount,
    ...findFeeLimits(need),
  } as const;
  const rawTx = await relayers.sign(relayer, transfer);
  const txHash = keccak256(rawTx);
  const [sent] = await chain.batch([{ method: "eth_sendRawTransaction", params: [rawTx] }]);
  const refusal = sent?.status === "ok" ? undefined : sent?.message;
  const landed = await poll(clock, { tries: 60, pauseMs: 500 }, async () => {
    const [outcome] = await chain.batch([{ method: "eth_getTransactionReceipt", params: [txHash] }]);
    const receipt = Receipt.nullable().safeParse(outcome?.status === "ok" ? outcome.result : null);
    return receipt.data ?? undefined;
  });
  if (landed?.status === "0x1") return { ...found, txHash, left: undefined };
  const why = refusal ?? (landed === undefined ? "the chain has not shown it yet" : "the chain reverted it");
  return { ...found, txHash, left: `${why}: look at the transaction, and repeat` };
}

/** The settings' approvers who have signed, each counted once. */
async function listApprovers(
  statement: string,
  { approvers }: SweepTerms,
  { approvals }: SweepOrder,
): Promise<readonly Address[]> {
  const signers = await Promise.all(
    approvals.map((signature) =>
      recoverMessageAddress({ message: statement, signature }).then(lower, () => undefined),
    ),
  );
  return approvers.filter(
    (approver, index) => approvers.indexOf(approver) === index && signers.includes(approver),
  );
}
