import { erc20Abi } from "../../../../core/chain/abi.ts";
import { lower } from "../../../../core/chain/hex.ts";
import { hasUnlocked } from "../../../../core/payment/index.ts";
import { readSettlement } from "../../../support/ledger.ts";
import { readBalance, treasury, usdg } from "../../../support/payment.ts";
import type { Phase } from "./matrix.ts";
import { amounts, type Case, publisher, type World } from "./world.ts";

/** The state of the settlement record in a test case. */
export async function readPhase({ ports, payer, pressId, leg }: Case): Promise<Phase> {
  return (await readSettlement(ports, payer.address, pressId, leg))?.state ?? "nothing";
}

/** Whether the record says that the text was delivered: the process may have died before that write. */
export async function isAnswered({ ports, payer, pressId, leg }: Case): Promise<boolean> {
  const record = await readSettlement(ports, payer.address, pressId, leg);
  return record?.answeredAt !== undefined;
}

/** The outcome of a test case on the chain and in the table. */
export async function readAccount({ client }: World, { ports, payer, pressId, leg, funds }: Case) {
  const { entities } = ports.table;
  const wallet = lower(payer.address);
  const logs = await client.getContractEvents({
    address: usdg,
    abi: erc20Abi,
    eventName: "Transfer",
    args: { from: wallet },
    fromBlock: 0n,
    toBlock: await client.getBlockNumber({ cacheTime: 0 }),
    strict: true,
  });
  const [settlement, press, underWay, unlocked, [address = ""]] = await Promise.all([
    entities.settlement.get({ wallet, pressId, leg }).go({ consistent: true }),
    entities.press.get({ id: pressId + 1000 }).go({ consistent: true }),
    entities.settlement.query.inFlight({ pending: "pending" }).go(),
    hasUnlocked(ports, wallet, pressId),
    ports.relayers.addresses(),
  ]);
  const { data: relayer } = await entities.relayer.get({ address }).go({ consistent: true });
  const used = await client.getTransactionCount({ address: lower(`0x${address.slice(2)}`) });
  return {
    /** Every transfer that the payer ever made, to any address. */
    transfers: logs.map(({ args: { to, value } }) => ({ to: lower(to), value })),
    spent: funds - (await readBalance({ client }, wallet)),
    /** Whether the leg is recorded as settled by the payer's last transfer. */
    settled: settlement.data?.state === "settled",
    receipt: settlement.data?.state === "settled" && settlement.data.txHash === logs.at(-1)?.transactionHash,
    unlocked,
    reads: press.data?.reads,
    underWay: underWay.data.filter((item) => item.wallet === wallet).length,
    relayer: {
      free: relayer?.lease === undefined && relayer?.inFlight === undefined,
      /** Whether our next nonce is greater than the chain's next nonce, which would block every later transaction. */
      gap: (relayer?.nextNonce ?? 0) > used,
    },
  };
}

/** The expected outcome of a test case: the payer is charged once, or not at all. */
export function makeExpectedAccount(
  { leg }: Case,
  charged: boolean,
): Awaited<ReturnType<typeof readAccount>> {
  const payTo = leg === "fee" ? treasury : lower(publisher.address);
  const transfers = charged ? [{ to: payTo, value: amounts[leg] }] : [];
  return {
    transfers,
    spent: charged ? amounts[leg] : 0n,
    settled: charged,
    receipt: charged,
    unlocked: leg === "publisher" && charged,
    reads: leg === "publisher" && charged ? 1 : 0,
    underWay: 0,
    relayer: { free: true, gap: false },
  };
}
