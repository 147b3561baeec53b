import { hashTypedData } from "viem/utils";
import type { Hex } from "../chain/hex.ts";
import * as Payment from "../payment/index.ts";
import type { Leg, PaymentReceipt, PaymentRequired } from "../payment/schema.ts";
import type { StatementSigner } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/cloud.ts";
import type { Settings } from "../port/settings.ts";
import { offerDomain, offerTypes, receiptDigest, receiptPayload } from "./schema.ts";

const key = "offer-receipt";
const minute = 60_000;

/**
 * The most signatures of one process in a minute, and the number after which it signs no offers. All keys of the AWS account share a quota
 * of signatures that payments need.
 */
const mostAMinute = { receipt: 30, offer: 10 } as const;
/** The number of cached signatures, and milliseconds that a payment or its terms wait for one. */
const mostKept = 500;
const patienceMs = 500;

/**
 * Signs offers and receipts for payments' answers: each payload once, or `undefined` when signing would delay the payment. A crowd's
 * receipts are mostly beyond the limit, so a digest is made only where it is signed.
 */
export type Statements = (
  kind: "offer" | "receipt",
  payload: object,
  digest: () => Hex,
) => Promise<Hex | undefined>;

export function openStatements({
  signer,
  clock,
  log,
}: {
  readonly signer: StatementSigner;
  readonly clock: Clock;
  readonly log: Log;
}): Statements {
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
      kept.set(name, signOnce(name, digest()));
      for (const old of [...kept.keys()].slice(0, -mostKept)) kept.delete(old);
    }
    return Promise.race([kept.get(name), clock.sleep(patienceMs).then(() => undefined)]);
  };

  async function signOnce(name: string, digest: Hex): Promise<Hex | undefined> {
    try {
      return await signer.sign(digest);
    } catch (error) {
      // The payment is valid without a signature, so a failure is only logged, and the next request tries again.
      log.warn("statement_unsigned", { error });
      kept.delete(name);
      return undefined;
    }
  }
}

type Signing = { readonly statements: Statements; readonly settings: Settings; readonly clock: Clock };

/**
 * The terms with a signed offer (x402's offer-receipt, §4). Amount, payee and token are the same for every method, so one offer covers all.
 * It contains no ticket, so it is the same for everybody within a minute.
 */
export async function withOffer(
  { statements, settings, clock }: Signing,
  terms: PaymentRequired,
  leg: Leg,
  pressId: number,
): Promise<PaymentRequired> {
  const [entry] = terms.accepts;
  if (entry === undefined) return terms;
  const { scheme, network, asset, payTo, amount, maxTimeoutSeconds } = entry;
  const ends = Math.ceil((clock.now() + 1) / minute) * 60 + maxTimeoutSeconds;
  const resourceUrl = Payment.legUrl(settings, leg, pressId);
  const payload = { version: 1, resourceUrl, scheme, network, asset, payTo, amount, validUntil: ends };
  const message = { ...payload, version: 1n, validUntil: BigInt(ends) };
  const signature = await statements("offer", payload, () =>
    hashTypedData({ domain: offerDomain, types: offerTypes, primaryType: "Offer", message }),
  );
  const info =
    signature === undefined
      ? {
          offers: [],
          unsigned: "Not signed now: ask again in a minute. The terms are valid without a signature.",
        }
      : { offers: [{ format: "eip712", acceptIndex: 0, payload, signature }] };
  return { ...terms, extensions: { ...terms.extensions, [key]: { info, schema: {} } } };
}

/** The `payment-response` of a settled leg with its signed receipt (§5). */
export async function withReceipt(
  { statements, settings }: Signing,
  { receipt, settledAt }: { readonly receipt: PaymentReceipt; readonly settledAt: string },
  leg: Leg,
  pressId: number,
): Promise<PaymentReceipt> {
  const { payer: wallet, transaction: txHash } = receipt;
  const payload = receiptPayload({
    network: receipt.network,
    resourceUrl: Payment.legUrl(settings, leg, pressId),
    wallet,
    txHash,
    settledAt,
  });
  const signature = await statements("receipt", payload, () => receiptDigest(payload));
  const info =
    signature === undefined
      ? { unsigned: `Not signed in time: GET ${settings.origin}/api/receipts/${txHash}` }
      : { receipt: { format: "eip712", payload, signature } };
  return { ...receipt, extensions: { [key]: { info, schema: {} } } };
}
