import { answered } from "../chain/call.ts";
import { receiptIn } from "../chain/receipt.ts";
import type { SettlementItem } from "./entity.ts";
import { methodOf } from "./method.ts";
import type { PaymentPorts } from "./ports.ts";
import { isSent, type SentSettlement } from "./sent.ts";
import { authorizationOf } from "./standing.ts";

/** Settlements that one look takes in, those that have not moved for longest first. */
const most = 100;

/** Milliseconds after which the reconciler, which comes every minute, has had its chance. */
const reconciled = 150_000;

/** What is under way, the oldest first. */
export type UnderWay = {
  readonly items: readonly SettlementItem[];
  /** Milliseconds since the oldest has moved, 0 when nothing is under way. */
  readonly oldest: number;
};

/** Looks at the settlements that have neither succeeded nor failed. Apart from the reconciler, so that its end is seen. */
export async function underWay({ table, clock }: Pick<PaymentPorts, "table" | "clock">): Promise<UnderWay> {
  const { data: items } = await table.entities.settlement.query
    .inFlight({ pending: "pending" })
    .go({ limit: most, order: "asc" });
  const now = clock.now();
  return { items, oldest: Math.max(0, ...items.map(({ changedAt }) => now - changedAt)) };
}

/**
 * How many of them the chain has settled without our having recorded it, though the reconciler has had its chance: money
 * moved and nothing delivered. Must be 0. Throws `upstream` when the chain cannot say.
 */
export async function undelivered(
  ports: Pick<PaymentPorts, "table" | "clock" | "chain" | "settings">,
  { items }: UnderWay,
): Promise<number> {
  const before = ports.clock.now() - reconciled;
  const old = items.filter(({ changedAt }) => changedAt < before).filter(isSent);
  const paid = await Promise.all(old.map((item) => isPaid(ports, item)));
  const unrecorded = await Promise.all(
    old.filter((_, index) => paid[index]).map((item) => isStillUnderWay(ports, item)),
  );
  return unrecorded.filter(Boolean).length;
}

async function isPaid(
  { chain, settings }: Pick<PaymentPorts, "chain" | "settings">,
  sent: SentSettlement,
): Promise<boolean> {
  const outcomes = await chain.batch(
    [sent.txHash, ...(sent.replaced ?? [])].map((hash) => ({
      method: "eth_getTransactionReceipt",
      params: [hash],
    })),
  );
  const receipts = outcomes.flatMap((outcome) => receiptIn(answered(outcome)) ?? []);
  const authorization = authorizationOf(sent);
  const { paidBy } = methodOf(authorization);
  return receipts.some((receipt) => paidBy(settings, authorization, receipt).length > 0);
}

/** The index lags behind the table: what counts is read from the table itself. */
async function isStillUnderWay(
  { table }: Pick<PaymentPorts, "table">,
  { wallet, pressId, leg }: SettlementItem,
): Promise<boolean> {
  const { data } = await table.entities.settlement.get({ wallet, pressId, leg }).go({ consistent: true });
  return data?.pending === "pending";
}
