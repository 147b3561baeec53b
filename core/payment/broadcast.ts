import { keccak256 } from "viem/utils";
import { answered } from "../chain/call.ts";
import type { Hex } from "../chain/hex.ts";
import { settleCalldata } from "../chain/permit2.ts";
import { Receipt } from "../chain/receipt.ts";
import type { Payment } from "./header.ts";
import type { PaymentPorts } from "./ports.ts";
import type { Signed } from "./record.ts";

/** Wei that a settlement may cost at most, given the estimate and the price that it was made at. */
export function feeCap(gas: bigint, gasPrice: bigint): bigint {
  return feeLimits(gas, gasPrice).gas * feeLimits(gas, gasPrice).maxFeePerGas;
}

/** What a transaction may use and pay, given the estimate and the price that it was made at: gas units and wei. */
export function feeLimits(gas: bigint, gasPrice: bigint) {
  return {
    gas: (gas * 5n) / 4n,
    // The base fee may double on its way; a tip buys nothing where the first come is the first served (Nitro).
    maxFeePerGas: gasPrice * 2n,
    maxPriorityFeePerGas: 0n,
  };
}

/** Signs the settlement of a payment from a leased relayer. Fees in wei; the gas gets a quarter of room. */
export async function signSettlement(
  { relayers, settings }: Pick<PaymentPorts, "relayers" | "settings">,
  { permit, signature }: Pick<Payment, "permit" | "signature">,
  from: { readonly relayer: Hex; readonly nonce: number; readonly gas: bigint; readonly gasPrice: bigint },
): Promise<Signed> {
  const rawTx = await relayers.sign(from.relayer, {
    chainId: settings.chainId,
    nonce: from.nonce,
    to: settings.contracts.exactProxy,
    data: settleCalldata(permit, signature),
    ...feeLimits(from.gas, from.gasPrice),
  });
  return { rawTx, txHash: keccak256(rawTx), relayerNonce: from.nonce };
}

/** Milliseconds between looks for a receipt, about a block; how many looks one request spends, and how long at most. */
const pollInterval = 100;
const polls = 50;
const pollTime = 6_000;

/** JSON-RPC: the node does not offer the method. Nitro and anvil say -32601, some gateways -32600 or -32004. */
const unknownMethod = new Set([-32601, -32600, -32004]);

/**
 * Sends a stored transaction and waits for its receipt: in one call where the node can (EIP-7966), else by polling.
 * `undefined` means that the outcome is not known yet, whatever the reason; it never means that nothing was sent.
 */
export async function broadcast(
  ports: Pick<PaymentPorts, "chain" | "clock">,
  { rawTx, txHash }: { readonly rawTx: string; readonly txHash: string },
): Promise<Receipt | undefined> {
  const synced = await quietly(() =>
    ports.chain.batch([{ method: "eth_sendRawTransactionSync", params: [rawTx] }]),
  );
  const outcome = synced?.[0];
  if (outcome === undefined) return undefined;
  if (outcome.status === "ok") {
    const receipt = Receipt.safeParse(outcome.result);
    if (receipt.success && receipt.data.transactionHash === txHash) return receipt.data;
  }
  if (outcome.status === "failed" && unknownMethod.has(outcome.code)) {
    await quietly(() => ports.chain.batch([{ method: "eth_sendRawTransaction", params: [rawTx] }]));
  }
  return poll(ports, txHash);
}

async function poll(
  ports: Pick<PaymentPorts, "chain" | "clock">,
  txHash: string,
): Promise<Receipt | undefined> {
  const until = ports.clock.now() + pollTime;
  for (let look = 0; look < polls && ports.clock.now() < until; look += 1) {
    const receipt = await quietly(async () => {
      const [outcome] = await ports.chain.batch([{ method: "eth_getTransactionReceipt", params: [txHash] }]);
      return receiptIn(answered(outcome));
    });
    if (receipt !== undefined) return receipt;
    await ports.clock.sleep(pollInterval);
  }
  return undefined;
}

/** The receipt in an answer to `eth_getTransactionReceipt`, `undefined` while there is none. */
export function receiptIn(answer: {
  readonly status: string;
  readonly result?: unknown;
}): Receipt | undefined {
  const parsed = Receipt.safeParse(answer.result);
  return parsed.success ? parsed.data : undefined;
}

/**
 * After a broadcast every fault means the same: the outcome is not known yet. What was sent is stored, so nothing is
 * lost by answering so.
 */
async function quietly<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}
