import { decodeEventLog, encodeEventTopics, numberToHex } from "viem/utils";
import * as z from "zod";
import { erc20Abi } from "../../../../core/chain/abi.ts";
import { Quantity } from "../../../../core/chain/call.ts";
import { AddressInput, HashInput, type Hex, HexInput, lower } from "../../../../core/chain/hex.ts";
import { platformAccount, platformIndexes } from "../../../../local/devnet/accounts.ts";
import { hidden, hider } from "../../../support/hider.ts";
import { contracts, type Ground, owners, payers } from "./ground.ts";
import { looksAlike, type Purse, type Signed } from "./purse.ts";
import { must } from "./violation.ts";

export const treasury = lower(platformAccount(platformIndexes.treasury).address);

/** Money that moved on the chain by a payer's permit, and whether the service moved it. */
export type Charge = {
  readonly signed: Signed;
  readonly ours: boolean;
  readonly block: bigint;
  readonly txHash: Hex;
  readonly logIndex: number;
};

const Logs = z.array(
  z.object({
    topics: z.tuple([HexInput], HexInput),
    data: HexInput,
    blockNumber: Quantity,
    transactionHash: HashInput.transform(lower),
    logIndex: Quantity.transform(Number),
  }),
);
const Transaction = z.object({
  from: AddressInput.transform(lower),
  to: AddressInput.transform(lower),
  input: HexInput,
});

/** Every charge of the run, from the token's logs: each is of a permit that a payer has signed. Throws Violation. */
export async function readCharges(
  ground: Ground,
  purse: Purse,
  relayers: readonly string[],
): Promise<readonly Charge[]> {
  const wallets = payers.map(({ wallet }) => wallet);
  const topics = encodeEventTopics({
    abi: erc20Abi,
    eventName: "Transfer",
    args: { from: wallets, to: [treasury, ...owners] },
  });
  const toBlock = await ground.rpc("eth_blockNumber", []);
  const filter = { address: contracts.usdg, topics, fromBlock: numberToHex(ground.base), toBlock };
  const logs = Logs.parse(await ground.rpc("eth_getLogs", [filter]));
  const transfers = await Promise.all(
    logs.map(async ({ topics: words, data, blockNumber: block, transactionHash: txHash, logIndex }) => {
      const { from, to, input } = Transaction.parse(await ground.rpc("eth_getTransactionByHash", [txHash]));
      const { args } = decodeEventLog({ abi: erc20Abi, topics: words, data });
      const candidates = purse
        .inCalldata(to === hider ? hidden(input) : input)
        .filter((signed) => signed !== undefined)
        .filter(({ permit }) => permit.from === lower(args.from) && permit.to === lower(args.to))
        .filter(({ permit }) => permit.amount === args.value)
        .filter(({ takenBack, settledIn = block }) => !takenBack && settledIn === block);
      return { candidates, ours: relayers.includes(from), block, txHash, logIndex };
    }),
  );
  // Calls of a batch may fail in between. A permit is charged once, so those that leave no choice are told first.
  const charges: Charge[] = [];
  for (const { candidates, ...transfer } of transfers.toSorted(byChoice)) {
    const signed = candidates.find((one) => !charges.some((charge) => charge.signed === one));
    must(signed !== undefined, "double charge", "money moves by signed permits only");
    charges.push({ signed, ...transfer });
  }
  return charges;
}

function byChoice(one: { readonly candidates: readonly Signed[] }, other: typeof one): number {
  return one.candidates.length - other.candidates.length;
}

/**
 * Whether nothing but their names tells two charges apart: a contract may hide which permit a transfer came from, and the
 * chain shows only the block in which each was spent.
 */
export function alike(one: Charge, other: Charge): boolean {
  return one.block === other.block && looksAlike(one.signed, other.signed);
}
