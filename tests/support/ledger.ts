import { parseAbiItem } from "viem/utils";
import { type Address, lower } from "../../core/chain/hex.ts";
import type { PaymentPorts } from "../../core/payment/index.ts";
import type { Leg } from "../../core/payment/schema.ts";
import { type Payments, usdg } from "./payment.ts";

type TablePort = Pick<PaymentPorts, "table">;

/** The stored record of one of a reader's two payments for a press. */
export async function readSettlement({ table }: TablePort, wallet: Address, pressId: number, leg: Leg) {
  const key = { wallet: lower(wallet), pressId, leg };
  const { data } = await table.entities.settlement.get(key).go({ consistent: true });
  return data;
}

/** The stored transaction that settles a payment, found by the id in the payment's record. */
export async function readSettlingTransaction(
  { table }: TablePort,
  wallet: Address,
  pressId: number,
  leg: Leg,
) {
  const settlement = await readSettlement({ table }, wallet, pressId, leg);
  const id = settlement?.transaction ?? settlement?.claim ?? "none";
  const { data } = await table.entities.transaction.get({ id }).go({ consistent: true });
  return data;
}

export async function readRelayers({ table, relayers }: Pick<PaymentPorts, "table" | "relayers">) {
  const found = await Promise.all(
    (await relayers.addresses()).map((address) =>
      table.entities.relayer.get({ address }).go({ consistent: true }),
    ),
  );
  return found.flatMap(({ data }) => data ?? []);
}

/** The relayers that are in use. The list is empty when no transaction is pending. */
export async function listBusyRelayers(ports: Pick<PaymentPorts, "table" | "relayers">) {
  return (await readRelayers(ports)).filter(
    ({ lease, inFlight }) => lease !== undefined || inFlight !== undefined,
  );
}

/** The number of a press's paid unlocks. `id` is the press's internal id. */
export async function countReads({ table }: TablePort, id: number): Promise<number> {
  const { data } = await table.entities.press.get({ id }).go({ consistent: true });
  return data?.reads ?? 0;
}

const transferEvent = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** USDG transfers between the given addresses from the block after `since`, oldest first. */
export async function listTransfers(
  { client }: Pick<Payments, "client">,
  args: { readonly from?: Address; readonly to?: Address },
  since = 0n,
) {
  const logs = await client.getLogs({
    address: usdg,
    event: transferEvent,
    args,
    fromBlock: since + 1n,
    toBlock: await client.getBlockNumber({ cacheTime: 0 }),
    strict: true,
  });
  return logs.map(({ args: { from, to, value }, transactionHash, logIndex }) => ({
    from: lower(from),
    to: lower(to),
    value,
    txHash: transactionHash,
    logIndex,
  }));
}
