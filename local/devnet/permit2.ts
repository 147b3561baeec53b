import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Hex, HexInput } from "../../core/chain/hex.ts";

const script = "@uniswap/v4-periphery/lib/permit2/test/utils/DeployPermit2.sol";

/**
 * The runtime code of Uniswap's Permit2, out of the deploy script of its own tests. It is the deployed code and
 * recomputes its domain separator for our chain id; compiling Permit2 from source gives other bytes.
 */
export async function readPermit2Code(): Promise<Hex> {
  const path = createRequire(import.meta.url).resolve(script);
  const literal = /hex"([0-9a-f]+)"/.exec(await readFile(path, "utf8"));
  if (literal === null)
    throw new Error(`${script} holds no runtime code: expected @uniswap/v4-periphery 1.0.3.`);
  return HexInput.parse(`0x${literal[1]}`);
}
