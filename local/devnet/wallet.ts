import { encodeAbiParameters } from "viem/utils";
import type { Address, Hex } from "../../core/chain/hex.ts";
import { type Artifacts, artifact } from "./artifacts.ts";

/** Creation code of a smart-contract wallet (ERC-1271) that `owner`'s key acts and signs for. */
export function wallet1271InitCode(artifacts: Artifacts, owner: Address): Hex {
  const args = encodeAbiParameters([{ type: "address" }], [owner]);
  return `${artifact(artifacts, "Wallet1271").bytecode}${args.slice(2)}`;
}
