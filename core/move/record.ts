import type { Clock } from "../port/clock.ts";
import type { MoveItem } from "../record/wallet.ts";
import { endWrites, type Lease } from "../relayer/index.ts";
import type { Table } from "../table.ts";
import { commit, type WriteEntities } from "../transact.ts";

type Ports = { readonly table: Table; readonly clock: Clock };

/** How a move ended. `cost`: USDG base units of gas. */
export type MoveEnd = {
  readonly state: "moved" | "failed";
  readonly cost: number;
  readonly txHash?: string | undefined;
};

/** The cost of a wallet's moves without what was given back: a claim that has lapsed has sent nothing. */
export function spentOf(last: MoveItem | undefined, now: number): number {
  if (last === undefined) return 0;
  return last.state === "claimed" && last.claimUntil < now ? last.spent - last.reserved : last.spent;
}

/** Claims a move with the key that sends it, where the record is as it was judged by. */
export async function claimMove(
  ports: Ports,
  item: MoveItem,
  judged: MoveItem | undefined,
  lease: Lease,
): Promise<"claimed" | "key_taken" | "overtaken"> {
  const outcome = await commit(ports, (entities) => ({
    key: lease.write(entities, item, ports.clock.now()),
    move: entities.move
      .put(item)
      .where(({ wallet, claim, state }, { notExists, eq }) =>
        judged === undefined
          ? notExists(wallet)
          : `${eq(claim, judged.claim)} AND ${eq(state, judged.state)}`,
      )
      .commit(),
  }));
  if (outcome.done) return "claimed";
  return outcome.refused.has("move") ? "overtaken" : "key_taken";
}

/** claimed → sent, as a part of the transaction that stores what is sent. */
export function sentWrite(
  { move }: Pick<WriteEntities, "move">,
  { wallet, claim }: MoveItem,
  txHash: string,
) {
  return move
    .patch({ wallet })
    .set({ state: "sent", txHash })
    .where((item, { eq }) => `${eq(item.claim, claim)} AND ${eq(item.state, "claimed")}`)
    .commit();
}

/** claimed → failed, with its key given back: nothing was sent. `false` where others have the record. */
export async function releaseMove(ports: Ports, item: MoveItem): Promise<boolean> {
  const { claim, relayer } = item;
  const { done } = await commit(ports, (entities) => ({
    key: endWrites(entities, { id: claim, relayer }, undefined).key,
    move: endWrite(entities, item, "claimed", { state: "failed", cost: 0 }),
  }));
  return done;
}

/** claimed | sent → moved | failed. `false` where another request has ended it. */
export async function endMove(ports: Ports, item: MoveItem, end: MoveEnd): Promise<boolean> {
  const { done } = await commit(ports, (entities) => ({ move: endWrite(entities, item, item.state, end) }));
  return done;
}

function endWrite(
  { move }: Pick<WriteEntities, "move">,
  item: MoveItem,
  from: MoveItem["state"],
  { state, cost, txHash = item.txHash }: MoveEnd,
) {
  const { pending: _, ...kept } = item;
  const spent = item.spent - item.reserved + cost;
  return move
    .put({ ...kept, state, reserved: 0, spent, ...(txHash !== undefined && { txHash }) })
    .where((stored, { eq }) => `${eq(stored.claim, item.claim)} AND ${eq(stored.state, from)}`)
    .commit();
}
