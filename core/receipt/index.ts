import { getAddress } from "viem/utils";
import type { Hex } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Payment from "../payment/index.ts";
import type { StatementSigner } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { ReceiptItem, Settled } from "../record/payment.ts";
import type { Table } from "../table.ts";
import { commit } from "../transact.ts";
import {
  type ReceiptPayload,
  type ReceiptSigner,
  receiptDigest,
  receiptDomain,
  receiptPayload,
  type SignedReceipt,
} from "./schema.ts";

type ReceiptPorts = {
  readonly table: Table;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "origin" | "chainId">;
  readonly signer: StatementSigner;
};

/** Milliseconds after a transaction's last settlement for which another leg may still be recorded. */
const completeAfter = 60 * 60 * 1000;

/**
 * The signed receipts of every leg that the transaction settled, in the order of its logs. A receipt is signed on first request and stored,
 * so its bytes never change. `final`: no more will follow. Two queries, and a signature and a write for each new receipt. Unsettled legs
 * have none. `transaction` is in lower case.
 * Throws `missing` `unknown_receipt` and `upstream` `receipt_unavailable`.
 */
export async function listReceipts(
  ports: ReceiptPorts,
  transaction: Hex,
): Promise<{ readonly receipts: readonly SignedReceipt[]; readonly final: boolean }> {
  const { transfer, receipt } = ports.table.entities;
  const whole = { consistent: true, pages: "all" } as const;
  const [transfers, kept] = await Promise.all([
    transfer.query.byLog({ txHash: transaction }).go(whole),
    receipt.query.byLog({ receiptOf: transaction }).go(whole),
  ]);
  const known = new Map(kept.data.map((item) => [item.logIndex, item]));
  const unsigned = transfers.data.filter(({ logIndex }) => !known.has(logIndex));
  const legs = (await Payment.readLegs(ports, unsigned)).filter(
    (leg) => leg.state === "settled" && leg.txHash === transaction,
  );
  // Signed one after another, because all keys of the AWS account share a quota of signatures that payments need.
  for (const { logIndex, wallet, pressId, leg } of unsigned) {
    const settled = legs.find(
      (each) => each.wallet === wallet && each.pressId === pressId && each.leg === leg,
    );
    if (settled?.state === "settled") known.set(logIndex, await issue(ports, settled, logIndex));
  }
  const items = [...known.values()].toSorted((a, b) => a.logIndex - b.logIndex);
  if (items.length === 0) throw unknownReceipt();
  const last = Math.max(...items.map(({ payload }) => payload.issuedAt)) * 1000;
  return { receipts: items.map(toReceipt), final: ports.clock.now() > last + completeAfter };
}

/** Signs a leg's receipt and stores it. Of two concurrent ones the first stays. */
async function issue(ports: ReceiptPorts, settled: Settled, logIndex: number): Promise<ReceiptItem> {
  const { leg, pressId } = settled;
  const network = Payment.network(ports.settings);
  const resourceUrl = Payment.legUrl(ports.settings, leg, pressId);
  const payload = receiptPayload({ ...settled, network, resourceUrl });
  const signature = await sign(ports.signer, payload);
  const item = { receiptOf: payload.transaction, logIndex, payload, signature };
  const { done } = await commit(ports, ({ receipt }) => ({ receipt: receipt.create(item).commit() }));
  if (done) return item;
  const { receiptOf } = item;
  const { data } = await ports.table.entities.receipt.get({ receiptOf, logIndex }).go({ consistent: true });
  if (data === null) throw unavailable(new Error("The receipt was neither stored nor found"));
  return data;
}

async function sign(signer: StatementSigner, payload: ReceiptPayload): Promise<Hex> {
  return signer.sign(receiptDigest(payload)).catch((error: unknown) => {
    throw error instanceof AppError && error.kind === "upstream" ? unavailable(error) : error;
  });
}

function toReceipt({ payload, signature }: ReceiptItem): SignedReceipt {
  const { version: _version, network, resourceUrl, payer, issuedAt, transaction } = payload;
  // In the extension's order of fields, whatever the table's order, so that the bytes are always the same.
  return {
    format: "eip712",
    payload: { version: 1, network, resourceUrl, payer, issuedAt, transaction },
    signature,
  };
}

export function unknownReceipt(): AppError {
  const message =
    "No payment for an article is recorded as settled by this transaction. If it was sent just now, ask again in a moment.";
  return new AppError("missing", "unknown_receipt", message);
}

function unavailable(cause: unknown): AppError {
  const message =
    "The receipt cannot be signed right now. The payment is settled and safe. Ask for the receipt again shortly.";
  return new AppError("upstream", "receipt_unavailable", message, { cause, retryAfter: 5 });
}

/** The signer of receipts as a key in the extension's terms: its DID (did:pkh). Throws `upstream` `signer_unavailable`. */
export async function receiptSigner(signer: StatementSigner): Promise<ReceiptSigner> {
  const address = getAddress(await signer.address());
  return { address, kid: `did:pkh:eip155:${receiptDomain.chainId}:${address}` };
}
