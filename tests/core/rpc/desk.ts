import { serializeTransaction, type TransactionSerializable } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type ChainOptions, openChain } from "../../../core/adapter/chain/index.ts";
import { systemClock } from "../../../core/adapter/system.ts";
import type { Hex } from "../../../core/chain/hex.ts";
import { openBlockCache, relayRpcBody } from "../../../core/rpc/index.ts";
import type { Upstream } from "../adapter/upstream.ts";

const account = privateKeyToAccount(`0x${"59".repeat(32)}`);

/** Opens an RPC relay for chain 4663 that uses the given nodes. */
export function openRelayDesk(nodes: readonly (Upstream | string)[], options: ChainOptions = {}) {
  const urls = nodes.map((node) => (typeof node === "string" ? node : node.endpoint));
  const chain = openChain(urls, options);
  const spend = async () => undefined;
  const ports = { chain, clock: systemClock, chainId: 4663, blocks: openBlockCache(), spend };
  return {
    text: (body: string) => relayRpcBody(ports, body),
    /** Sends a request body as JSON text, and returns the relay's answer. */
    async ask(body: unknown) {
      const relayed = await relayRpcBody(ports, JSON.stringify(body));
      return relayed.kind === "nothing" ? undefined : relayed.body;
    },
  };
}

export const makeRequest = (method: string, id?: unknown, params?: unknown) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

/** Signs a transaction with a test account's key. */
export function sign(transaction: TransactionSerializable): Promise<Hex> {
  return account.signTransaction(transaction);
}

export function encodeUnsigned(transaction: TransactionSerializable): Hex {
  return serializeTransaction(transaction);
}

export const transfer = {
  type: "eip1559",
  chainId: 4663,
  nonce: 3,
  to: "0x00000000000000000000000000000000000000fe",
  value: 7n,
  gas: 21_000n,
  maxFeePerGas: 10n,
  maxPriorityFeePerGas: 1n,
} as const;

export { account };
