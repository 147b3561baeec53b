import { refused, transact } from "../transact.ts";
import { type Answering, sessionWrites } from "./answer.ts";
import type { SettlementItem } from "./entity.ts";
import { countBurned, returnGas } from "./gas-budget.ts";
import type { Proof } from "./method.ts";
import type { PaymentPorts } from "./ports.ts";

type RecordPorts = Pick<PaymentPorts, "table" | "clock" | "meter">;

/**
 * The end of a settlement that the chain has confirmed by this transfer, in one transaction: the record (for a publisher leg it is the
 * unlock), the transfer that paid it, the press's reads and earnings, the relayer given back and, where an answer is given
 * at once, that it is, with its session (invariants 3 and 5). `undefined` when somebody else has ended it meanwhile, or when the transfer has
 * paid for something else.
 */
export async function finish(
  ports: RecordPorts,
  from: SettlementItem,
  { txHash, logIndex }: Proof,
  answer?: Answering,
): Promise<SettlementItem | undefined> {
  const { wallet, pressId, leg } = from;
  const now = ports.clock.now();
  const settledAt = new Date(now).toISOString();
  const { failure: _failure, ...kept } = ended(from);
  const settled: SettlementItem = {
    ...kept,
    state: "settled",
    txHash,
    changedAt: now,
    settledAt,
    ...(leg === "publisher" && { unlockedBy: wallet, unlockedAt: settledAt, unlockedPress: pressId }),
    ...(answer !== undefined && { answeredAt: settledAt }),
  };
  const end = await conclude(ports, from, settled, { landed: txHash, burned: 0 }, (entities) => [
    entities.transfer.create({ txHash, logIndex, wallet, pressId, leg }).commit(),
    ...(leg === "publisher"
      ? [
          entities.press
            .patch({ id: from.id })
            .add({ reads: 1, earnedUnits: Number(from.signed.amount) })
            .commit(),
        ]
      : []),
    ...(answer === undefined ? [] : sessionWrites(entities, ports, wallet, answer)),
  ]);
  if (end !== undefined) ports.meter.count({ name: "LegSettled", leg });
  return end;
}

/** How a settlement came to nothing. */
export type Failure = {
  /** The protocol's code. */
  readonly code: string;
  /** Its transaction that the chain took and reverted, and the gas units that it used. */
  readonly landed?: { readonly txHash: string; readonly gasUsed: bigint } | undefined;
  /** Whether its permit can no longer be charged. Until then it is watched (invariant 1). */
  readonly over: boolean;
};

/**
 * The end of a settlement by which we have moved no money: the claim is given back (invariant 4), and what it has burned
 * of our gas is counted (invariant 8). `undefined` when somebody else has ended it meanwhile.
 */
export async function fail(
  ports: RecordPorts,
  from: SettlementItem,
  { code: failure, landed, over }: Failure,
): Promise<SettlementItem | undefined> {
  const { earlier = [] } = from;
  const failed: SettlementItem = {
    ...ended(from),
    state: "failed",
    failure,
    changedAt: ports.clock.now(),
    ...(earlier.length > 0 && { earlier }),
    ...((!over || earlier.length > 0) && { pending: "watched" }),
  };
  const burned = Number(landed?.gasUsed ?? 0n);
  const end = await conclude(ports, from, failed, { landed: landed?.txHash, burned }, () => []);
  if (end === undefined) return undefined;
  ports.meter.count({ name: "SettlementFailed", code: failure });
  if (burned > 0) await countBurned(ports, from, burned);
  return end;
}

type WriteEntities = Parameters<Parameters<PaymentPorts["table"]["transaction"]["write"]>[0]>[0];
type Action = ReturnType<Parameters<PaymentPorts["table"]["transaction"]["write"]>[0]>[number];

async function conclude(
  ports: RecordPorts,
  from: SettlementItem,
  to: SettlementItem,
  { landed, burned }: { readonly landed: string | undefined; readonly burned: number },
  also: (entities: WriteEntities) => readonly Action[],
): Promise<SettlementItem | undefined> {
  // The lease may have passed to another settlement; then there is no relayer left to give back.
  for (const holdsRelayer of from.state === "failed" ? [false] : [true, false]) {
    const outcome = await transact(ports.clock, () =>
      ports.table.transaction
        .write((entities) => [
          entities.settlement
            .put(to)
            .where((item, { eq }) => `${eq(item.state, from.state)} AND ${eq(item.claim, from.claim)}`)
            .commit(),
          ...(holdsRelayer
            ? [
                entities.relayer
                  .patch({ address: from.relayer })
                  .remove(["lease", "leaseUntil", "inFlight"])
                  // Counting a nonce that the chain has not seen would leave a gap that every later one waits behind.
                  .add({ nextNonce: landed !== undefined && landed === from.txHash ? 1 : 0 })
                  .where((item, { eq }) => eq(item.lease, from.claim))
                  .commit(),
              ]
            : []),
          ...(from.gas === undefined
            ? []
            : [returnGas(entities, from.wallet, from.gas, burned, ports.clock.now())]),
          ...also(entities),
        ])
        .go(),
    );
    if (!outcome.canceled) return to;
    if (!(holdsRelayer && refused(outcome, 1) && !refused(outcome, 0))) return undefined;
  }
  return undefined;
}

/** What is left of a record when nothing is under way any more. */
function ended(from: SettlementItem): SettlementItem {
  const {
    pending: _pending,
    rawTx: _rawTx,
    replaced: _replaced,
    earlier: _earlier,
    gas: _gas,
    ...kept
  } = from;
  return kept;
}
