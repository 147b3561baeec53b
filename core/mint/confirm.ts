import { type Address, lower } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { Clock } from "../port/clock.ts";
import type { Queue } from "../port/queue.ts";
import type { PressItem } from "../press/entity.ts";
import type { Minted, MintedInput, MintOrder } from "../press/schema.ts";
import type { Table } from "../table.ts";
import { type Claim, freeSlot, take } from "./claim.ts";
import { RefusalCode, refusal } from "./refusal.ts";

type Ports = { readonly table: Table; readonly clock: Clock; readonly mints: Queue<MintOrder> };

/** Milliseconds that a caller waits for the worker (design §5). */
const waitTime = 5_000;
const firstWait = 150;
const longestWait = 1_000;

/**
 * Confirms that a transaction minted the caller's approved press, and waits for the worker's word (design §5). A live
 * press answers at once with what it is, whatever transaction is named.
 *
 * Throws `missing` `unknown_press`, `conflict` `not_approved`, `limit` `too_many_mints`, `input` with the reason of a
 * refusal (`RefusalCode`), and `upstream` `mint_pending` while nobody can say yet: the same request will. Also
 * `queue_unavailable` and `press_busy`.
 */
export async function confirm(ports: Ports, wallet: Address, input: MintedInput): Promise<Minted> {
  const press = await ownPress(ports, wallet, input.id);
  if (press.status === "live") return published(press);
  if (press.status !== "approved") throw refusal("not_approved");
  const claim = { id: press.id, txHash: lower(input.txHash), wallet };
  const order = await take(ports, claim);
  if (order !== undefined) await send(ports, order);
  return awaitWorker(ports, claim);
}

async function ownPress({ table }: Pick<Ports, "table">, wallet: Address, id: number): Promise<PressItem> {
  const { data } = await table.entities.press.get({ id }).go({ consistent: true });
  if (data === null || data.publisher !== wallet) {
    throw new AppError("missing", "unknown_press", "You have no press with this id.");
  }
  return data;
}

async function send(ports: Ports, order: MintOrder): Promise<void> {
  try {
    await ports.mints.send(order);
  } catch (error) {
    // Nothing is under way: the next request must not take this claim for one that is.
    await freeSlot(ports, order);
    throw error;
  }
}

async function awaitWorker(ports: Ports, claim: Claim): Promise<Minted> {
  const { table, clock } = ports;
  const until = clock.now() + waitTime;
  for (let wait = firstWait; clock.now() + wait <= until; wait = Math.min(wait * 1.5, longestWait)) {
    await clock.sleep(wait);
    const { data } = await table.entities.mint
      .get({ id: claim.id, txHash: claim.txHash })
      .go({ consistent: true });
    if (data?.state === "done") return published(await ownPress(ports, claim.wallet, claim.id));
    if (data?.state === "refused") throw refusal(RefusalCode.parse(data.code));
  }
  throw pending();
}

function pending(): AppError {
  return new AppError(
    "upstream",
    "mint_pending",
    "The transaction is not confirmed yet. The service goes on looking for it. Send the same request again in a few seconds.",
    { retryAfter: 2 },
  );
}

function published({ id, slug, pressId }: PressItem): Minted {
  if (slug === undefined || pressId === undefined) throw new Error(`Press ${id} is live without an identity`);
  return { slug, pressId };
}
