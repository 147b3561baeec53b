import { encodeAbiParameters, numberToHex, padHex } from "viem/utils";
import { type Hex, lower, toAddress } from "../../../../core/chain/hex.ts";
import { testAccount } from "../../../../local/devnet/accounts.ts";
import { type Artifacts, artifact } from "../../../../local/devnet/compile.ts";
import { tells } from "../../../support/griefer.ts";

/** Contract wallets that burn what they are given. The second and the third share their code. */
export const griefers = [
  { wallet: toAddress(`0x${"6a".repeat(20)}`), tell: tells.switch, salt: 1n },
  { wallet: toAddress(`0x${"6b".repeat(20)}`), tell: tells.switch, salt: 2n },
  { wallet: toAddress(`0x${"6c".repeat(20)}`), tell: tells.switch, salt: 2n },
  { wallet: toAddress(`0x${"6d".repeat(20)}`), tell: tells.gasPrice, salt: 3n },
] as const;

/** Whose they are. */
const owner = lower(testAccount(8).address);
const appetite = 300_000n;
const word = (value: bigint) => padHex(numberToHex(value), { size: 32 });

/** The first slot of their storage: the switch lies beside the owner. */
export function storedOwner(armed: boolean): Hex {
  return word(BigInt(owner) + (armed ? 1n << 160n : 0n));
}

/** Puts the wallets on the chain: their code by a call that creates it, their storage as the constructor leaves it. */
export async function layGriefers(
  rpc: (method: string, params: readonly unknown[]) => Promise<unknown>,
  artifacts: Artifacts,
): Promise<void> {
  for (const { wallet, tell, salt } of griefers) {
    const args = encodeAbiParameters(
      [{ type: "address" }, { type: "uint8" }, { type: "uint256" }, { type: "uint256" }, { type: "uint256" }],
      [owner, tell, 0n, appetite, salt],
    );
    const data = `${artifact(artifacts, "GriefingWallet").bytecode}${args.slice(2)}`;
    await rpc("anvil_setCode", [wallet, await rpc("eth_call", [{ data }, "latest"])]);
    await rpc("anvil_setBalance", [wallet, numberToHex(10n ** 20n)]);
    const slots = [storedOwner(false), word(BigInt(tell)), word(0n), word(appetite)];
    for (const [slot, value] of slots.entries()) {
      await rpc("anvil_setStorageAt", [wallet, numberToHex(slot), value]);
    }
  }
}
