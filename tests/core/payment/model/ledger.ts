import { decodeEventLog, decodeFunctionData, encodeEventTopics, numberToHex, parseAbi } from "viem/utils";
import * as z from "zod";
import { erc20Abi } from "../../../../core/chain/abi.ts";
import { Quantity } from "../../../../core/chain/call.ts";
import { AddressInput, HashInput, type Hex, HexInput, lower } from "../../../../core/chain/hex.ts";
import { platformAccount, platformIndexes } from "../../../../local/devnet/accounts.ts";
import { hidden, hider } from "../../../support/hider.ts";
import { contracts, type Ground, owners, payers } from "./ground.ts";
import type { Purse, Signed } from "./purse.ts";
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
const aggregateAbi = parseAbi([
  "struct Call { address target; bytes callData; }",
  "function aggregate(Call[] calls) payable returns (uint256 blockNumber, bytes[] returnData)",
]);

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
  const charges: Charge[] = [];
  for (const { topics: words, data, blockNumber: block, transactionHash: txHash, logIndex } of logs) {
    const { from, to, input } = Transaction.parse(await ground.rpc("eth_getTransactionByHash", [txHash]));
    const earlier = charges.filter((charge) => charge.txHash === txHash).length;
    const signed = settled(to === hider ? hidden(input) : input, purse)[earlier];
    const { args } = decodeEventLog({ abi: erc20Abi, topics: words, data });
    must(
      signed !== undefined && args.value === signed.permit.amount,
      "double charge",
      "money moves by signed permits only",
    );
    charges.push({ signed, ours: relayers.includes(from), block, txHash, logIndex });
  }
  return charges;
}

/**
 * Whether nothing but their names tells two charges apart: a contract may hide which permit a transfer came from, and the
 * chain shows only the block in which each was spent.
 */
export function alike(one: Charge, other: Charge): boolean {
  const [a, b] = [one.signed.permit, other.signed.permit];
  return one.block === other.block && a.from === b.from && a.to === b.to && a.amount === b.amount;
}

/** The permits that a transaction settles, in order. */
function settled(input: Hex, purse: Purse): readonly (Signed | undefined)[] {
  if (!input.startsWith("0x252dba42")) return [purse.inCalldata(input)];
  const { args } = decodeFunctionData({ abi: aggregateAbi, data: input });
  return args[0].map(({ callData }) => purse.inCalldata(callData));
}
