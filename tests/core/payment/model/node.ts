import { numberToHex } from "viem/utils";
import * as z from "zod";
import { Quantity, unavailable } from "../../../../core/chain/call.ts";
import { type Hex, HexInput, lower } from "../../../../core/chain/hex.ts";
import type { Chain, RpcCall, RpcOutcome } from "../../../../core/port/chain.ts";
import { RpcError } from "../../../../local/devnet/node.ts";
import type { Faults } from "./faults.ts";
import type { Ground } from "./ground.ts";
import type { ReadFault } from "./operation.ts";

/** The chain as the service sees it: the ground through `real`, with faults. `sent` hears of every broadcast first. */
export function openNode(
  ground: Ground,
  real: Chain,
  { faults, now, sent }: { faults: Faults; now: () => number; sent: (raw: Hex) => Promise<void> },
): Chain {
  async function read(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
    const fault = faults.read();
    if (fault === undefined) return real.batch(calls);
    if (fault.kind === "silent") throw unavailable("injected: no answer");
    const asked = fault.kind === "pruned" ? calls.map(pruned) : calls;
    const outcomes = await real.batch(asked.map((call, index) => aged(call, height(fault, index))));
    return outcomes.map((outcome, index) => distorted(fault, index, calls, outcome, height(fault, index)));
  }

  /** The newest block of the node that answers the call at `index`. */
  function height(fault: ReadFault, index: number): bigint {
    const late = fault.kind === "late" || (fault.kind === "mixed" && (fault.at >> (index % 5)) % 2 === 1);
    const newest = ground.head().number;
    if (!late) return newest;
    return newest - BigInt(fault.blocks) < ground.base ? ground.base : newest - BigInt(fault.blocks);
  }

  /** The call as it can be answered without the state of long ago: not at all, where it asks for that. */
  function pruned(call: RpcCall): RpcCall {
    const at = Quantity.safeParse(call.params[1]);
    const old = call.method === "eth_call" && at.success && at.data + kept < ground.head().number;
    return old ? { method: "injected_missingTrieNode", params: [] } : call;
  }

  async function send({ method, params }: RpcCall): Promise<RpcOutcome> {
    const raw = lower(HexInput.parse(params[0]));
    const fault = faults.send();
    if (fault === "unsupported" && method === "eth_sendRawTransactionSync") {
      return { status: "failed", code: -32601, message: "injected: no such method" };
    }
    await sent(raw);
    if (fault === "silent") throw unavailable("injected: the request was lost");
    if (fault === "refused") return { status: "failed", code: -32000, message: "injected: txpool is full" };
    try {
      const hash = await ground.accept(raw);
      if (fault === "forgotten") await ground.forget(hash);
      if (fault === undefined || fault === "mined unheard") await ground.mine(now());
      if (fault === "unheard" || fault === "mined unheard")
        throw unavailable("injected: the answer was lost");
      if (method === "eth_sendRawTransaction") return { status: "ok", result: hash };
      const [receipt] = await real.batch([{ method: "eth_getTransactionReceipt", params: [hash] }]);
      return receipt?.status === "ok" && receipt.result !== null
        ? receipt
        : { status: "failed", code: 4, message: "accepted and not mined in time", data: hash };
    } catch (error) {
      if (error instanceof RpcError) return { status: "failed", code: error.code, message: error.message };
      throw error;
    }
  }

  return {
    async batch(calls) {
      await ground.produce(now());
      const [first] = calls;
      return first?.method.startsWith("eth_send") ? [await send(first)] : read(calls);
    },
  };
}

/** Blocks whose state a pruned node has. */
const kept = 3n;

/** The call as a node would answer it whose newest block is `height`. */
function aged(call: RpcCall, height: bigint): RpcCall {
  const at = numberToHex(height);
  const latest = (value: unknown) => (value === "latest" ? at : value);
  switch (call.method) {
    case "eth_estimateGas":
      return { method: call.method, params: [call.params[0], latest(call.params[1] ?? "latest")] };
    case "eth_getLogs":
      return {
        method: call.method,
        params: call.params.map((filter) => ({ ...Filter.parse(filter), toBlock: at })),
      };
    default:
      return { method: call.method, params: call.params.map(latest) };
  }
}
const Filter = z.looseObject({ toBlock: z.string() });
const Mined = z.looseObject({ blockNumber: Quantity });

function distorted(
  fault: ReadFault,
  index: number,
  calls: readonly RpcCall[],
  outcome: RpcOutcome,
  height: bigint,
): RpcOutcome {
  const method = calls[index]?.method ?? "";
  if (fault.kind === "item" && index === fault.at % calls.length) {
    return { status: "failed", code: -32005, message: "injected: limit exceeded" };
  }
  if (outcome.status !== "ok") return outcome;
  if (fault.kind === "no receipts" && method === "eth_getTransactionReceipt")
    return { status: "ok", result: null };
  if (method === "eth_blockNumber") return { status: "ok", result: numberToHex(height) };
  const mined = Mined.safeParse(outcome.result);
  const hidden = /Receipt|ByHash/.test(method) && mined.success && mined.data.blockNumber > height;
  return hidden ? { status: "ok", result: null } : outcome;
}
