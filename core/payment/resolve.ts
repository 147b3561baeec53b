import { numberToHex } from "viem/utils";
import { answered, result, unavailable } from "../chain/call.ts";
import type { Hex } from "../chain/hex.ts";
import { nonceSpent, nonceWordCalldata, type Permit, revertName, settleCalldata } from "../chain/permit2.ts";
import { paymentLogs, type Receipt, receiptIn } from "../chain/receipt.ts";
import { serviceTag } from "../chain/tag.ts";
import type { Answering } from "./answer.ts";
import { recordFirst } from "./credit.ts";
import { type Failure, fail, finish, type Proof } from "./end.ts";
import type { SettlementItem } from "./entity.ts";
import { fundsCalls, fundsIn } from "./inspect.ts";
import type { PaymentPorts } from "./ports.ts";
import { Block, lateness, searchSettlement, Word } from "./search.ts";
import type { SentSettlement } from "./sent.ts";
import { permitOf } from "./standing.ts";
import type { Reason } from "./terms.ts";
import { lackOf, reasonFor } from "./verify.ts";

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
  const permit = permitOf(ports.settings, sent);
  const { permit2 } = ports.settings.contracts;
  const hashes = [sent.txHash, ...(sent.replaced ?? [])];
  const [word, latest, ...mined] = await ports.chain.batch([
    {
      method: "eth_call",
      params: [{ to: permit2, data: nonceWordCalldata(permit.from, permit.nonce) }, "latest"],
    },
    { method: "eth_getBlockByNumber", params: ["latest", false] },
    ...hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
  ]);
  const receipts = mined.flatMap((outcome) => receiptIn(answered(outcome)) ?? []);
  // One that was replaced may have reverted while its replacement may still pay: that is not the end.
  const receipt =
    receipts.find(({ status }) => status === "0x1") ??
    receipts.find(({ transactionHash }) => transactionHash === sent.txHash);
  if (receipt !== undefined) return conclude(ports, sent, receipt);
  const block = result(latest, Block);
  const spent = nonceSpent(permit.nonce, result(word, Word));
  const { credited, unclear = false } = spent ? await credit(ports, sent, permit) : {};
  if (credited !== undefined) return credited;
  // What is unspent past its deadline stays so; until then the answer is "not yet known".
  if (block.timestamp <= permit.deadline + lateness) return { kind: "pending", txHash: sent.txHash };
  return failed(ports, sent, reasonFor("SignatureExpired"), { unclear, over: !unclear });
}

/** Ends a settlement by its own transaction's receipt. `answer`: what the request that sent it answers with the text. */
export async function conclude(
  ports: ResolvePorts,
  sent: SettlementItem & { readonly txHash: string },
  receipt: Receipt,
  answer?: Answering,
): Promise<Ending> {
  const permit = permitOf(ports.settings, sent);
  const [logIndex] = paymentLogs(receipt, permit);
  if (logIndex !== undefined) {
    const ending = await record(ports, sent, { txHash: receipt.transactionHash, logIndex, answer });
    if (ending === undefined) throw unavailable("a confirmed transfer that has paid for something else");
    return ending;
  }
  const { contracts } = ports.settings;
  // Asked of the block that it reverted in or a later one: what made it revert is not to be seen before.
  const at = await since(ports, receipt.blockNumber);
  const [again, word, ...funds] = await ports.chain.batch([
    {
      method: "eth_call",
      params: [
        {
          to: contracts.exactProxy,
          data: settleCalldata(permit, signatureOf(sent), serviceTag(ports.settings.origin)),
        },
        numberToHex(at),
      ],
    },
    {
      method: "eth_call",
      params: [
        { to: contracts.permit2, data: nonceWordCalldata(permit.from, permit.nonce) },
        numberToHex(at),
      ],
    },
    ...fundsCalls(contracts, permit.from, numberToHex(at)),
  ]);
  const spent = nonceSpent(permit.nonce, result(word, Word));
  const { credited, unclear = false } = spent ? await credit(ports, sent, permit, answer) : {};
  if (credited !== undefined) return credited;
  const rerun = answered(again);
  const name = rerun.status === "reverted" ? revertName(rerun.data) : undefined;
  const reason = lackOf(permit.amount, fundsIn(funds)) ?? reasonFor(name);
  const landed = { txHash: receipt.transactionHash, gasUsed: receipt.gasUsed };
  return failed(ports, sent, reason, { landed, unclear, over: spent && !unclear });
}

/** The newest block's number, which is `block` or a later one. Throws `upstream` for a node that is behind it. */
async function since({ chain }: ResolvePorts, block: bigint): Promise<bigint> {
  const [latest] = await chain.batch([{ method: "eth_getBlockByNumber", params: ["latest", false] }]);
  const { number } = result(latest, Block);
  if (number < block) throw unavailable("a node that is behind the receipt");
  return number;
}

/** Whether somebody else has settled the permit, whose nonce is spent: then the leg is paid. */
async function credit(
  ports: ResolvePorts,
  sent: SettlementItem & { readonly txHash: string },
  permit: Permit,
  answer?: Answering,
): Promise<{ readonly credited?: Ending | undefined; readonly unclear?: boolean }> {
  const found = await searchSettlement(ports, permit, BigInt(sent.block));
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
): Promise<Ending | undefined> {
  const settlement = await finish(ports, sent, proof);
  if (settlement !== undefined) {
    return { kind: "settled", settlement, answered: proof.answer !== undefined };
  }
  return endedMeanwhile(ports, sent);
}

async function endedMeanwhile(
  ports: ResolvePorts,
  { wallet, pressId, leg, claim, txHash }: SettlementItem & { readonly txHash: string },
): Promise<Ending | undefined> {
  const { data } = await ports.table.entities.settlement
    .get({ wallet, pressId, leg })
    .go({ consistent: true });
  if (data?.state === "settled") return { kind: "settled", settlement: data, answered: false };
  if (data?.claim === claim && data.state === "sent") return undefined;
  return { kind: "failed", reason: reasonFor(undefined), txHash };
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

function signatureOf({ signature }: SettlementItem): Hex {
  return `0x${signature.slice(2)}`;
}
