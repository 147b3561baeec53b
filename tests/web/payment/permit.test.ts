import { expect, test } from "vitest";
import { mainnet } from "../../../core/chain/deployment.ts";
import { permitDigest } from "../../../core/chain/permit2.ts";
import { signedByKey } from "../../../core/chain/signature.ts";
import { decodePayment } from "../../../core/payment/terms.ts";
import { testAccount } from "../../../local/devnet/accounts.ts";
import { paymentHeader, permitFor, typedPermit } from "../../../web/src/payment/chain.ts";
import { payableTerms } from "../../../web/src/payment/terms.ts";
import { payee, terms } from "./parts.ts";

const account = testAccount(7);
const { permit2 } = mainnet.contracts;
const domain = { chainId: mainnet.chainId, permit2 };
const chance = { nonce: String(2n ** 255n + 7n), identifier: "0123456789abcdef0123456789abcdef" };

async function header() {
  const offered = terms("450000");
  const permit = permitFor(offered, account.address, chance);
  const signature = await account.signTypedData(typedPermit(permit, domain));
  return paymentHeader(offered, permit, signature, chance);
}

test("the service reads from the header what was offered and who signs", async () => {
  const payment = decodePayment(await header(), mainnet);
  expect(payment?.authorization).toEqual({
    method: "permit2",
    chainId: mainnet.chainId,
    from: account.address.toLowerCase(),
    token: mainnet.contracts.usdg,
    amount: 450_000n,
    spender: mainnet.contracts.exactProxy,
    nonce: 2n ** 255n + 7n,
    deadline: 1_790_000_300n,
    validAfter: 0n,
    to: payee.toLowerCase(),
  });
  expect(payment?.accepted).toMatchObject({ network: "eip155:4663", amount: "450000", payTo: payee });
  expect(payment?.identifier?.id).toBe(chance.identifier);
});

test("the signature is good for exactly that permit", async () => {
  const payment = decodePayment(await header(), mainnet);
  if (payment === undefined) throw new Error("The header cannot be read.");
  const { authorization: permit, signature } = payment;
  expect(await signedByKey(permit.from, permitDigest(domain, permit), signature)).toBe(true);
  const dearer = { ...permit, amount: permit.amount + 1n };
  expect(await signedByKey(permit.from, permitDigest(domain, dearer), signature)).toBe(false);
});

test("terms in another token, on another network or by another method are not signed", () => {
  const { accepted, resource } = terms("1");
  const currency = { network: "eip155:4663", asset: mainnet.contracts.usdg };
  const offer = (changes: object) => ({
    x402Version: 2 as const,
    error: "Pay.",
    accepts: [{ ...accepted, ...changes }],
    resource,
  });
  expect(payableTerms(offer({}), currency, 1)?.accepted).toEqual(accepted);
  expect(payableTerms(offer({ asset: payee }), currency, 1)).toBeUndefined();
  expect(payableTerms(offer({ network: "eip155:1" }), currency, 1)).toBeUndefined();
  expect(payableTerms(offer({ scheme: "upto" }), currency, 1)).toBeUndefined();
  const extra = { ...accepted.extra, assetTransferMethod: "eip3009" };
  expect(payableTerms(offer({ extra }), currency, 1)).toBeUndefined();
});
