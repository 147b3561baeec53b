import { keccak256, stringToHex } from "viem/utils";
import type { Hex } from "../chain/hex.ts";
import type { Authorization, SignedFor } from "./authorization.ts";
import { authorizationIn } from "./method.ts";
import { PaymentPayload } from "./schema.ts";

/** A payment as its payer sent it, not yet believed. */
export type Payment = {
  readonly accepted: PaymentPayload["accepted"];
  readonly authorization: Authorization;
  /** As it came: only a key's signature may be brought to another form, a contract's means what its contract says. */
  readonly signature: Hex;
  /** The payer's name for this attempt (x402 extension payment-identifier), with a digest of what it names. */
  readonly identifier: Identifier | undefined;
  /** Hash of the ticket of the terms, where the payer echoes it. It never goes on the chain. */
  readonly ticket: Hex | undefined;
};

export type Identifier = { readonly id: string; readonly digest: string };

/**
 * Bytes of the longest payment header. AWS's gateway takes 10,240 for the request line and all headers together, and browsers and
 * the edge need some of them; it would refuse what is longer before anybody could say why.
 */
export const longestHeader = 8_192;

const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Reads a payment header: base64 (either alphabet) of the JSON of specification §4.4; `undefined` for anything else.
 * A payment is signed for the stage's chain and token.
 */
export function decodePayment(header: string, settings: SignedFor): Payment | undefined {
  if (!base64.test(header)) return undefined;
  const parsed = PaymentPayload.safeParse(json(Buffer.from(header, "base64").toString("utf8")));
  if (!parsed.success) return undefined;
  const authorization = authorizationIn(parsed.data.payload, settings);
  if (authorization === undefined) return undefined;
  const ticket = parsed.data.accepted.extra?.ticket;
  return {
    accepted: parsed.data.accepted,
    authorization,
    signature: parsed.data.payload.signature,
    ticket: ticket === undefined ? undefined : keccak256(stringToHex(ticket)),
    identifier: identifierOf(parsed.data),
  };
}

/** A protocol document as a header carries it. */
export function encodeHeader(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString("base64");
}

/** Same id and same payload is the same attempt; the digest is over the payload as it was understood. */
function identifierOf({ accepted, payload, extensions }: PaymentPayload): Identifier | undefined {
  const id = extensions?.["payment-identifier"]?.info.id;
  if (id === undefined) return undefined;
  const text = JSON.stringify([accepted, payload], (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return { id, digest: keccak256(stringToHex(text)) };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the schema refuses `undefined` like any other wrong content.
    return undefined;
  }
}
