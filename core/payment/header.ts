import type { Hex } from "../chain/hex.ts";
import type { Permit } from "../chain/permit2.ts";
import { PaymentPayload } from "./schema.ts";

/** A payment as its payer sent it, not yet believed. */
export type Payment = {
  readonly accepted: PaymentPayload["accepted"];
  readonly permit: Permit;
  /** As it came: only a key's signature may be brought to another form, a contract's means what its contract says. */
  readonly signature: Hex;
};

const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Reads a payment header: base64 (either alphabet) of the JSON of specification §4.4; `undefined` for anything else. */
export function decodePayment(header: string): Payment | undefined {
  if (!base64.test(header)) return undefined;
  const parsed = PaymentPayload.safeParse(json(Buffer.from(header, "base64").toString("utf8")));
  if (!parsed.success) return undefined;
  const { permit2Authorization: signed, signature } = parsed.data.payload;
  return {
    accepted: parsed.data.accepted,
    signature,
    permit: {
      from: signed.from,
      token: signed.permitted.token,
      amount: signed.permitted.amount,
      spender: signed.spender,
      nonce: signed.nonce,
      deadline: signed.deadline,
      validAfter: signed.witness.validAfter,
      to: signed.witness.to,
    },
  };
}

/** A protocol document as a header carries it. */
export function encodeHeader(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString("base64");
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the schema refuses `undefined` like any other wrong content.
    return undefined;
  }
}
