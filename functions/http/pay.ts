import { lower } from "../../core/chain/hex.ts";
import * as Payment from "../../core/payment/index.ts";
import { type Leg, PayInput, PayQuery } from "../../core/payment/schema.ts";
import * as Press from "../../core/press/index.ts";
import { addOffer, addReceipt } from "../../core/receipt/index.ts";
import { signedReadHeader } from "../browser.ts";
import { makeHandler, type Request } from "../lib/endpoint.ts";
import { addLogFields } from "../lib/log.ts";
import { logMetrics } from "../lib/meter.ts";
import { makeJson, makeSessionCookie, parseQuery, type Reply } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const treasury = makeHandler(
  "pay-treasury",
  PayInput,
  (request) => payLeg("fee", request),
  addNewestPress,
);

export const publisher = makeHandler(
  "pay-publisher",
  PayInput,
  (request) => payLeg("publisher", request),
  addNewestPress,
);

/**
 * API directories for x402 call a paid endpoint without a body and expect payment terms, so API directories get the terms of the newest
 * press. A request with a payment must name the press.
 */
async function addNewestPress(body: unknown, headers: RequestHeaders): Promise<unknown> {
  if (!isEmptyBody(body) || readPayment(headers) !== undefined) return body;
  const { presses } = await Press.list({ table: runtime.table() }, { limit: 1 });
  const [newest] = presses;
  return newest === undefined ? body : { pressId: newest.pressId };
}

function isEmptyBody(body: unknown): boolean {
  if (body === undefined) return true;
  return typeof body === "object" && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}

type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** Reads the payment header under either of its two names (specification §4.4). */
function readPayment(headers: RequestHeaders): string | undefined {
  return headers["payment-signature"] ?? headers["x-payment"];
}

/** Makes one of the two payments for a press over HTTP, with the headers of x402 version 2 and the answers of specification §4.4. */
async function payLeg(leg: Leg, { body, headers, token, query }: Request<PayInput>): Promise<Reply> {
  addLogFields({ agent: body.pressId });
  const { method, payer } = parseQuery(PayQuery, query);
  const { pressId } = body;
  const ports = runtime.makePaymentPorts();
  const outcome = await Payment.pay(ports, {
    leg,
    pressId,
    header: readPayment(headers),
    signIn: headers[signedReadHeader],
    token,
    payer: payer && lower(payer),
  });
  const signing = { ...ports, statements: runtime.statements() };
  const shown = outcome.kind === "paid" ? await addReceipt(signing, outcome, leg, pressId) : outcome.receipt;
  const receipt = shown && { "payment-response": Payment.encodeHeader(shown) };
  if (outcome.kind === "terms") {
    const offered = method === undefined ? outcome.terms : Payment.keepMethodTerms(outcome.terms, method);
    // Clients send the payment terms back in a header, so the terms are kept short. A caller that names its payer is not an API directory,
    // so the terms contain the part for API directories only if no payer is named. If the request names a payer that has not bought the
    // text, the terms do not contain the sign-in message.
    const listed = payer === undefined ? Payment.addBazaar(offered, leg, pressId) : offered;
    const isReadable = leg === "publisher" && (payer === undefined || outcome.hasText);
    const readable = isReadable ? Payment.addSignIn(ports, listed, pressId) : listed;
    const terms = await addOffer(signing, readable, leg, pressId);
    logMetrics({ PaymentRefused: 1 }, { code: terms.code });
    return makeJson(terms, {
      status: 402,
      headers: { "payment-required": Payment.encodeHeader(terms), ...receipt },
    });
  }
  const { already, unlocked } = outcome;
  const paid = { paid: true, tx: outcome.receipt.transaction };
  if (unlocked !== undefined) {
    logMetrics({ TextDelivered: 1 });
    const cookies =
      unlocked.token === undefined ? [] : [makeSessionCookie(runtime.readSettings().origin, unlocked.token)];
    return makeJson({ ...paid, body: unlocked.body }, { headers: { ...receipt }, cookies });
  }
  return makeJson(already ? { ...paid, already } : paid, { headers: { ...receipt } });
}
