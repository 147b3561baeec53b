import { beforeAll, describe, expect, test } from "vitest";
import { lower } from "../../../core/chain/hex.ts";
import { encodeHeader, type PaymentPorts, pay } from "../../../core/payment/index.ts";
import type { Leg, PaymentRequired, PaymentRequirements } from "../../../core/payment/schema.ts";
import {
  fetchTerms,
  getTestAccount,
  listPress,
  payLeg,
  permit2,
  readBalance,
  signLeg,
  startPayments,
  usdg,
} from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { fund, setFrozen, setPaused } from "../../support/wallets.ts";
import { makeRefusal } from "./readers.ts";

/**
 * Ports with relayers that cannot sign. A payment that the service accepts is answered `payments_unavailable`, because no relayer can sign.
 */
let judging: PaymentPorts;
let pressId: number;
const publisher = getTestAccount(4);
const reader = getTestAccount(20);
const other = lower(getTestAccount(9).address);
const payer = lower(reader.address);

const payments = startPart(startPayments);
beforeAll(async () => {
  const sign = () => Promise.reject(new Error("The keys are out of order"));
  judging = { ...payments.ports, relayers: { ...payments.ports.relayers, sign } };
  await fund(payments, reader);
  pressId = await listPress(payments, publisher);
  await payLeg(payments, reader, "fee", pressId);
});

const accepted = { kind: "upstream", code: "payments_unavailable" };

/** Pays the publisher with the given terms in `accepted` and with the given signed permit. */
async function payWith(
  changes: Parameters<typeof signLeg>[4],
  falseTerms: Partial<Omit<PaymentRequirements, "scheme">> & { readonly scheme?: string } = {},
  ports: PaymentPorts = judging,
) {
  const { entry, header: signed } = await signLeg(payments, reader, "publisher", pressId, changes);
  const document: unknown = JSON.parse(Buffer.from(signed, "base64").toString());
  const header = encodeHeader(replaceAt(document, ["accepted"], { ...entry, ...falseTerms }));
  return pay(ports, { leg: "publisher", pressId, header });
}

/** Copies the given JSON document, and sets another value at the given path in the copy. */
function replaceAt(document: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const fields = new Map<string, unknown>(Object.entries(Object(document)));
  return Object.fromEntries(fields.set(key, replaceAt(fields.get(key), rest, value)));
}

/** Returns the payment terms that a new offer must contain. Apart from the ticket, these terms are equal to the given terms. */
function makeNewOffer(terms: PaymentRequired) {
  const accepts = terms.accepts.map(({ extra, ...entry }) => ({
    ...entry,
    extra: { ...extra, ticket: expect.stringMatching(/^[\w-]{43}$/) },
  }));
  return { ...terms, accepts };
}

/**
 * Expects a refusal with this code, with the current terms, and with the message of specification §7 if there is a message for the code.
 */
async function expectTerms(outcome: Promise<unknown>, code: string, words = "") {
  const before = await readBalance(payments, payer);
  const { terms } = await fetchTerms(payments, "publisher", pressId);
  expect(await outcome).toEqual({
    kind: "terms",
    hasText: false,
    receipt: undefined,
    terms: { ...makeNewOffer(terms), code, error: expect.stringContaining(words) },
  });
  expect(await readBalance(payments, payer)).toBe(before);
}

const mismatch = "doesn't match the current price or recipient";

describe("a payment with terms that differ from ours gets fresh terms, and nothing is charged (specification §7)", () => {
  test.each([
    ["a lower amount", { amount: 224_999n }, "permit2_amount_mismatch"],
    ["a higher amount", { amount: 225_001n }, "permit2_amount_mismatch"],
    ["the fee's amount", { amount: 25_000n }, "permit2_amount_mismatch"],
    ["another recipient", { to: other }, "invalid_permit2_recipient_mismatch"],
    ["the payer as recipient", { to: payer }, "invalid_permit2_recipient_mismatch"],
    ["another token", { token: other }, "permit2_token_mismatch"],
    ["another spender", { spender: other }, "invalid_permit2_spender"],
    ["Permit2 as spender", { spender: permit2 }, "invalid_permit2_spender"],
    ["the token as spender", { spender: usdg }, "invalid_permit2_spender"],
  ])("a permit with %s is refused, even if `accepted` names the right terms", async (_, changes, code) =>
    expectTerms(payWith(changes), code, mismatch),
  );

  test.each([
    ["another amount", { amount: "224999" }, "permit2_amount_mismatch"],
    ["the amount with zeros before it", { amount: "0225000" }, "permit2_amount_mismatch"],
    ["another recipient", { payTo: other }, "invalid_permit2_recipient_mismatch"],
    ["another token", { asset: other }, "permit2_token_mismatch"],
    ["another network", { network: "eip155:1" }, "invalid_exact_evm_network_mismatch"],
    ["the testnet", { network: "eip155:46630" }, "invalid_exact_evm_network_mismatch"],
    ["another scheme", { scheme: "upto" }, "unsupported_payload_type"],
  ])("a payment whose `accepted` has %s is refused, even if the permit is right", async (_, lies, code) =>
    expectTerms(payWith({}, lies), code, mismatch),
  );
});

describe("the service checks the deadline and the start of a permit by its own clock, exact to the second", () => {
  // In these tests the service's clock shows a time that is later than the chain's time, and earlier than the deadline of a usual permit.
  const now = BigInt(Math.floor(Date.now() / 1000)) + 240n;
  const makePortsAt = (milliseconds: number): PaymentPorts => ({
    ...judging,
    clock: { ...judging.clock, now: () => Number(now) * 1000 + milliseconds },
  });

  test.each([
    ["long past", 0n],
    ["past", now - 1n],
    ["now", now],
    ["too near", now + 5n],
  ])("a permit with a deadline that is %s is refused", async (_, deadline) =>
    expectTerms(payWith({ deadline }, {}, makePortsAt(999)), "permit2_deadline_expired", "expired"),
  );

  test.each([
    ["near", now + 6n],
    ["ten minutes in the future", now + 600n],
  ])("a permit with a deadline that is %s is accepted", async (_, deadline) =>
    expect(payWith({ deadline }, {}, makePortsAt(999))).rejects.toMatchObject(accepted),
  );

  test.each([
    ["a second farther than ten minutes in the future", now + 601n],
    ["as far as numbers go", 2n ** 256n - 1n],
  ])(
    "a permit with a deadline that is %s is refused, because others could charge the permit for too long",
    async (_, deadline) =>
      expectTerms(
        payWith({ deadline }, {}, makePortsAt(999)),
        "permit2_deadline_too_far",
        "300 seconds from now",
      ),
  );

  test.each([
    ["in a second", now + 1n],
    ["never", 2n ** 256n - 1n],
  ])("a permit that becomes valid %s is refused", async (_, validAfter) =>
    expectTerms(payWith({ validAfter }, {}, makePortsAt(999)), "permit2_not_yet_valid", "not valid yet"),
  );
});

describe("a payment that the chain would revert is refused before anything is sent", () => {
  test("a payment with a paused token is refused before anything is sent", async () => {
    await setPaused(payments, true);
    await expectTerms(payWith({}), "permit2_simulation_failed", "paused").finally(() =>
      setPaused(payments, false),
    );
  });

  test.each([
    ["the payer", payer],
    ["the recipient", lower(publisher.address)],
    ["Permit2", permit2],
  ])("a payment is refused while the address of %s is frozen", async (_, wallet) => {
    await setFrozen(payments, wallet, true);
    await expectTerms(payWith({}), "permit2_simulation_failed", "frozen").finally(() =>
      setFrozen(payments, wallet, false),
    );
  });

  test("a payment without a fault is accepted", () => expect(payWith({})).rejects.toMatchObject(accepted));
});

describe("a malformed payment header is refused (specification §7)", () => {
  const numbers = ["-1", String(2n ** 256n), "0x5", "1e3", "1.5", " 5", "", 5, null, [], {}];
  const addresses = [other.slice(0, -1), `${other}0`, other.slice(2), "vitalik.eth", "", 5, null];
  const permit = ["payload", "permit2Authorization"];
  const wrong: readonly (readonly [string, readonly unknown[]])[] = [
    ["x402Version", [1, 3, "2", null, undefined]],
    ["accepted", [null, [], "exact", undefined]],
    ["payload", [null, [], undefined]],
    ["payload.signature", ["0x0", "0xzz", "ff", 5, null, undefined, `0x${"00".repeat(5000)}`]],
    [permit.join("."), [null, [], undefined]],
    ...["permitted.amount", "nonce", "deadline", "witness.validAfter"].map(
      (field) => [[...permit, field].join("."), [...numbers, undefined]] as const,
    ),
    ...["permitted.token", "from", "spender", "witness.to"].map(
      (field) => [[...permit, field].join("."), [...addresses, undefined]] as const,
    ),
  ];

  test.each(wrong)(
    "a payment header with a wrong value of %s is refused as malformed",
    async (path, values) => {
      const { terms } = await fetchTerms(payments, "publisher", pressId);
      const { header } = await signLeg(payments, reader, "publisher", pressId);
      const document: unknown = JSON.parse(Buffer.from(header, "base64").toString());
      for (const value of values) {
        const changed = replaceAt(document, path.split("."), value);
        const outcome = await pay(judging, { leg: "publisher", pressId, header: encodeHeader(changed) });
        expect(outcome, `${path}: ${JSON.stringify(value)}`).toEqual({
          kind: "terms",
          hasText: false,
          receipt: undefined,
          terms: {
            ...makeNewOffer(terms),
            code: "malformed_payment_header",
            error: expect.stringContaining("Malformed payment header"),
          },
        });
      }
    },
  );
});

describe("the service checks some fields of a payment before it compares the payment's terms with the current terms", () => {
  test.each<Leg>(["fee", "publisher"])(
    "a payment for a press that is not live is answered with 404, whatever the header contains (%s)",
    async (leg) => {
      const signed = await signLeg(payments, reader, "publisher", pressId, { amount: 1n });
      for (const header of [undefined, "%%%", signed.header]) {
        await expect(pay(judging, { leg, pressId: 4_000, header })).rejects.toMatchObject({
          kind: "missing",
          code: "unknown_press",
        });
      }
    },
  );

  test("a payment to the publisher is answered with 409 if the fee is not paid yet, and its amounts, times and balances are not checked", async () => {
    const press = await listPress(payments, publisher);
    for (const changes of [{}, { amount: 1n }, { to: other }, { deadline: 0n }]) {
      const { header } = await signLeg(payments, reader, "publisher", press, changes);
      await expect(pay(judging, { leg: "publisher", pressId: press, header })).rejects.toMatchObject({
        kind: "conflict",
        code: "fee_first",
        message: "Pay the platform fee first.",
      });
    }
  });

  test("a caller who names a wallet, but sends no signature of the wallet, gets the terms and no receipt", async () => {
    const press = await listPress(payments, publisher);
    const { header } = await signLeg(payments, getTestAccount(9), "publisher", press, { from: payer });
    expect(await pay(judging, { leg: "publisher", pressId: press, header })).toMatchObject(
      makeRefusal("invalid_permit2_signature"),
    );
  });
});
