import type { Address } from "../chain/hex.ts";
import { listChangedWallets, parseReceipt } from "../chain/receipt.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import { tryWrite } from "../transact.ts";

/**
 * A node shows the receipt of a transaction at once, but shows the state after the transaction only some seconds later. A wallet that reads
 * the receipt of an approval or a transfer through our RPC relay usually makes a payment soon afterwards. So the block of an approval's or
 * a transfer's receipt is stored, and the wallet's payment waits for a node that has reached this block. If no block is stored for a
 * wallet, the wallet's payments do not wait.
 */
type Ports = Pick<AllPorts, "table" | "clock">;

/** Seconds for which a change of a wallet's funds is stored. A node that lags longer than this number of seconds is not used. */
const lifetime = 60;

/**
 * The maximum number of wallets that one receipt may name. A receipt that names more wallets than the maximum does not come from a payer's
 * own approval or funding.
 */
const mostHolders = 4;

/**
 * The maximum number of changes that one request stores: the changes of two receipts. A payer asks for the receipts of its own approval and
 * of its own funding. Without a maximum, one cheap request could cause a hundred writes to the table that payments also use.
 */
const mostChanges = 2 * mostHolders;

/**
 * Reads nodes' answers to `eth_getTransactionReceipt`, and stores the wallets whose USDG balance or Permit2 approval the transactions have
 * changed, up to a maximum number of wallets. If the table does not answer, the failure is logged, and the wallets' payments do not wait
 * for the transaction's block.
 */
export async function recordReceipts(
  { table, clock, log }: Ports & Pick<AllPorts, "log">,
  contracts: Pick<Settings["contracts"], "usdg" | "permit2">,
  results: readonly unknown[],
): Promise<void> {
  const expiresAt = Math.floor(clock.now() / 1000) + lifetime;
  const changes = results.flatMap((result) => {
    const receipt = parseReceipt({ status: "ok", result });
    const holders = receipt === undefined ? [] : listChangedWallets(receipt, contracts);
    if (receipt === undefined || holders.length > mostHolders) return [];
    const block = Number(receipt.blockNumber);
    return holders.map((holder) => ({ holder, block }));
  });
  const notes = changes.slice(0, mostChanges).map(({ holder, block }) =>
    tryWrite(
      table.entities.fundsChange
        .put({ holder, block, waits: 0, expiresAt })
        .where((item, { notExists, lt }) => `${notExists(item.block)} OR ${lt(item.block, block)}`)
        .go(),
    ),
  );
  try {
    await Promise.all(notes);
  } catch (error) {
    log.warn("funds_change_unnoted", { error });
  }
}

/**
 * The maximum number of payments that wait for one change of a wallet's funds: the two payments for a text, and one retry of each
 * payment.
 */
const mostWaits = 4;

/**
 * Returns the block that a node must have reached before its answer about the wallet's balance and allowance is accepted. Returns
 * `undefined` if no change of the wallet's funds is stored, or if enough payments have already waited for the change. The function makes
 * one table request, or two requests if a change is stored.
 */
export async function findAwaitedBlock(
  { table, clock }: Ports,
  holder: Address,
  shownBlock: bigint,
): Promise<bigint | undefined> {
  const { data } = await table.entities.fundsChange.get({ holder }).go({ consistent: true });
  if (data === null || data.block <= shownBlock || data.expiresAt * 1000 < clock.now()) return undefined;
  const { block } = data;
  const isFew = await tryWrite(
    table.entities.fundsChange
      .patch({ holder })
      .add({ waits: 1 })
      .where((item, { eq, lt }) => `${eq(item.block, block)} AND ${lt(item.waits, mostWaits)}`)
      .go(),
  );
  return isFew ? BigInt(block) : undefined;
}
