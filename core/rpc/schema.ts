import * as z from "zod";

/** The relayed methods (specification §4.5). The method `eth_getLogs` is not relayed. */
export const allowedMethods = [
  "eth_chainId",
  "net_version",
  "eth_blockNumber",
  "eth_call",
  "eth_estimateGas",
  "eth_gasPrice",
  "eth_maxPriorityFeePerGas",
  "eth_feeHistory",
  "eth_getBalance",
  "eth_getCode",
  "eth_getTransactionCount",
  "eth_getTransactionByHash",
  "eth_getTransactionReceipt",
  "eth_getBlockByNumber",
  "eth_getBlockByHash",
  "eth_sendRawTransaction",
] as const;

/** The maximum number of calls in one batch (specification §8). */
export const batchLimit = 25;

/**
 * The highest gas limit of `eth_call` and `eth_estimateGas`. The calls with which a wallet reads the chain need only a tenth of this gas
 * limit.
 */
export const gasLimit = 5_000_000n;

/**
 * The cost of a call of each method. A call's cost is the number of simple read calls that give a node the same amount of work. To answer
 * `eth_estimateGas`, a node runs the transaction several times. Calls that are answered from memory cost nothing, and a call of a method
 * that the table does not name costs 1.
 */
export const costs: Readonly<Partial<Record<(typeof allowedMethods)[number], number>>> = {
  eth_chainId: 0,
  net_version: 0,
  eth_call: 20,
  eth_estimateGas: 60,
  eth_feeHistory: 10,
  eth_getBlockByNumber: 5,
  eth_getBlockByHash: 5,
  eth_sendRawTransaction: 10,
};

/**
 * The allowance of one IP address for one window of time, and the length of the window in seconds. The allowance is enough for 120 contract
 * calls or 2,400 simple reads.
 */
export const allowance = { cost: 2_400, windowSeconds: 10 } as const;

/** The id that links an answer to its call (JSON-RPC 2.0 §4). */
export const RpcId = z.union([z.string(), z.number(), z.null()]);
export type RpcId = z.infer<typeof RpcId>;

/** A JSON-RPC 2.0 request. A JSON-RPC request without an `id` is a notification. */
export const RpcRequest = z.object({
  jsonrpc: z.literal("2.0"),
  id: RpcId.optional(),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).default([]),
});
export type RpcRequest = Readonly<z.infer<typeof RpcRequest>>;

export const RpcError = z
  .object({ code: z.int(), message: z.string(), data: z.unknown().optional() })
  .readonly();
export type RpcError = z.infer<typeof RpcError>;

const answering = { jsonrpc: z.literal("2.0"), id: RpcId };

/** A JSON-RPC 2.0 response. */
export const RpcAnswer = z.union([
  z.object({ ...answering, result: z.unknown() }).readonly(),
  z.object({ ...answering, error: RpcError }).readonly(),
]);
export type RpcAnswer = z.infer<typeof RpcAnswer>;
