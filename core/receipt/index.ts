import { getAddress, hashTypedData } from "viem/utils";
import type { Hex } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Payment from "../payment/index.ts";
import type { Leg, PaymentReceipt, PaymentRequired } from "../payment/schema.ts";
import type { StatementSigner } from "../port/chain.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import type { ReceiptItem, SettledLeg } from "../record/payment.ts";
import { commit } from "../transact.ts";
import {
  hashReceipt,
  makeReceiptPayload,
  offerDomain,
  offerTypes,
  type ReceiptPayload,
  type ReceiptSigner,
  receiptDomain,
  type SignedReceipt,
} from "./schema.ts";

type ReceiptPorts = Pick<AllPorts, "table" | "clock"> & {
  readonly settings: Pick<Settings, "origin" | "chainId">;
  readonly signer: StatementSigner;
};

/**
 * For this number of milliseconds after a transaction's last recorded payment, another payment of the same transaction can still be
 * recorded.
 */
const completeAfter = 60 * 60 * 1000;

/**
 * The signed receipts of all payments that the transaction has settled, in the order of the transaction's logs. A receipt is signed and
 * stored when it is first requested, so its bytes never change. If `final` is true, the list will get no more signed receipts. The function
 * makes two queries. For each new receipt, the function also makes one signature and one write. A payment that is not settled has no
 * receipt. `transaction` is in lower case. Throws `unknown_receipt` (`missing`) and `receipt_unavailable` (`upstream`).
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
  // The receipts are signed one after another, because all keys of the AWS account share one quota of signatures, and payments need this
  // quota too.
  for (const { logIndex, wallet, pressId, leg } of unsigned) {
    const settled = legs.find(
      (each) => each.wallet === wallet && each.pressId === pressId && each.leg === leg,
    );
    if (settled?.state === "settled") known.set(logIndex, await signAndStore(ports, settled, logIndex));
  }
  const items = [...known.values()].toSorted((a, b) => a.logIndex - b.logIndex);
  if (items.length === 0) throw makeMissingError();
  const last = Math.max(...items.map(({ payload }) => payload.issuedAt)) * 1000;
  return { receipts: items.map(toReceipt), final: ports.clock.now() > last + completeAfter };
}

/**
 * Signs the receipt of a payment and stores it. If two requests sign the same receipt at the same time, the receipt that was stored first
 * is kept.
 */
async function signAndStore(
  ports: ReceiptPorts,
  settled: SettledLeg,
  logIndex: number,
): Promise<ReceiptItem> {
  const { leg, pressId } = settled;
  const network = Payment.makeNetworkId(ports.settings);
  const resourceUrl = Payment.makeLegUrl(ports.settings, leg, pressId);
  const payload = makeReceiptPayload({ ...settled, network, resourceUrl });
  const signature = await sign(ports.signer, payload);
  const item = { receiptOf: payload.transaction, logIndex, payload, signature };
  const { done } = await commit(ports, ({ receipt }) => ({ receipt: receipt.create(item).commit() }));
  if (done) return item;
  const { receiptOf } = item;
  const { data } = await ports.table.entities.receipt.get({ receiptOf, logIndex }).go({ consistent: true });
  if (data === null) throw makeOutageError(new Error("The receipt was neither stored nor found"));
  return data;
}

async function sign(signer: StatementSigner, payload: ReceiptPayload): Promise<Hex> {
  return signer.sign(hashReceipt(payload)).catch((error: unknown) => {
    throw error instanceof AppError && error.kind === "upstream" ? makeOutageError(error) : error;
  });
}

function toReceipt({ payload, signature }: ReceiptItem): SignedReceipt {
  const { version: _version, network, resourceUrl, payer, issuedAt, transaction } = payload;
  // The fields of a receipt are put into the order of the x402 extension, not the order of the table, so that the bytes of a receipt are
  // always the same.
  return {
    format: "eip712",
    payload: { version: 1, network, resourceUrl, payer, issuedAt, transaction },
    signature,
  };
}

export function makeMissingError(): AppError {
  const message =
    "No payment for an article is recorded as settled by this transaction. If the transaction was sent just now, ask again in a moment.";
  return new AppError("missing", "unknown_receipt", message);
}

function makeOutageError(cause: unknown): AppError {
  const message =
    "The receipt cannot be signed right now. The payment is settled and safe. Ask for the receipt again shortly.";
  return new AppError("upstream", "receipt_unavailable", message, { cause, retryAfter: 5 });
}

/**
 * The key id of the signer of receipts is the signer's DID (did:pkh), as the x402 extension demands. Throws `signer_unavailable`
 * (`upstream`).
 */
export async function readReceiptSigner(signer: StatementSigner): Promise<ReceiptSigner> {
  const address = getAddress(await signer.address());
  return { address, kid: `did:pkh:eip155:${receiptDomain.chainId}:${address}` };
}

const extensionName = "offer-receipt";
const minute = 60_000;

/**
 * The maximum number of signatures that one process makes in a minute, and a lower maximum for offers. Once a process has made as many
 * signatures as the lower maximum, it signs only receipts for the rest of the minute. All keys of the AWS account share one quota of
 * signatures, and payments need this quota too.
 */
const mostAMinute = { receipt: 30, offer: 10 } as const;
/**
 * The maximum number of cached signatures, and the maximum number of milliseconds for which an answer waits for a signature. An answer to a
 * payment, or to a request for payment terms, waits until its receipt or offer is signed.
 */
const mostKept = 500;
const patienceMs = 500;

/**
 * Signs offers and receipts for the answers to payments, each payload only once. Returns `undefined` if signing would delay the payment. If
 * many payments arrive at once, the limit of signatures leaves most receipts unsigned, so the digest of a receipt is computed only if the
 * receipt will be signed.
 */
export type SignStatement = (
  kind: "offer" | "receipt",
  payload: object,
  digest: () => Hex,
) => Promise<Hex | undefined>;

export function makeSignStatement({
  signer,
  clock,
  log,
}: Pick<AllPorts, "clock" | "log"> & { readonly signer: StatementSigner }): SignStatement {
  const kept = new Map<string, Promise<Hex | undefined>>();
  let since = 0;
  let made = 0;
  return async (kind, payload, digest) => {
    const now = Math.floor(clock.now() / minute);
    if (now !== since) [since, made] = [now, 0];
    const name = JSON.stringify([kind, payload]);
    if (!kept.has(name)) {
      if (made >= mostAMinute[kind]) return undefined;
      made += 1;
      kept.set(name, signDigest(name, digest()));
      for (const old of [...kept.keys()].slice(0, -mostKept)) kept.delete(old);
    }
    return Promise.race([kept.get(name), clock.sleep(patienceMs).then(() => undefined)]);
  };

  async function signDigest(name: string, digest: Hex): Promise<Hex | undefined> {
    try {
      return await signer.sign(digest);
    } catch (error) {
      // A payment is valid without a signed receipt, so a failure to sign is only logged, and the next request tries to sign again.
      log.warn("statement_unsigned", { error });
      kept.delete(name);
      return undefined;
    }
  }
}

type SigningPorts = Pick<AllPorts, "settings" | "clock"> & { readonly statements: SignStatement };

/**
 * The terms with a signed offer (x402's offer-receipt, §4). Amount, payee and token are the same for every payment method, so one offer
 * covers all methods. The offer contains no ticket, so all callers within a minute get the same offer.
 */
export async function addOffer(
  { statements, settings, clock }: SigningPorts,
  terms: PaymentRequired,
  leg: Leg,
  pressId: number,
): Promise<PaymentRequired> {
  const [entry] = terms.accepts;
  if (entry === undefined) return terms;
  const { scheme, network, asset, payTo, amount, maxTimeoutSeconds } = entry;
  const ends = Math.ceil((clock.now() + 1) / minute) * 60 + maxTimeoutSeconds;
  const resourceUrl = Payment.makeLegUrl(settings, leg, pressId);
  const payload = { version: 1, resourceUrl, scheme, network, asset, payTo, amount, validUntil: ends };
  const message = { ...payload, version: 1n, validUntil: BigInt(ends) };
  const signature = await statements("offer", payload, () =>
    hashTypedData({ domain: offerDomain, types: offerTypes, primaryType: "Offer", message }),
  );
  const info =
    signature === undefined
      ? {
          offers: [],
          unsigned:
            "The offer is not signed now: ask again in a minute. The terms are valid without a signature.",
        }
      : { offers: [{ format: "eip712", acceptIndex: 0, payload, signature }] };
  return { ...terms, extensions: { ...terms.extensions, [extensionName]: { info, schema: {} } } };
}

/** The `payment-response` of a settled payment, with the payment's signed receipt (x402's offer-receipt, §5). */
export async function addReceipt(
  { statements, settings }: SigningPorts,
  { receipt, settledAt }: { readonly receipt: PaymentReceipt; readonly settledAt: string },
  leg: Leg,
  pressId: number,
): Promise<PaymentReceipt> {
  const { payer: wallet, transaction: txHash } = receipt;
  const payload = makeReceiptPayload({
    network: receipt.network,
    resourceUrl: Payment.makeLegUrl(settings, leg, pressId),
    wallet,
    txHash,
    settledAt,
  });
  const signature = await statements("receipt", payload, () => hashReceipt(payload));
  const info =
    signature === undefined
      ? { unsigned: `Not signed in time: GET ${settings.origin}/api/receipts/${txHash}` }
      : { receipt: { format: "eip712", payload, signature } };
  return { ...receipt, extensions: { [extensionName]: { info, schema: {} } } };
}
