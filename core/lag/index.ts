import type { Address } from "../chain/hex.ts";
import { fundsChangedBy, receiptIn } from "../chain/receipt.ts";
import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/cloud.ts";
import type { Settings } from "../port/settings.ts";
import type { Table } from "../table.ts";
import { unlessRefused } from "../transact.ts";

/**
 * A node shows a receipt at once and its state up to seconds later. A wallet that has seen the receipt of an approval or of a transfer
 * through us pays next, so the block of that receipt is remembered: a node that has not reached it yet is worth a wait, and for
 * nobody else is there one.
 */
type Ports = { readonly table: Table; readonly clock: Clock };

/** Seconds for which a change is remembered. No node that is later than this is in use. */
const lifetime = 60;

/** Wallets of one receipt. One that changes more is no payer's own approval or funding. */
const mostHolders = 4;

/**
 * Remembers whose USDG, or whose approval of Permit2, transactions have changed, given the results of
 * `eth_getTransactionReceipt` as nodes gave them. A table that does not answer is logged: then nobody waits.
 */
export async function noteReceipts(
  { table, clock, log }: Ports & { readonly log: Log },
  contracts: Pick<Settings["contracts"], "usdg" | "permit2">,
  results: readonly unknown[],
): Promise<void> {
  const expiresAt = Math.floor(clock.now() / 1000) + lifetime;
  const notes = results.flatMap((result) => {
    const receipt = receiptIn({ status: "ok", result });
    const holders = receipt === undefined ? [] : fundsChangedBy(receipt, contracts);
    if (receipt === undefined || holders.length > mostHolders) return [];
    const block = Number(receipt.blockNumber);
    return holders.map((holder) =>
      unlessRefused(
        table.entities.fundsChange
          .put({ holder, block, waits: 0, expiresAt })
          .where((item, { notExists, lt }) => `${notExists(item.block)} OR ${lt(item.block, block)}`)
          .go(),
      ),
    );
  });
  try {
    await Promise.all(notes);
  } catch (error) {
    log.warn("funds_change_unnoted", { error });
  }
}

/** Payments that one change is worth a wait for: both legs, and a repeat of each. */
const mostWaits = 4;

/**
 * The block that a node must show before it can say what a wallet lacks, `undefined` where it shows all that is known of the
 * wallet, or enough payments have waited. One request to the table, two where there is something to wait for.
 */
export async function awaitedBlock(
  { table, clock }: Ports,
  holder: Address,
  shown: bigint,
): Promise<bigint | undefined> {
  const { data } = await table.entities.fundsChange.get({ holder }).go({ consistent: true });
  if (data === null || data.block <= shown || data.expiresAt * 1000 < clock.now()) return undefined;
  const { block } = data;
  const isFew = await unlessRefused(
    table.entities.fundsChange
      .patch({ holder })
      .add({ waits: 1 })
      .where((item, { eq, lt }) => `${eq(item.block, block)} AND ${lt(item.waits, mostWaits)}`)
      .go(),
  );
  return isFew ? BigInt(block) : undefined;
}
