import { answered } from "../chain/call.ts";
import { Receipt, receiptIn } from "../chain/receipt.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";

type Ports = { readonly chain: Chain; readonly clock: Clock };

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
  ports: Ports,
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

async function poll(ports: Ports, txHash: string): Promise<Receipt | undefined> {
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
