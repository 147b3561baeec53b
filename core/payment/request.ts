import type { Address } from "../chain/hex.ts";
import { isSignedByKey, normaliseSignature } from "../chain/signature.ts";
import { AppError } from "../error.ts";
import * as Gas from "../gas/index.ts";
import {
  type Authorization,
  type IdentifierItem,
  parseSettlement,
  type Settlement,
} from "../record/payment.ts";
import type { AgentItem } from "../record/press.ts";
import type { GasItem } from "../record/relayer.ts";
import type { SessionItem } from "../record/wallet.ts";
import { type Keys, readItemsWithKeys, type StoredItem } from "../relayer/index.ts";
import { makeSessionKey } from "../session/index.ts";
import { findMethod, findReason, type Payment, type TermsReason } from "./method.ts";
import { type Leg, legNames } from "./schema.ts";
import type { PaymentPorts } from "./settlement.ts";
import { checkForm, decodePayment, longestHeader } from "./terms.ts";

export type PayRequest = {
  readonly leg: Leg;
  /** The agent id. */
  readonly pressId: number;
  /** The payment header exactly as it was received, if the request has one. */
  readonly header: string | undefined;
  /**
   * The `sign-in-with-x` header exactly as it was received, if the request has one. The `sign-in-with-x` header counts only for the
   * publisher's leg.
   */
  readonly signIn?: string | undefined;
  /** The token of the caller's session, if the caller has a session. The token is not verified yet. */
  readonly token?: string | undefined;
  /**
   * If the request names a wallet, the terms are made for this wallet. If the wallet has paid the fee, the terms ask for the rest of the
   * price that was valid when the fee was paid.
   */
  readonly payer?: Address | undefined;
};

export const noPayment: TermsReason = {
  code: "payment_required",
  error: "Payment required: sign the terms and repeat the request with the payment-signature header.",
};

const malformed: TermsReason = {
  code: "malformed_payment_header",
  error: "Malformed payment header: it must be base64 of the JSON of an x402 version 2 payment.",
};

const makeTooLongReason = (bytes: number): TermsReason => ({
  code: "malformed_payment_header",
  error: `Malformed payment header: it has ${bytes} bytes, and the maximum is ${longestHeader}. Nothing was charged. Ask for the shorter terms with ?payer=<your wallet>, or leave out all extensions of the terms except payment-identifier.`,
});

/** The payment in a header, or the reason why the header contains no payment. */
function readHeader(header: string | undefined, settings: PaymentPorts["settings"]): Payment | TermsReason {
  if (header === undefined) return noPayment;
  const { length } = header;
  return length > longestHeader ? makeTooLongReason(length) : (decodePayment(header, settings) ?? malformed);
}

/** A payment that has passed the first checks, and the records at the time when the payment was received. */
export type PayAttempt = {
  readonly kind: "asked";
  readonly leg: Leg;
  readonly presented: Payment;
  readonly first: PayRecords;
};

/** The reason why the request contains no acceptable payment, and the input for the payment terms that are offered instead. */
export type NoPayment = {
  readonly kind: "unasked";
  readonly reason: TermsReason;
  readonly offered: PressLegs;
};

/**
 * Reads a request and the records, and checks the payment's header, form and signing key. A key's signature is checked without the chain.
 * Therefore the service can tell a wallet that the wallet has already paid, even if the payment header is outdated. `instead`: the reason
 * to return if the request has no payment, such as the reason why its sign-in message was refused.
 */
export async function readRequest(
  ports: PaymentPorts,
  { leg, pressId, header, token, payer }: PayRequest,
  instead: TermsReason | undefined,
): Promise<PayAttempt | NoPayment> {
  const { settings } = ports;
  const read = readHeader(header, settings);
  if ("code" in read) {
    const reason = read === noPayment ? (instead ?? read) : read;
    return { kind: "unasked", reason, offered: await readOffer(ports, pressId, payer) };
  }
  const { authorization, identifier, signature, digest } = read;
  const wallet = authorization.from;
  const first = await readState(ports, { pressId, wallet, authorization, identifier: identifier?.id, token });
  const method = findMethod(authorization);
  const known =
    first.spentOtherwise && isLegPayable(first, leg) ? findReason(method, method.spentRevert) : undefined;
  const reason = checkForm(settings, read) ?? known;
  if (reason !== undefined) return { kind: "unasked", reason, offered: first };
  const byKey = await isSignedByKey(wallet, digest, signature);
  const presented = { ...read, byKey, ...(byKey && { signature: normaliseSignature(signature) }) };
  return { kind: "asked", leg, presented, first };
}

/** Whether the wallet is allowed to pay the leg: the leg is unpaid, no payment for it is pending, and the fee is paid before the rest. */
function isLegPayable({ legs }: PayRecords, leg: Leg): boolean {
  const own = legs[leg];
  const mayPay = leg === "fee" || legs.fee?.state === "settled";
  return mayPay && (own === undefined || own.state === "failed");
}

/** All records of a payment. The records may have been read at different moments. */
export type PayRecords = {
  readonly key: StateKey;
  readonly agent: AgentItem;
  readonly legs: Readonly<Record<Leg, Settlement | undefined>>;
  /** The relayer keys, one of which will send the payment. */
  readonly keys: Keys;
  /** The cost of the gas that the wallet's failed payments have burned today. */
  readonly burned: GasItem | undefined;
  /** The first payload that was sent with this payment-identifier. */
  readonly identifier: IdentifierItem | undefined;
  /** The session that the request names, even if the session is not valid. */
  readonly session: SessionItem | undefined;
  /** Whether a search has already shown that the payment's nonce was spent for something else. */
  readonly spentOtherwise: boolean;
};

/** The values with which all records of a payment are found: its wallet, press, nonce, payment-identifier and session token. */
export type StateKey = {
  readonly pressId: number;
  readonly wallet: Address;
  readonly authorization: Authorization;
  readonly identifier: string | undefined;
  readonly token: string | undefined;
};

/**
 * Finds the facts of a press that a payment needs, such as its price. The press is given by its agent id. Throws `unknown_press`
 * (`missing`) if no live press has this agent id.
 */
export async function findAgent({ table }: Pick<PaymentPorts, "table">, pressId: number): Promise<AgentItem> {
  const { data } = await table.entities.agent.get({ pressId }).go({ consistent: true });
  return requireAgent(data);
}

/** A press, and the payer's two legs of the purchase. */
export type PressLegs = Pick<PayRecords, "agent" | "legs">;

/** Reads the inputs of the payment terms in one request: the press, and the legs of a known payer. Throws `unknown_press` (`missing`). */
async function readOffer(
  { table }: Pick<PaymentPorts, "table">,
  pressId: number,
  wallet: Address | undefined,
): Promise<PressLegs> {
  const { gets, entities } = table;
  const [press, fee, publisher] = await table.together([
    gets.agent({ pressId }),
    ...(wallet === undefined ? [] : legNames.map((leg) => gets.settlement({ wallet, pressId, leg }))),
  ]);
  return {
    agent: requireAgent(press === undefined ? null : entities.agent.parse(press).data),
    legs: { fee: parseLeg({ table }, fee), publisher: parseLeg({ table }, publisher) },
  };
}

/** Reads the press, both legs of the payer's purchase, and the relayers, in one consistent request. Throws `unknown_press` (`missing`). */
export async function readState(
  ports: Pick<PaymentPorts, "table" | "relayers" | "clock">,
  key: StateKey,
): Promise<PayRecords> {
  const { pressId, wallet, authorization, identifier, token } = key;
  const { gets, entities } = ports.table;
  const asked = [
    gets.agent({ pressId }),
    gets.settlement({ wallet, pressId, leg: "fee" }),
    gets.settlement({ wallet, pressId, leg: "publisher" }),
    // Payment-identifiers and session tokens are never empty, so a read with an empty key finds no record.
    gets.identifier({ wallet, identifier: identifier ?? "" }),
    gets.session(makeSessionKey(token ?? "")),
    gets.gas(Gas.makeBurnedKey(wallet, ports.clock.now())),
    gets.unpaid(makeUnpaidKey(authorization)),
  ];
  const { items, keys } = await readItemsWithKeys(ports, asked, ports.table.joined);
  const [press, fee, publisher, name, opened, burned, spent] = items;
  return {
    key,
    agent: requireAgent(press === undefined ? null : entities.agent.parse(press).data),
    legs: { fee: parseLeg(ports, fee), publisher: parseLeg(ports, publisher) },
    identifier: name === undefined ? undefined : (entities.identifier.parse(name).data ?? undefined),
    session: opened === undefined ? undefined : (entities.session.parse(opened).data ?? undefined),
    burned: burned === undefined ? undefined : (entities.gas.parse(burned).data ?? undefined),
    keys,
    spentOtherwise: spent !== undefined,
  };
}

function makeUnpaidKey({ from: wallet, method, nonce, to: payTo, amount }: Authorization) {
  return { wallet, method, nonce: String(nonce), payTo, amount: String(amount) };
}

/**
 * The number of seconds for which the table records that a nonce was spent for something else. A record is kept for at least as long as a
 * signature with the recorded nonce can be valid.
 */
const unpaidLifetime = 7 * 24 * 60 * 60;

/** Stores the result of a complete search for a spent nonce, so that the same payment needs no second search. */
export async function storeUnpaidNonce(
  { table, clock }: Pick<PaymentPorts, "table" | "clock">,
  authorization: Authorization,
): Promise<void> {
  const expiresAt = Math.floor(clock.now() / 1000) + unpaidLifetime;
  await table.entities.unpaid.put({ ...makeUnpaidKey(authorization), expiresAt }).go();
}

/** Parses a table item as the record of a leg of a purchase; `undefined` if there is no item. */
export function parseLeg(
  { table }: Pick<PaymentPorts, "table">,
  storedItem: StoredItem,
): Settlement | undefined {
  const item = storedItem === undefined ? null : table.entities.settlement.parse(storedItem).data;
  return item === null ? undefined : parseSettlement(item);
}

function requireAgent(agent: AgentItem | null): AgentItem {
  if (agent === null) throw new AppError("missing", "unknown_press", "No live press has this pressId.");
  return agent;
}
