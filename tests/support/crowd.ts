import { type HDAccount, HDKey } from "viem/accounts";
import { encodeAbiParameters, keccak256, numberToHex, padHex } from "viem/utils";
import { openChain } from "../../core/adapter/chain/index.ts";
import { deriveAccount } from "../../core/adapter/mnemonic.ts";
import type { Address, Hex } from "../../core/chain/hex.ts";
import type { RpcCall } from "../../core/port/chain.ts";
import { type Payments, permit2, readAllowance, readBalance, usdg } from "./payment.ts";

const parent = HDKey.fromMasterSeed(new TextEncoder().encode("a crowd of readers"));

/** Deriving a key takes longer than using the key, so all test files of a process share the same wallets. */
const known: HDAccount[] = [];

/** The storage slots of the two mappings in OpenZeppelin's ERC-20 contract. */
const slots = { balances: 0n, allowances: 1n } as const;

/** Makes wallets with USDG that Permit2 may move. The function writes directly to the token's storage. */
export async function makeFundedWallets(
  payments: Payments,
  size: number,
  units: bigint,
): Promise<readonly HDAccount[]> {
  for (let addressIndex = known.length; addressIndex < size; addressIndex += 1) {
    known.push(deriveAccount(parent, addressIndex));
  }
  const accounts = known.slice(0, size);
  const calls = accounts.flatMap(({ address }) => makeGrantCalls(address, units));
  await openChain([payments.devnet.rpcUrl], { times: { batch: 60_000 } }).batch(calls);
  for (const account of [accounts.at(0), accounts.at(-1)]) {
    if (account !== undefined) await expectFunds(payments, account.address, units);
  }
  return accounts;
}

/** The calls that give a wallet USDG and let Permit2 move this USDG. */
export function makeGrantCalls(wallet: Address, units: bigint): readonly RpcCall[] {
  return [
    makeStorageCall(computeMappingSlot(wallet, encodeSlot(slots.balances)), units),
    makeStorageCall(
      computeMappingSlot(permit2, computeMappingSlot(wallet, encodeSlot(slots.allowances))),
      units,
    ),
  ];
}

/** Throws if the storage slot that `grant` writes is not the slot in which the token stores its balances. */
async function expectFunds(payments: Payments, wallet: Address, units: bigint): Promise<void> {
  const allowance = await readAllowance(payments, wallet);
  if ((await readBalance(payments, wallet)) !== units || allowance !== units) {
    throw new Error("USDG keeps its balances or allowances elsewhere");
  }
}

function makeStorageCall(slot: Hex, value: bigint): RpcCall {
  return { method: "anvil_setStorageAt", params: [usdg, slot, padHex(numberToHex(value), { size: 32 })] };
}

function encodeSlot(value: bigint): Hex {
  return padHex(numberToHex(value), { size: 32 });
}

/** Solidity stores a mapping's value for `key` at keccak256(key, slot). */
function computeMappingSlot(key: Address, slot: Hex): Hex {
  return keccak256(encodeAbiParameters([{ type: "address" }, { type: "bytes32" }], [key, slot]));
}
