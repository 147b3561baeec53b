import { lower } from "../../core/chain/hex.ts";
import * as Payment from "../../core/payment/index.ts";
import { type Leg, PayQuery } from "../../core/payment/schema.ts";
import { signedReadHeader } from "../browser.ts";
import { follow } from "./log.ts";
import { measure, meter } from "./meter.ts";
import { invalid, json, type Reply, sessionCookie } from "./reply.ts";
import * as runtime from "./runtime.ts";

export type Headers = Readonly<Record<string, string | undefined>>;

/** The payment header under either name (specification §4.4). */
export function paymentIn(headers: Headers): string | undefined {
  return headers["payment-signature"] ?? headers["x-payment"];
}

type PaidRequest = {
  readonly body: { readonly pressId: number };
  readonly headers: Headers;
  readonly token: string | undefined;
  readonly query: Readonly<Record<string, string | undefined>>;
};

/** What the settlement machine needs, from this container's runtime. */
export function paymentPorts(): Payment.PaymentPorts {
  return {
    table: runtime.table(),
    clock: runtime.clock,
    ids: runtime.ids,
    settings: runtime.settings(),
    chain: runtime.chain(),
    relayers: runtime.relayers(),
    meter,
  };
}

/** One leg over HTTP: x402 version 2's headers, and the replies of specification §4.4. */
export async function payLeg(leg: Leg, { body, headers, token, query }: PaidRequest): Promise<Reply> {
  follow({ agent: body.pressId });
  const asked = PayQuery.safeParse(query);
  if (!asked.success) throw invalid(asked.error);
  const { pressId } = body;
  const ports = paymentPorts();
  const outcome = await Payment.pay(ports, {
    leg,
    pressId,
    header: paymentIn(headers),
    signIn: headers[signedReadHeader],
    token,
    payer: asked.data.payer && lower(asked.data.payer),
  });
  const receipt = outcome.receipt && { "payment-response": Payment.encodeHeader(outcome.receipt) };
  if (outcome.kind === "terms") {
    const { method } = asked.data;
    const offered = method === undefined ? outcome.terms : Payment.offeringOnly(outcome.terms, method);
    const listed = Payment.withBazaar(offered, leg, pressId);
    const terms = leg === "publisher" ? Payment.withSignIn(ports, listed, pressId) : listed;
    measure({ PaymentRefused: 1 }, { code: terms.code });
    return json(terms, {
      status: 402,
      headers: { "payment-required": Payment.encodeHeader(terms), ...receipt },
    });
  }
  const { already, unlocked } = outcome;
  const paid = { paid: true, tx: outcome.receipt.transaction };
  if (unlocked !== undefined) {
    measure({ TextDelivered: 1 });
    const cookies =
      unlocked.token === undefined ? [] : [sessionCookie(runtime.settings().origin, unlocked.token)];
    return json({ ...paid, body: unlocked.body }, { headers: { ...receipt }, cookies });
  }
  return json(already ? { ...paid, already } : paid, { headers: { ...receipt } });
}
