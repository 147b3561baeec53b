import { encodeEventTopics, numberToHex, padHex } from "viem/utils";
import * as z from "zod";
import { erc20Abi } from "../chain/abi.ts";
import { answered, Quantity, result, unavailable } from "../chain/call.ts";
import { HashInput, HexInput, lower } from "../chain/hex.ts";
import type { Permit } from "../chain/permit2.ts";
import { paymentLogs, receiptIn } from "../chain/receipt.ts";
import type { Proof } from "./end.ts";
import type { PaymentPorts } from "./ports.ts";

/** Looks for a transfer that must be there, and milliseconds between them: nodes show logs later than state. */
const looks = 4;
const pause = 300;

/**
 * `settledElsewhere` for a nonce that was seen spent, looked for again while nothing is found: a node that is a moment
 * late must not turn a payment into a refusal.
 */
export async function searchElsewhere(
  ports: Pick<PaymentPorts, "chain" | "clock">,
  permit: Permit,
  latest: bigint,
): Promise<readonly Proof[]> {
  for (let look = 1; ; look += 1) {
    const proofs = await settledElsewhere(ports, permit, latest);
    if (proofs.length > 0 || look === looks) return proofs;
    await ports.clock.sleep(pause);
  }
}

/** Blocks to look back: at about 100 ms a block, three times the life of a permit signed as the terms ask. */
const lookBack = 10_000n;

const Found = z.array(z.object({ transactionHash: HashInput.transform(lower) }));
const Sent = z.object({ input: HexInput.transform(lower) });

/**
 * The transfers by which somebody else may have settled this permit (invariant 5): the token moved exactly what the
 * permit says, in a transaction that carries the permit's 256-bit nonce. `latest` is the newest block's number.
 * Throws `upstream` when the chain cannot say.
 */
export async function settledElsewhere(
  { chain }: Pick<PaymentPorts, "chain">,
  permit: Permit,
  latest: bigint,
): Promise<readonly Proof[]> {
  const topics = encodeEventTopics({
    abi: erc20Abi,
    eventName: "Transfer",
    args: { from: permit.from, to: permit.to },
  });
  const fromBlock = numberToHex(latest > lookBack ? latest - lookBack : 0n);
  const [head, logs] = await chain.batch([
    { method: "eth_blockNumber", params: [] },
    { method: "eth_getLogs", params: [{ address: permit.token, topics, fromBlock, toBlock: "latest" }] },
  ]);
  // The nonce was seen spent as of `latest`: a node that is behind that block cannot have the transfer.
  if (result(head, Quantity) < latest) throw unavailable("a node that is behind what was seen of the chain");
  const hashes = [...new Set(result(logs, Found).map(({ transactionHash }) => transactionHash))];
  const answers = await chain.batch(
    hashes.flatMap((hash) => [
      { method: "eth_getTransactionByHash", params: [hash] },
      { method: "eth_getTransactionReceipt", params: [hash] },
    ]),
  );
  const nonce = padHex(numberToHex(permit.nonce), { size: 32 }).slice(2);
  return hashes.flatMap((txHash, index) => {
    const transaction = result(answers[index * 2], Sent);
    const receipt = receiptIn(answered(answers[index * 2 + 1]));
    if (receipt === undefined || !transaction.input.includes(nonce)) return [];
    return paymentLogs(receipt, permit).map((logIndex) => ({ txHash, logIndex }));
  });
}
