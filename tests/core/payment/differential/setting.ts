import { encodeFunctionData, parseAbi } from "viem/utils";
import { lower } from "../../../../core/chain/hex.ts";
import { wallet1271InitCode } from "../../../../local/devnet/deploy.ts";
import {
  approve,
  deploy,
  fetchTerms,
  identityRegistry,
  listPress,
  type Payments,
  permit2,
  send,
  testAccount,
} from "../../../support/payment.ts";
import type { PayerName, Setting } from "./case.ts";
import { delegate, deployContractWallet, fund, payFrom, setFrozen } from "./wallet.ts";

const publisher = testAccount(4);
const spentNonce = 77n;

/** The payers whose fee is already paid, so that they can pay the publisher. */
export const buyers = ["a key", "a contract", "delegated to a wallet"] as const satisfies PayerName[];

/**
 * Payers in every state that a payment depends on, and a live press for each leg. The buyers have already paid the fee of the press on
 * which the payment to the publisher is tested.
 */
export async function prepare(payments: Payments): Promise<Setting> {
  const pressIds = {
    fee: await listPress(payments, publisher),
    publisher: await listPress(payments, publisher),
  };
  const person = (index: number) => {
    const signer = testAccount(index);
    return { signer, wallet: lower(signer.address) };
  };
  const [key, frozen, delegated, misled, contractOwner] = [20, 21, 22, 23, 24].map(person);
  if (!key || !frozen || !delegated || !misled || !contractOwner) throw new Error("Five people");
  for (const { signer } of [key, frozen, delegated, misled]) await fund(payments, signer);

  await setFrozen(payments, frozen.wallet, true);
  const code = wallet1271InitCode(await payments.devnet.artifacts(), delegated.wallet);
  await delegate(payments, delegated.signer, await deploy(payments, publisher, code));
  await delegate(payments, misled.signer, identityRegistry);
  const unapproved = person(8);
  const poor = person(25);
  await payments.client.setBalance({ address: poor.wallet, value: 10n ** 18n });
  await approve(payments, poor.signer);
  const spend = encodeFunctionData({
    abi: parseAbi(["function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)"]),
    functionName: "invalidateUnorderedNonces",
    args: [spentNonce >> 8n, 1n << (spentNonce & 0xffn)],
  });
  await send(payments, key.signer, permit2, spend);

  const payers = {
    "a key": key,
    "without an allowance": unapproved,
    "without USDG": poor,
    frozen,
    "a contract": {
      signer: contractOwner.signer,
      wallet: await deployContractWallet(payments, contractOwner.signer),
    },
    "delegated to a wallet": delegated,
    "delegated to no wallet": misled,
  } satisfies Setting["payers"];
  for (const name of buyers) await payFrom(payments, payers[name], "fee", pressIds.publisher);
  const fee = await fetchTerms(payments, "fee", pressIds.fee);
  const rest = await fetchTerms(payments, "publisher", pressIds.publisher);
  return { pressIds, payers, spentNonce, terms: { fee: fee.entry, publisher: rest.entry } };
}
