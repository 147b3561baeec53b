import { expect, test } from "vitest";
import { makePaymentHeader } from "../../../client/signing.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { isSignedByKey } from "../../../core/chain/signature.ts";
import { findMethod } from "../../../core/payment/method.ts";
import { decodePayment } from "../../../core/payment/terms.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { buildTypedData } from "../../../web/src/payment/chain.ts";
import { findPayableTerms } from "../../../web/src/payment/purchase.ts";
import { settings } from "../../core/session/settings.ts";
import { makeTerms, makeTxHash, offeredAt, payee } from "./parts.ts";

const account = getTestAccount(7);
const domain = { chainId: mainnet.chainId, permit2: mainnet.contracts.permit2 };
const chance = { nonce: makeTxHash("f"), identifier: "0123456789abcdef0123456789abcdef" };

async function signAndDecodePayment(method: "eip3009" | "permit2") {
  const offered = makeTerms("450000", method);
  const { typed, payload } = buildTypedData(offered, account.address, chance, domain);
  const signature =
    typed.primaryType === "TransferWithAuthorization"
      ? await account.signTypedData(typed)
      : await account.signTypedData(typed);
  const decoded = decodePayment(makePaymentHeader(offered, { signature, ...payload }, chance), mainnet);
  if (decoded === undefined) throw new Error("The header cannot be read.");
  return decoded;
}

test.each([
  ["permit2", mainnet.contracts.exactProxy, { validAfter: 0n, deadline: BigInt(offeredAt + 300) }],
  // The chain treats both bounds of the validity time as exclusive.
  ["eip3009", mainnet.contracts.usdg, { validAfter: 1n, deadline: BigInt(offeredAt + 299) }],
] as const)(
  "a payment header of the method %s contains the offered terms and the signer",
  async (method, spender, times) => {
    const { authorization, accepted, identifier } = await signAndDecodePayment(method);
    expect(authorization).toEqual({
      method,
      chainId: mainnet.chainId,
      from: account.address.toLowerCase(),
      token: mainnet.contracts.usdg,
      amount: 450_000n,
      spender,
      nonce: BigInt(chance.nonce),
      to: payee.toLowerCase(),
      ...times,
    });
    expect(accepted).toMatchObject({ network: "eip155:4663", amount: "450000", payTo: payee });
    expect(identifier?.id).toBe(chance.identifier);
  },
);

test.each(["permit2", "eip3009"] as const)(
  "a signature of the method %s is valid for the signed payment and for no other payment",
  async (method) => {
    const { authorization, signature } = await signAndDecodePayment(method);
    const { digest } = findMethod(authorization);
    const stage = { ...settings, contracts: mainnet.contracts };
    expect(await isSignedByKey(authorization.from, digest(stage, authorization), signature)).toBe(true);
    const dearer = { ...authorization, amount: authorization.amount + 1n };
    expect(await isSignedByKey(authorization.from, digest(stage, dearer), signature)).toBe(false);
  },
);

test("a signed payment uses the requested method, and the service's token and chain", () => {
  const both = [makeTerms("1", "permit2").accepted, makeTerms("1").accepted];
  const { resource } = makeTerms("1");
  const currency = { network: "eip155:4663", asset: mainnet.contracts.usdg };
  const findPayable = (method: "eip3009" | "permit2", changes: object = {}) => {
    const accepts = both.map((each) => ({ ...each, ...changes }));
    const document = { x402Version: 2 as const, error: "Pay.", accepts, resource };
    return findPayableTerms(document, currency, { method, offeredAt })?.accepted;
  };
  expect(findPayable("permit2")).toEqual(both[0]);
  expect(findPayable("eip3009")).toEqual(both[1]);
  expect(findPayable("eip3009", { asset: payee })).toBeUndefined();
  expect(findPayable("eip3009", { network: "eip155:1" })).toBeUndefined();
  expect(findPayable("eip3009", { scheme: "upto" })).toBeUndefined();
  expect(findPayable("eip3009", { extra: makeTerms("1", "permit2").accepted.extra })).toBeUndefined();
});
