import { answered } from "../chain/call.ts";
import { Receipt, receiptIn } from "../chain/receipt.ts";
import type { RpcOutcome } from "../port/chain.ts";
import { poll } from "../port/clock.ts";
import type { OutboxPorts } from "./outbox.ts";

type Ports = Pick<OutboxPorts, "chain" | "clock">;

/** Milliseconds between looks for a receipt, about a block, and for how many of them one request goes on. */
const pollInterval = 100;
const pollTime = 6_000;

/** JSON-RPC: the node does not offer the method. Nitro and anvil say -32601, some gateways -32600 or -32004. */
const unknownMethod = new Set([-32601, -32600, -32004]);

/** The sequencer's word that it will never take a transaction (Nitro's transaction filter). */
const rejected = /rejected by chain policy/i;

/**
 * Sends a stored transaction and waits for its receipt: in one call where the node can (EIP-7966), else by polling.
 * `undefined` means that the outcome is not known yet, whatever the reason; it never means that nothing was sent.
 * `rejected`: the sequencer has refused it for good.
 */
export async function broadcast(
  ports: Ports,
  { rawTx, txHash }: { readonly rawTx: string; readonly txHash: string },
): Promise<Receipt | "rejected" | undefined> {
  const outcome = await sendBy(ports, "eth_sendRawTransactionSync", rawTx);
  if (outcome === undefined) return undefined;
  if (outcome.status === "ok") {
    const receipt = Receipt.safeParse(outcome.result);
    if (receipt.success && receipt.data.transactionHash === txHash) return receipt.data;
  }
  if (isRejection(outcome)) return "rejected";
  if (outcome.status === "failed" && unknownMethod.has(outcome.code)) {
    const sent = await sendBy(ports, "eth_sendRawTransaction", rawTx);
    if (sent !== undefined && isRejection(sent)) return "rejected";
  }
  return receiptOf(ports, txHash);
}

async function sendBy({ chain }: Ports, method: string, rawTx: string): Promise<RpcOutcome | undefined> {
  const outcomes = await quietly(() => chain.batch([{ method, params: [rawTx] }]));
  return outcomes?.[0];
}

function isRejection(outcome: RpcOutcome): boolean {
  return outcome.status !== "ok" && rejected.test(outcome.message);
}

function receiptOf({ chain, clock }: Ports, txHash: string): Promise<Receipt | undefined> {
  return poll(clock, { until: clock.now() + pollTime, pauseMs: pollInterval }, () =>
    quietly(async () => {
      const [outcome] = await chain.batch([{ method: "eth_getTransactionReceipt", params: [txHash] }]);
      return receiptIn(answered(outcome));
    }),
  );
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
