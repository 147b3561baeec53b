import { parseTransaction } from "viem/utils";
import { answered, Quantity, result } from "../chain/call.ts";
import { type Hex, toAddress } from "../chain/hex.ts";
import { receiptIn } from "../chain/receipt.ts";
import { gasLimitsOf, mayBeRaised } from "../relayer/index.ts";
import type { PaymentPorts } from "./ports.ts";
import { replaceSigned, type SentSettlement } from "./sent.ts";
import { signSettlement } from "./sign.ts";
import { authorizationOf, signatureIn } from "./standing.ts";

/**
 * Brings a transaction that has not landed to the chain once more. One that pays too little, or whose nonce is not the
 * relayer's next one, is replaced by one that can land; the permit's own nonce keeps all of them to one transfer, and
 * each is stored before it is sent (invariants 1 and 2). Throws `upstream` when the chain cannot be asked.
 */
export async function rebroadcast(ports: PaymentPorts, sent: SentSettlement): Promise<void> {
  const relayer = toAddress(sent.relayer);
  const hashes = [sent.txHash, ...(sent.replaced ?? [])];
  const [count, price, ...mined] = await ports.chain.batch([
    { method: "eth_getTransactionCount", params: [relayer, "latest"] },
    { method: "eth_gasPrice", params: [] },
    ...hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
  ]);
  const receipts = mined.map((outcome) => receiptIn(answered(outcome)));
  // It has landed since it was looked for: that is what has used its nonce.
  if (receipts[0] !== undefined || receipts.some((receipt) => receipt?.status === "0x1")) return;
  const rawTx = await landing(ports, sent, {
    nonce: Number(result(count, Quantity)),
    gasPrice: result(price, Quantity),
  });
  // Its answer does not matter: the transaction is known already, or the next look will tell.
  await ports.chain.batch([{ method: "eth_sendRawTransaction", params: [rawTx] }]);
}

/** The stored transaction, or its stored replacement where it cannot land any more. */
async function landing(
  ports: PaymentPorts,
  sent: SentSettlement,
  now: { readonly nonce: number; readonly gasPrice: bigint },
): Promise<string> {
  const stored = parseTransaction(raw(sent));
  const { nonce = 0, gas = 0n, maxFeePerGas = 0n } = stored;
  // Used by something else, or ahead of a nonce that nothing will fill: neither can land.
  const misplaced = now.nonce !== nonce;
  const { maxPrice } = gasLimitsOf(ports.settings);
  // Above the ceiling it waits, for the price to fall or for the permit's deadline.
  const best = maxFeePerGas >= now.gasPrice || !mayBeRaised(maxFeePerGas, maxPrice);
  if (!misplaced && best) return sent.rawTx;
  // A key that was taken out of the pool signs nothing more: what it signed lands, or its permit runs out.
  if (!(await ports.relayers.addresses()).includes(toAddress(sent.relayer))) return sent.rawTx;
  // Nodes replace a transaction for a tenth more; half as much again leaves no doubt.
  const raised = (maxFeePerGas * 3n) / 2n;
  const gasPrice = misplaced || now.gasPrice * 2n >= raised ? now.gasPrice : raised / 2n + 1n;
  const payment = {
    authorization: authorizationOf(sent),
    signature: signatureIn(sent.signed),
  };
  const signed = await signSettlement(ports, payment, {
    relayer: toAddress(sent.relayer),
    nonce: now.nonce,
    gas: (gas * 4n) / 5n + 1n,
    gasPrice,
  });
  const replaced = await replaceSigned(ports, sent, signed);
  return replaced ? signed.rawTx : sent.rawTx;
}

function raw({ rawTx }: { readonly rawTx: string }): Hex {
  return `0x${rawTx.slice(2)}`;
}
