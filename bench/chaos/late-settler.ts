import type { HDAccount } from "viem/accounts";
import { encodeFunctionData, parseAbi, parseTransaction } from "viem/utils";
import { type Address, type Hex, lower } from "../../core/chain/hex.ts";
import { settleCalldata } from "../../core/chain/permit2.ts";
import { count, type Tally } from "../../tests/core/payment/model/violation.ts";
import { permitsIn } from "../../tests/support/copies.ts";
import type { devnetClient } from "../../tests/support/devnet.ts";
import type { Ambush } from "../../tests/support/griefer.ts";
import { hidden, hider } from "../../tests/support/hider.ts";
import type { HttpClient } from "../../tests/support/http-payer.ts";
import { exactProxy, send, testAccount, usdg } from "../../tests/support/payment.ts";

const [issuer, stranger] = [testAccount(0), testAccount(9)];
const usdgAbi = parseAbi(["function transfer(address to, uint256 value)"]);

type Place = {
  readonly chain: ReturnType<typeof devnetClient>;
  readonly node: Ambush;
  readonly http: HttpClient;
  readonly pressId: number;
};

/** The calldata that moves so many base units of USDG. */
export function transferOf(to: Address, value: bigint): Hex {
  return encodeFunctionData({ abi: usdgAbi, functionName: "transfer", args: [to, value] });
}

/**
 * A reader's money is gone when the service broadcasts the publisher's leg, and back when a stranger settles that very
 * permit: openly, or through a contract that hides it. The permit has paid then, whatever the service was told.
 */
export async function settleLate(
  { chain, node, http, pressId }: Place,
  {
    account,
    units,
    how,
  }: { readonly account: HDAccount; readonly units: bigint; readonly how: "openly" | "hidden" },
  tally: Tally,
): Promise<void> {
  const wallet = lower(account.address);
  const { header, permit, signature } = await http.signed(account, "publisher", pressId);
  node.around = async (raw) => {
    const { data = "0x" } = parseTransaction(raw);
    if (permitsIn(data).some(({ permit: { from } }) => from === wallet)) {
      node.around = undefined;
      await send({ client: chain }, account, usdg, transferOf(lower(stranger.address), units));
    }
    return async () => undefined;
  };
  const { status } = await http.pay("publisher", pressId, header);
  count(tally, `late settler: the service's own settlement answered ${status}`);
  await send({ client: chain }, issuer, usdg, transferOf(wallet, units));
  const call = settleCalldata(permit, signature);
  if (how === "openly") await send({ client: chain }, stranger, exactProxy, call);
  else await send({ client: chain }, stranger, hider, hidden(call));
  count(tally, `late settler: settled ${how}`);
}
