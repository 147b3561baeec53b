import { numberToHex } from "viem/utils";
import { result } from "../chain/call.ts";
import { nonceSpent, nonceWordCalldata, type Permit } from "../chain/permit2.ts";
import { searchElsewhere } from "./credit.ts";
import type { PaymentPorts } from "./ports.ts";
import { Block, Word } from "./resolve.ts";

/**
 * Whether a permit that we have broadcast in vain can still be charged, or has been by somebody else. Both are asked of
 * one block, one after the other: a node that has not got that block cannot answer for it. Throws `upstream` when the
 * chain cannot say.
 */
export async function mayStillPay(
  ports: Pick<PaymentPorts, "chain" | "clock" | "settings">,
  permit: Permit,
): Promise<boolean> {
  const [latest] = await ports.chain.batch([{ method: "eth_getBlockByNumber", params: ["latest", false] }]);
  const { number, timestamp } = result(latest, Block);
  const [word] = await ports.chain.batch([
    {
      method: "eth_call",
      params: [
        { to: ports.settings.contracts.permit2, data: nonceWordCalldata(permit.from, permit.nonce) },
        numberToHex(number),
      ],
    },
  ]);
  if (!nonceSpent(permit.nonce, result(word, Word))) return timestamp <= permit.deadline;
  return (await searchElsewhere(ports, permit, number)).length > 0;
}
