import { mainnet } from "../../../../core/chain/deployment.ts";
import { settleCalldata } from "../../../../core/chain/permit2.ts";
import { reconcile } from "../../../../core/payment/index.ts";
import { decodePayment } from "../../../../core/payment/terms.ts";
import { exactProxy, testAccount } from "../../../support/payment.ts";
import { openPlace } from "./place.ts";
import { type Case, makeAllowanceCall, makeUnsignedCall, maxUint, sendAll, type World } from "./world.ts";

/** Settles the signed payment as a stranger who has seen it. */
export async function settleByAnother(world: World, _: Case, header: string): Promise<void> {
  const payment = decodePayment(header, mainnet);
  if (payment === undefined) throw new TypeError("Not a payment header");
  const data = settleCalldata(payment.authorization, payment.signature);
  await sendAll(world, [makeUnsignedCall(testAccount(9).address, exactProxy, data)]);
}

/** Sends another transaction by the relayer's key, so that the stored transaction's nonce is used up. */
export async function useNonce(world: World, { ports }: Case): Promise<void> {
  const calls = (await ports.relayers.addresses()).map((address) => makeUnsignedCall(address, address, "0x"));
  await sendAll(world, calls);
}

/** Revokes the payer's allowance for Permit2, so that the stored transaction is sent and reverts. */
export async function revertStored(world: World, { payer, place }: Case): Promise<void> {
  await sendAll(world, [makeAllowanceCall(payer.address, 0n)]);
  await reconcile(openPlace({ ...place, ahead: 61_000 }));
  await world.client.mine({ blocks: 1 });
}

/** Allows Permit2 to move the payer's USDG again. */
export async function allowAgain(world: World, { payer }: Case): Promise<void> {
  await sendAll(world, [makeAllowanceCall(payer.address, maxUint)]);
}
