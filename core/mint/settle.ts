import { lower } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Market from "../market/index.ts";
import type { PageOrder } from "../page/schema.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { MarketData } from "../port/market.ts";
import type { Queue } from "../port/queue.ts";
import type { Settings } from "../port/settings.ts";
import { metaUrl } from "../press/index.ts";
import type { MintOrder } from "../press/schema.ts";
import type { Table } from "../table.ts";
import type { VerdictOrder } from "../verdict/schema.ts";
import { type Claim, grace, note } from "./claim.ts";
import { prove } from "./proof.ts";
import { goLive } from "./publish.ts";
import type { RefusalCode } from "./refusal.ts";

export type SettlePorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly chain: Chain;
  readonly market: MarketData;
  readonly mints: Queue<MintOrder>;
  readonly verdicts: Queue<VerdictOrder>;
  readonly pageOrders: Queue<PageOrder>;
  readonly settings: Settings;
};

type Verdict =
  | { readonly status: "done"; readonly wentLive: boolean }
  | { readonly status: "refused"; readonly code: RefusalCode }
  | { readonly status: "later"; readonly otherwise: RefusalCode };

/** What became of a message: `later` is sent again, and `wentLive` tells the first confirmation from repeats. */
export type Settled =
  | Extract<Verdict, { readonly status: "done" | "refused" }>
  | { readonly status: "later" };

/** With the pauses of `pauseAfter`: about half an hour. */
const lastAttempt = 183;

/** How often the press is looked at anew because it changed under way. */
const looks = 3;

/**
 * Works on one message: makes the press live, notes why not, or sends the message again for later. A message that
 * comes twice, or beside another of the same press, ends in the same state.
 * Throws what is nobody's doing (the table, a queue that takes nothing): the queue then delivers the message again.
 */
export async function settle(ports: SettlePorts, order: MintOrder): Promise<Settled> {
  const claim: Claim = { id: order.id, txHash: lower(order.txHash), wallet: lower(order.wallet) };
  const verdict = await judge(ports, claim);
  if (verdict.status === "done") {
    // First the publisher, who waits. Who has work with a live press is told before this message ends, so that it comes
    // again if one of them cannot be.
    const { id, wallet } = claim;
    const publishedAt = new Date(ports.clock.now()).toISOString();
    await Promise.all([
      note(ports, claim, { state: "done" }),
      ports.table.entities.publisher.put({ wallet, publishedAt }).go(),
    ]);
    await Promise.all([ports.pageOrders.send({ id }), ports.verdicts.send({ id })]);
    return verdict;
  }
  if (verdict.status === "refused") return refuse(ports, claim, verdict.code);
  if (order.attempt >= lastAttempt) return refuse(ports, claim, verdict.otherwise);
  const delaySeconds = pauseAfter(order.attempt);
  await note(ports, claim, { state: "pending", dueAt: ports.clock.now() + delaySeconds * 1000 + grace });
  await ports.mints.send({ ...claim, attempt: order.attempt + 1 }, { delaySeconds });
  return { status: "later" };
}

async function refuse(ports: SettlePorts, claim: Claim, code: RefusalCode): Promise<Settled> {
  await note(ports, claim, { state: "refused", code });
  return { status: "refused", code };
}

/** Seconds. */
function pauseAfter(attempt: number): number {
  return Math.min(1 + attempt, 10);
}

async function judge(ports: SettlePorts, claim: Claim): Promise<Verdict> {
  for (let left = looks; left > 0; left -= 1) {
    const verdict = await look(ports, claim);
    if (verdict !== "changed") return verdict;
  }
  return { status: "later", otherwise: "confirmation_timed_out" };
}

async function look(ports: SettlePorts, claim: Claim): Promise<Verdict | "changed"> {
  const { entities } = ports.table;
  const [{ data: press }, { data: spent }] = await Promise.all([
    entities.press.get({ id: claim.id }).go({ consistent: true }),
    entities.minted.get({ txHash: claim.txHash }).go({ consistent: true }),
  ]);
  if (press === null || press.publisher !== claim.wallet) {
    throw new Error(`A mint of press ${claim.id} was claimed by one who does not own it`);
  }
  if (press.status === "live") return { status: "done", wentLive: false };
  if (spent !== null) return { status: "refused", code: "transaction_already_used" };
  if (press.status !== "approved") return { status: "refused", code: "not_approved" };

  const proof = await proofFor(ports, claim);
  if (proof.status !== "minted") return proof;
  const mark = await Market.markNow(ports, press.stock);
  if (mark === undefined) return { status: "later", otherwise: "confirmation_timed_out" };
  return goLive(ports, press, { txHash: claim.txHash, agentId: proof.agentId, mark });
}

type Minted = { readonly status: "minted"; readonly agentId: number };

async function proofFor(
  { chain, settings }: SettlePorts,
  claim: Claim,
): Promise<Minted | Exclude<Verdict, { status: "done" }>> {
  try {
    const proof = await prove(
      { chain, registry: settings.contracts.identityRegistry },
      { ...claim, metaUrl: metaUrl(settings.origin, claim.id) },
    );
    return proof.status === "unmined" ? { status: "later", otherwise: "transaction_not_found" } : proof;
  } catch (error) {
    if (error instanceof AppError && error.kind === "upstream") {
      return { status: "later", otherwise: "confirmation_timed_out" };
    }
    throw error;
  }
}
