import { maxUint256 } from "viem";
import { expect } from "vitest";
import { type Address, type Hex, lower } from "../../../core/chain/hex.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { makeRefusal } from "../../support/http-payer.ts";
import { prove, proveEach } from "../holds.ts";
import {
  encodeHeader,
  makeMessage,
  makePaymentDocument,
  makeSignedPayment,
  makeTypes,
  type PermitMessage,
  permitTypes,
  type SigningFault,
  signPermit,
} from "../world/permit.ts";
import { makeReader, requestEntry, sendPayRequest, Terms } from "../world/purse.ts";
import { makeOnce } from "../world/scene.ts";
import { readTokenBalance } from "../world/token.ts";
import { fee, press } from "./purchase-scene.ts";

/** A wallet whose payments are all invalid, so the service must never charge it. */
const liar = makeOnce(() => makeReader());
const stranger = getTestAccount(9).address;

type MessageChange = (message: PermitMessage) => Partial<PermitMessage>;

/** Expects that a payment is refused with fresh terms, and that no money is transferred. */
async function expectRefusal(header: string, code?: RegExp): Promise<void> {
  const { pressId } = await press();
  const { address } = await liar();
  const before = await readTokenBalance(address);
  const { status, body } = await sendPayRequest("treasury", pressId, header);
  expect(status).toBe(402);
  expect(Terms.parse(body).accepts[0].amount).toBe(String(fee));
  if (code !== undefined) expect(body).toMatchObject({ code: expect.stringMatching(code) });
  expect(await readTokenBalance(address)).toBe(before);
}

async function expectChangedPermitRefused(changes: MessageChange, code: RegExp): Promise<void> {
  const entry = await requestEntry("treasury", (await press()).pressId);
  const message = makeMessage(entry);
  await expectRefusal(
    encodeHeader(await makeSignedPayment(await liar(), entry, { ...message, ...changes(message) })),
    code,
  );
}

async function expectWrongSignatureRefused(fault: SigningFault): Promise<void> {
  const entry = await requestEntry("treasury", (await press()).pressId);
  await expectRefusal(
    encodeHeader(await makeSignedPayment(await liar(), entry, {}, fault)),
    /^invalid_permit2_signature$/,
  );
}

/** Pays the fee from a new wallet with a changed permit. Returns the permit. */
async function payWithChangedPermit(changes: Partial<PermitMessage> = {}) {
  const { pressId } = await press();
  const reader = await makeReader();
  const sent = await makeSignedPayment(reader, await requestEntry("treasury", pressId), changes);
  const before = await readTokenBalance(reader.address);
  expect((await sendPayRequest("treasury", pressId, encodeHeader(sent))).status).toBe(200);
  expect(before - (await readTokenBalance(reader.address))).toBe(fee);
  return { reader, sent };
}

prove("4.4 signed: EIP-712", async () => {
  await payWithChangedPermit();
});

prove("4.4 signed: domain", async () => {
  const domains: readonly SigningFault["domain"][] = [
    { name: "Permit3" },
    { chainId: 1 },
    { verifyingContract: stranger },
  ];
  for (const domain of domains) if (domain !== undefined) await expectWrongSignatureRefused({ domain });
});

prove("4.4 signed: primary type", async () => {
  const { PermitWitnessTransferFrom: fields } = permitTypes;
  const types = makeTypes({ PermitTransferFrom: fields });
  await expectWrongSignatureRefused({ types, primaryType: "PermitTransferFrom" });
});

prove("4.4 signed: types", async () => {
  const { TokenPermissions, Witness, PermitWitnessTransferFrom } = permitTypes;
  await expectWrongSignatureRefused({ types: makeTypes({ Witness: Witness.toReversed() }) });
  await expectWrongSignatureRefused({
    types: makeTypes({ TokenPermissions: TokenPermissions.toReversed() }),
  });
  await expectWrongSignatureRefused({
    types: makeTypes({ PermitWitnessTransferFrom: PermitWitnessTransferFrom.toReversed() }),
  });
});

prove("4.4 signed: permitted", async () => {
  const entry = await requestEntry("treasury", (await press()).pressId);
  for (const amount of [fee - 1n, fee + 1n]) {
    await expectChangedPermitRefused(
      ({ permitted }) => ({ permitted: { ...permitted, amount } }),
      /amount_mismatch$/,
    );
  }
  await expectChangedPermitRefused(
    ({ permitted }) => ({ permitted: { ...permitted, token: entry.extra.spender } }),
    /token_mismatch$/,
  );
});

prove("4.4 signed: spender", () =>
  expectChangedPermitRefused(() => ({ spender: stranger }), /invalid_permit2_spender/),
);

prove("4.4 signed: nonce", async () => {
  const { sent, reader } = await payWithChangedPermit({ nonce: maxUint256 });
  const { nonce } = sent.payload.permit2Authorization;
  expect(nonce).toBe(String(maxUint256));
  // A nonce that the permit for the fee has spent is refused in the permit for the payment to the publisher.
  const { pressId } = await press();
  const entry = await requestEntry("publisher", pressId);
  const again = await makeSignedPayment(reader, entry, { nonce: maxUint256 });
  expect(await sendPayRequest("publisher", pressId, encodeHeader(again))).toMatchObject(
    makeRefusal(402, "permit2_invalid_nonce"),
  );
});

proveEach<number>({ "4.4 signed: deadline": 60, "8 payment timeout": 1 }, async (seconds) => {
  const entry = await requestEntry("treasury", (await press()).pressId);
  expect(entry.maxTimeoutSeconds).toBe(300);
  const now = BigInt(Math.floor(Date.now() / 1000));
  await expectChangedPermitRefused(() => ({ deadline: now - BigInt(seconds) }), /deadline_expired$/);
  await payWithChangedPermit({ deadline: now + 120n });
});

prove("4.4 signed: witness", async () => {
  const validAfter = BigInt(Math.floor(Date.now() / 1000) + 600);
  await expectChangedPermitRefused(
    ({ witness }) => ({ witness: { ...witness, validAfter } }),
    /not_yet_valid$/,
  );
});

prove("4.4 signed: recipient", async () => {
  const account = await liar();
  const entry = await requestEntry("treasury", (await press()).pressId);
  const message = makeMessage(entry);
  const signature: Hex = await signPermit(account, message);
  const to: Address = stranger;
  const moved = { ...message, witness: { ...message.witness, to } };
  // A payment signed for the treasury is sent as a payment to a stranger, and a payment signed for a stranger is sent as a payment to the
  // treasury.
  await expectRefusal(encodeHeader(makePaymentDocument(entry, account.address, moved, signature)));
  const signedAway = await signPermit(account, moved);
  await expectRefusal(
    encodeHeader(makePaymentDocument(entry, account.address, message, signedAway)),
    /^invalid_permit2_signature$/,
  );
  expect(lower(entry.payTo)).not.toBe(lower(stranger));
});
