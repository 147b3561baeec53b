import { numberToHex } from "viem/utils";
import { answered, Block, lateness, latestBlock, result, unavailable } from "../chain/call.ts";
import { type Receipt, receiptIn } from "../chain/receipt.ts";
import type { Answering } from "./answer.ts";
import { recordFirst } from "./credit.ts";
import { type Failure, fail, finish } from "./end.ts";
import type { SettlementItem } from "./entity.ts";
import { fundsCalls, fundsIn } from "./inspect.ts";
import { methodOf, type Proof } from "./method.ts";
import type { PaymentPorts } from "./ports.ts";
import type { SentSettlement } from "./sent.ts";
import { authorizationOf, signatureIn } from "./standing.ts";
import { lackOf, type Reason, reasonFor } from "./terms.ts";

/** How a settlement that was sent stands now. */
export type Ending =
  /** `answered`: it is recorded that this request answers the text. */
  | { readonly kind: "settled"; readonly settlement: SettlementItem; readonly answered: boolean }
  /** It moved no money and no longer can; `txHash` is what was broadcast. */
  | { readonly kind: "failed"; readonly reason: Reason; readonly txHash: string }
  /** Not known yet: it may still move money, so nothing else may be started. */
  | { readonly kind: "pending"; readonly txHash: string };

export type ResolvePorts = Omit<PaymentPorts, "relayers">;

/**
 * Ends a settlement whose transaction was sent, from what the chain says now. It fails only when the money can no longer move: the permit is spent or its deadline has passed on the chain.
 * Throws `upstream` when the chain cannot say.
 */
export async function resolve(ports: ResolvePorts, sent: SentSettlement): Promise<Ending> {
  const authorization = authorizationOf(sent);
  const method = methodOf(authorization);
  const hashes = [sent.txHash, ...(sent.replaced ?? [])];
  const [word, latest, ...mined] = await ports.chain.batch([
    method.spentCall(ports.settings, authorization),
    latestBlock,
    ...hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
  ]);
  const receipts = mined.flatMap((outcome) => receiptIn(answered(outcome)) ?? []);
  // One that was replaced may have reverted while its replacement may still pay: that is not the end.
  const receipt =
    receipts.find(({ status }) => status === "0x1") ??
    receipts.find(({ transactionHash }) => transactionHash === sent.txHash);
  if (receipt !== undefined) return conclude(ports, sent, receipt);
  const block = result(latest, Block);
  const spent = method.isSpent(authorization, word);
  const { credited, unclear = false } = spent ? await credit(ports, sent) : {};
  if (credited !== undefined) return credited;
  // What is unspent past its deadline stays so; until then the answer is "not yet known".
  if (block.timestamp <= authorization.deadline + lateness) return { kind: "pending", txHash: sent.txHash };
  const expired = { code: method.codes.expired, error: "The signed payment has expired." };
  return failed(ports, sent, expired, { unclear, over: !unclear });
}

/** Ends a settlement by its own transaction's receipt. `answer`: what the request that sent it answers with the text. */
export async function conclude(
  ports: ResolvePorts,
  sent: SettlementItem & { readonly txHash: string },
  receipt: Receipt,
  answer?: Answering,
): Promise<Ending> {
  const { settings } = ports;
  const authorization = authorizationOf(sent);
  const method = methodOf(authorization);
  const [logIndex] = method.paidBy(settings, authorization, receipt);
  if (logIndex !== undefined) {
    const ending = await record(ports, sent, { txHash: receipt.transactionHash, logIndex }, answer);
    if (ending === undefined) throw unavailable("a confirmed transfer that has paid for something else");
    return ending;
  }
  // Asked of the block that it reverted in or a later one: what made it revert is not to be seen before.
  const at = await since(ports, receipt.blockNumber);
  const [again, word, ...funds] = await ports.chain.batch([
    {
      method: "eth_call",
      params: [method.call(settings, authorization, signatureIn(sent.signed)), numberToHex(at)],
    },
    method.spentCall(settings, authorization, numberToHex(at)),
    ...fundsCalls(settings, method, authorization.from, numberToHex(at)),
  ]);
  const spent = method.isSpent(authorization, word);
  const { credited, unclear = false } = spent ? await credit(ports, sent, answer) : {};
  if (credited !== undefined) return credited;
  const rerun = answered(again);
  // A spent nonce makes no call fail by EIP-3009.
  const silent = spent ? method.spentRevert : undefined;
  const name = rerun.status === "reverted" ? method.revertName(rerun.data) : silent;
  const reason = lackOf(method, authorization.amount, fundsIn(funds)) ?? reasonFor(method, name);
  const landed = { txHash: receipt.transactionHash, gasUsed: receipt.gasUsed };
  return failed(ports, sent, reason, { landed, unclear, over: spent && !unclear });
}

/** The newest block's number, which is `block` or a later one. Throws `upstream` for a node that is behind it. */
async function since({ chain }: ResolvePorts, block: bigint): Promise<bigint> {
  const [latest] = await chain.batch([latestBlock]);
  const { number } = result(latest, Block);
  if (number < block) throw unavailable("a node that is behind the receipt");
  return number;
}

/** Whether somebody else has settled what was signed, whose nonce is spent: then the leg is paid. */
async function credit(
  ports: ResolvePorts,
  sent: SettlementItem & { readonly txHash: string },
  answer?: Answering,
): Promise<{ readonly credited?: Ending | undefined; readonly unclear?: boolean }> {
  const authorization = authorizationOf(sent);
  const found = await methodOf(authorization).search(ports, authorization, BigInt(sent.signed.block));
  if (found.kind !== "paid") return { unclear: found.kind === "unclear" };
  const settlement = await recordFirst(ports, sent, found.proofs, answer);
  if (settlement === undefined) return { credited: await endedMeanwhile(ports, sent), unclear: true };
  return { credited: { kind: "settled", settlement, answered: answer !== undefined } };
}

/** Records the proof, or finds how somebody else has ended the settlement; `undefined` when the proof is not free. */
async function record(
  ports: ResolvePorts,
  sent: SettlementItem & { readonly txHash: string },
  proof: Proof,
  answer: Answering | undefined,
): Promise<Ending | undefined> {
  const settlement = await finish(ports, sent, proof, answer);
  if (settlement !== undefined) {
    return { kind: "settled", settlement, answered: answer !== undefined };
  }
  return endedMeanwhile(ports, sent);
}

async function endedMeanwhile(
  ports: ResolvePorts,
  { wallet, pressId, leg, claim, txHash, signed }: SettlementItem & { readonly txHash: string },
): Promise<Ending | undefined> {
  const { data } = await ports.table.entities.settlement
    .get({ wallet, pressId, leg })
    .go({ consistent: true });
  if (data?.state === "settled") return { kind: "settled", settlement: data, answered: false };
  if (data?.claim === claim && data.state === "sent") return undefined;
  return { kind: "failed", reason: reasonFor(methodOf(signed), undefined), txHash };
}

/**
 * Gives the claim and its relayer back. `unclear`: the permit was spent and nobody can say for what, so that nobody is
 * told yet that it moved nothing.
 */
async function failed(
  ports: ResolvePorts,
  sent: SettlementItem & { readonly txHash: string },
  reason: Reason,
  { unclear, ...how }: Omit<Failure, "code"> & { readonly unclear: boolean },
): Promise<Ending> {
  if ((await fail(ports, sent, { code: reason.code, ...how })) === undefined) {
    const ending = await endedMeanwhile(ports, sent);
    if (ending?.kind === "settled") return ending;
  }
  if (unclear) return { kind: "pending", txHash: sent.txHash };
  return { kind: "failed", reason, txHash: sent.txHash };
}
